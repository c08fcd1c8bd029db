import { Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useState } from 'react'
import type { ChartKind, Insight } from '../../../src/shared/insights'
import type { QueryPlan } from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'
import { useFormat } from '../../lib/format'
import { useFigureFormat } from '../../ui/chart/figure-format'
import type { ChartMark } from '../../ui/chart/marks'
import type { ChartTarget } from '../../ui/chart/target-series'
import { withPercent } from '../../ui/chart/percent'
import { ErrorState } from '../../ui/error-state'
import { PageHeader } from '../../ui/page-header'
import { ChartSkeleton } from '../../ui/skeletons'
import { AnswerFreshness } from './answer-freshness'
import { AnswerView } from './answer-view'
import { AroundAnswer } from './around-answer'
import type { Around } from './around-answer'
import { DrillDrawer } from './drill-drawer'
import { hasFigures, overAll } from './empty-answer'
import { EmptyPeriod } from './empty-period'
import { FrozenInsight } from './frozen-insight'
import { HowComputed } from './how-computed'
import { InsightActions } from './insight-actions'
import { InsightFacts } from './insight-facts'
import { insightPng } from './insight-png'
import classes from './insights.module.css'
import { MissingField, missingField } from './missing-field'
import { MixedLines } from './mixed-lines'
import { mixedLines } from '../../lib/mixed-lines'
import { pivotTable } from './pivot-texts'
import { useFigures } from './use-figures'
import type { Figures } from './use-figures'
import { loadPivot } from './use-pivot'

export interface InsightViewProps extends Around {
  insight: Insight
  asTable: boolean
  onShow: (tab: string | undefined) => void
  /** What is said of units of the time axis. Kept the same while nothing changes. */
  marks?: readonly ChartMark[]
  /** What the figures should come to. Kept the same while nothing changes. */
  target?: ChartTarget | undefined
}

/** What an insight says now: words, figures, chart or table, the rows behind them and how they were computed. */
export function InsightView({ insight, asTable, onShow, marks, target, ...around }: InsightViewProps) {
  const format = useFormat()
  const [whole, setWhole] = useState(false)
  const [currency, setCurrency] = useState(insight.plan.currency)
  const plan = withCurrency(whole ? overAll(insight.plan) : insight.plan, currency)
  const figures = useFigures(plan)
  const { result, error } = figures
  const png = usePng(insight, plan, result)
  const onEdit = (): void => onShow('edit')
  useHotkeys([['t', () => onShow(asTable ? undefined : 'table')]])
  const gone = missingField(error)
  const mixed = mixedLines(error)
  return (
    <>
      <PageHeader
        title={insight.name}
        above={<InsightFacts insight={insight} />}
        // The line has its place before the answer fills it.
        description={result?.words ?? (insight.description || '\u00a0')}
        actions={<InsightActions insight={insight} {...(png ? { png } : {})} onEdit={onEdit} />}
      />
      <Stack gap="md">
        {insight.frozen && <FrozenInsight />}
        {gone !== null && <MissingField field={gone} insight={insight} onEdit={onEdit} />}
        {mixed && <MixedLines plan={plan} lines={mixed} onConvert={setCurrency} />}
        {error && gone === null && !mixed && (
          <ErrorState
            error={error}
            onRetry={figures.refetch}
            {...(result ? { lastGoodAt: format.dateTime(result.dataAsOf) } : {})}
          />
        )}
        {!result && !error && <ChartSkeleton height={360} />}
        {result && (
          <AnswerCard
            {...{ insight, plan, result, asTable, onShow }}
            {...(marks ? { marks } : {})}
            target={target}
            figures={figures}
            {...(whole ? {} : { onWhole: () => setWhole(true) })}
          />
        )}
        <AroundAnswer {...{ insight, result }} {...around} />
        {result && <HowComputed plan={plan} result={result} />}
      </Stack>
    </>
  )
}

/** The plan, its amounts in a currency that was chosen on the page. */
const withCurrency = (plan: QueryPlan, currency: QueryPlan['currency']): QueryPlan =>
  currency ? { ...plan, v: 2, currency } : plan

/** The picture of what is on screen; undefined while there are no figures. */
function usePng(insight: Insight, plan: QueryPlan, result: QueryResult | null) {
  const format = useFormat()
  const figures = useFigureFormat()
  const { viz } = insight
  if (!result || !hasFigures(result)) return undefined
  return async (): Promise<Blob> => {
    const pivot =
      viz.chart === 'pivot'
        ? await loadPivot({ plan, result: withPercent(result, viz.percent), percent: viz.percent, format: figures })
        : null
    return insightPng({
      result,
      viz,
      format: figures,
      title: insight.name,
      dataAsOf: format.dateTime(result.dataAsOf),
      today: format.dateTime(new Date().toISOString()),
      table: pivot ? pivotTable(pivot, figures) : undefined,
    })
  }
}

interface AnswerCardProps extends InsightViewProps {
  plan: QueryPlan
  result: QueryResult
  figures: Figures
  onWhole?: () => void
}

function AnswerCard({ insight, plan, result, asTable, onShow, figures, marks, target, onWhole }: AnswerCardProps) {
  const { chart } = insight.viz
  return (
    <section className="surface" aria-label="Answer">
      <Group justify="space-between" px="md" py="xs" style={{ borderBottom: '1px solid var(--line)' }}>
        <AnswerFreshness result={result} figures={figures} failed={figures.error !== null} />
        {chart !== 'table' && <ViewSwitch asTable={asTable} onShow={onShow} chart={chart} />}
      </Group>
      <div style={{ padding: '16px' }} className={`${classes.answer} ${figures.stale ? classes.stale : ''}`}>
        {hasFigures(result) ? (
          <Answer {...{ insight, plan, result, asTable, target }} {...(marks ? { marks } : {})} />
        ) : (
          <EmptyPeriod plan={plan} {...(onWhole ? { onWhole } : {})} />
        )}
      </div>
    </section>
  )
}

const VIEW_WORDS: Partial<Record<ChartKind, string>> = { number: 'Number', pivot: 'Pivot' }

function ViewSwitch(props: { asTable: boolean; chart: ChartKind; onShow: InsightViewProps['onShow'] }) {
  return (
    <Group gap="xs">
      <SegmentedControl
        size="xs"
        aria-label="View"
        value={props.asTable ? 'table' : 'chart'}
        data={[
          { value: 'chart', label: VIEW_WORDS[props.chart] ?? 'Chart' },
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
  result: QueryResult
  asTable: boolean
  marks?: readonly ChartMark[]
  target: ChartTarget | undefined
}

function Answer({ insight, plan, result, asTable, marks, target }: AnswerProps) {
  const format = useFigureFormat()
  const [row, setRow] = useState<number | null>(null)
  return (
    <>
      <AnswerView
        plan={plan}
        result={result}
        viz={insight.viz}
        format={format}
        title={insight.name}
        asTable={asTable}
        height={360}
        {...(marks ? { marks } : {})}
        target={target}
        onPick={setRow}
      />
      <DrillDrawer plan={plan} result={result} row={row} onClose={() => setRow(null)} />
    </>
  )
}
