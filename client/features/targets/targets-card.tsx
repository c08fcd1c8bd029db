import { MutedText } from '../../ui/muted-text'
import { Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { IconTargetArrow } from '@tabler/icons-react'
import type { Insight } from '../../../src/shared/insights'
import type { Metric } from '../../../src/shared/metrics'
import { formatPeriod, yearGrainOf, type TargetGrain } from '../../../src/shared/targets/periods'
import type { LineProgress, PaceStatus, PeriodProgress, TargetProgress } from '../../../src/shared/targets/targets'
import { TERMS } from '../../../src/shared/terms'
import { monitoredFromMetric } from '../../../src/shared/monitored-metric'
import { useMayWrite } from '../../lib/gate'
import { monitoredMetricOf, useReferencedMetrics } from '../../lib/monitored-metric'
import { useFormat } from '../../lib/format'
import { useCellFormatter } from '../../lib/cell-formatter'
import type { CellFormatter } from '../../../src/shared/figures/cell-formatter'
import { SideButton, SideSection } from '../../ui/page-rail'
import { progressQuery, targetsQuery, type TargetSubject } from './queries'
import { TargetEditor } from './target-editor'

export function InsightTargets({ insight }: { insight: Insight }) {
  const { id, name } = insight
  const metrics = useReferencedMetrics(insight)
  return <TargetsSection of={{ kind: 'insight', id, name, monitoredMetric: monitoredMetricOf(insight, 0, metrics) }} />
}

export function MetricTargets({ metric }: { metric: Metric }) {
  const { id, name, measure } = metric
  return <TargetsSection of={{ kind: 'metric', id, name, monitoredMetric: monitoredFromMetric(metric, measure) }} />
}

function TargetsSection({ of }: { of: TargetSubject }) {
  const table = useQuery({ ...targetsQuery(of), enabled: of.monitoredMetric !== null })
  const progress = useQuery({ ...progressQuery(of), enabled: (table.data?.lines.length ?? 0) > 0 })
  const may = useMayWrite('edit:target')
  const [editing, editor] = useDisclosure(false)
  if (!of.monitoredMetric || !table.data) return null
  const hasNoTargets = table.data.lines.length === 0
  return (
    <>
      <SideSection
        title="Targets"
        isEmpty={hasNoTargets}
        action={
          may && (
            <SideButton icon={IconTargetArrow} onClick={editor.open}>
              {hasNoTargets ? 'Set targets' : 'Edit targets'}
            </SideButton>
          )
        }
      >
        {progress.data && <ProgressLines progress={progress.data} />}
      </SideSection>
      {editing && <TargetEditor subject={of} stored={table.data} onClose={editor.close} />}
    </>
  )
}

const LINES_SHOWN_MAX = 8

function ProgressLines({ progress }: { progress: TargetProgress }) {
  const lines = progress.lines.filter(({ now, year }) => now ?? year)
  if (lines.length === 0)
    return <MutedText>No target for this {progress.grain === 'month' ? 'month' : 'period'}</MutedText>
  return (
    <Stack gap="md">
      {lines.slice(0, LINES_SHOWN_MAX).map((line, at) => (
        <ProgressLine key={at} line={line} progress={progress} />
      ))}
      {lines.length > LINES_SHOWN_MAX && (
        <MutedText size="xs">
          Showing {LINES_SHOWN_MAX} of {lines.length}
        </MutedText>
      )}
    </Stack>
  )
}

function ProgressLine({ line, progress }: { line: LineProgress; progress: TargetProgress }) {
  const { now, year } = line
  const shared = { progress, format: useCellFormatter() }
  return (
    <div>
      {line.label !== null && (
        <Text size="sm" fw={600} mb={4}>
          {line.label}
        </Text>
      )}
      <SimpleGrid type="container" cols={{ base: 1, '26rem': now && year ? 2 : 1 }} spacing="md">
        {now && <ProgressBar periodProgress={now} grain={progress.grain} {...shared} />}
        {year && <ProgressBar periodProgress={year} grain={yearGrainOf(progress.grain)} {...shared} />}
      </SimpleGrid>
    </div>
  )
}

const PACE_DISPLAY: Record<PaceStatus, { color: string; words: string }> = {
  ahead: { color: 'green', words: 'Ahead' },
  onPace: { color: 'teal', words: 'On pace' },
  behind: { color: 'orange', words: 'Behind' },
}
const PERCENT_FACTOR = 100

interface ProgressBarProps {
  periodProgress: PeriodProgress
  grain: TargetGrain
  progress: TargetProgress
  format: CellFormatter
}

/** A bar from nothing to the target, with a mark where it should be on the last day with data; in words too. */
function ProgressBar({ periodProgress, grain, progress, format }: ProgressBarProps) {
  const figure = (value: number | null): string =>
    format.round(value, { type: 'number', kind: 'measure', format: progress.format ?? { style: 'plain' } })
  const dates = useFormat()
  const { actual, target, share, expected, status } = periodProgress
  const look = status && PACE_DISPLAY[status]
  const period = formatPeriod(periodProgress.period, grain)
  const filled = Math.max(0, Math.min(1, share ?? 0)) * PERCENT_FACTOR
  const mark = expected === null || target === 0 ? null : Math.max(0, Math.min(1, expected / target)) * PERCENT_FACTOR
  return (
    <div>
      <Group justify="space-between" gap="xs" wrap="nowrap" align="baseline">
        <Text size="sm">
          {period}:{' '}
          <Text span fw={600} className="figure" inherit>
            {figure(actual)}
          </Text>{' '}
          of {figure(target)}
        </Text>
        <Text size="sm" className="figure">
          {share === null ? '' : format.share(share)}
        </Text>
      </Group>
      <div style={{ position: 'relative' }}>
        <Progress
          value={filled}
          color={look?.color ?? 'gray'}
          size="lg"
          my={4}
          aria-label={`${period}: ${share === null ? 'no figure' : format.share(share)} of target`}
        />
        {mark !== null && (
          <span
            aria-hidden
            style={{
              position: 'absolute',
              insetBlock: -2,
              insetInlineStart: `${mark}%`,
              width: 2,
              background: 'var(--mantine-color-text)',
              borderRadius: 1,
            }}
          />
        )}
      </div>
      <MutedText size="xs">
        {describePace(periodProgress, { figure, words: look?.words ?? null, by: dates.date(progress.today) })}
      </MutedText>
    </div>
  )
}

/** Where it should be by that day, and how that was worked out. */
function describePace(
  { expected, basis }: PeriodProgress,
  { figure, words, by }: { figure: (value: number | null) => string; words: string | null; by: string },
): string {
  if (expected === null)
    return words === null
      ? ''
      : words === 'Ahead'
        ? 'Ahead of target'
        : words === 'Behind'
          ? 'Behind target'
          : 'On target'
  const way = basis === 'lastYear' ? TERMS.previousYear.toLowerCase() : 'days elapsed'
  const should = `Expected by ${by}: ${figure(expected)} (by ${way})`
  return words === null ? should : `${words} · ${should}`
}
