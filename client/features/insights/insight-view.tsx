import { Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useRef, useState } from 'react'
import type { RefObject } from 'react'
import type { Insight } from '../../../src/shared/insights'
import { useFormat } from '../../lib/format'
import type { ChartHandle } from '../../ui/chart/chart'
import { useFigureFormat } from '../../ui/chart/figure-format'
import { ErrorState } from '../../ui/error-state'
import { FreshnessBadge } from '../../ui/freshness-badge'
import { PageHeader } from '../../ui/page-header'
import { ChartSkeleton } from '../../ui/skeletons'
import { AnswerView } from './answer-view'
import { DrillDrawer } from './drill-drawer'
import { hasFigures, overAll } from './empty-answer'
import { EmptyPeriod } from './empty-period'
import { HowComputed } from './how-computed'
import { InsightActions } from './insight-actions'
import classes from './insights.module.css'
import { MissingField, missingField } from './missing-field'
import { useFigures } from './use-figures'

interface InsightViewProps {
  insight: Insight
  asTable: boolean
  onShow: (tab: string | undefined) => void
}

/** What an insight says now: words, figures, chart or table, the rows behind them and how they were computed. */
export function InsightView({ insight, asTable, onShow }: InsightViewProps) {
  const format = useFormat()
  const [whole, setWhole] = useState(false)
  const plan = whole ? overAll(insight.plan) : insight.plan
  const figures = useFigures(plan)
  const { result, error } = figures
  const chart = useRef<ChartHandle>(null)
  const charted = insight.viz.chart !== 'table' && insight.viz.chart !== 'number'
  useHotkeys([['t', () => onShow(asTable ? undefined : 'table')]])
  const gone = missingField(error)
  return (
    <>
      <PageHeader
        title={insight.name}
        description={result?.words ?? insight.description}
        actions={
          <InsightActions
            insight={insight}
            {...(charted && !asTable ? { png: () => chart.current?.png() ?? null } : {})}
            onEdit={() => onShow('edit')}
          />
        }
      />
      <Stack gap="md">
        {gone !== null && <MissingField field={gone} insight={insight} onEdit={() => onShow('edit')} />}
        {error && gone === null && (
          <ErrorState
            error={error}
            onRetry={figures.refetch}
            {...(result ? { lastGoodAt: format.dateTime(result.dataAsOf) } : {})}
          />
        )}
        {!result && !error && <ChartSkeleton height={360} />}
        {result && (
          <section className="surface" aria-label="Answer">
            <Group justify="space-between" px="md" py="xs" style={{ borderBottom: '1px solid var(--line)' }}>
              <FreshnessBadge
                state={error ? 'stale' : 'fresh'}
                words={`Data as of ${format.dateTime(result.dataAsOf)}`}
              />
              {insight.viz.chart !== 'table' && <ViewSwitch asTable={asTable} onShow={onShow} number={!charted} />}
            </Group>
            <div style={{ padding: '16px' }} className={`${classes.answer} ${figures.stale ? classes.stale : ''}`}>
              {hasFigures(result) ? (
                <Answer {...{ insight, plan, result, asTable, handle: chart }} />
              ) : (
                <EmptyPeriod plan={plan} {...(whole ? {} : { onWhole: () => setWhole(true) })} />
              )}
            </div>
          </section>
        )}
        {result && <HowComputed plan={plan} result={result} />}
      </Stack>
    </>
  )
}

function ViewSwitch(props: { asTable: boolean; number: boolean; onShow: InsightViewProps['onShow'] }) {
  return (
    <Group gap="xs">
      <SegmentedControl
        size="xs"
        aria-label="View"
        value={props.asTable ? 'table' : 'chart'}
        data={[
          { value: 'chart', label: props.number ? 'Number' : 'Chart' },
          { value: 'table', label: 'Table' },
        ]}
        onChange={(value) => props.onShow(value === 'table' ? 'table' : undefined)}
      />
      <Text size="xs" c="dimmed" visibleFrom="sm">
        Press <kbd>t</kbd>
      </Text>
    </Group>
  )
}

interface AnswerProps {
  insight: Insight
  plan: Insight['plan']
  result: Parameters<typeof AnswerView>[0]['result']
  asTable: boolean
  handle: RefObject<ChartHandle | null>
}

function Answer({ insight, plan, result, asTable, handle }: AnswerProps) {
  const format = useFigureFormat()
  const [row, setRow] = useState<number | null>(null)
  return (
    <>
      <AnswerView
        result={result}
        viz={insight.viz}
        format={format}
        title={insight.name}
        asTable={asTable}
        height={360}
        onPick={setRow}
        handle={handle}
      />
      <DrillDrawer plan={plan} result={result} row={row} onClose={() => setRow(null)} />
    </>
  )
}
