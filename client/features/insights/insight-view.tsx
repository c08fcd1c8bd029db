import { Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useState } from 'react'
import type { ChartKind, Insight } from '../../../src/shared/insights'
import type { QueryPlan } from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'
import { useFormat } from '../../lib/format'
import { useCellFormatter } from '../../ui/chart/figure-format'
import type { ChartAnnotation } from '../../ui/chart/marks'
import type { ChartTarget } from '../../ui/chart/target-series'
import { withPercent } from '../../ui/chart/percent'
import { ErrorState } from '../../ui/error-state'
import { PageHeader } from '../../ui/page-header'
import { ChartSkeleton } from '../../ui/skeletons'
import { ResultFreshness } from './answer-freshness'
import { ResultView } from './answer-view'
import { InsightSections } from './around-answer'
import type { InsightSlots } from './around-answer'
import { DrillDrawer } from './drill-drawer'
import { hasValues, withAllTime } from './empty-answer'
import { EmptyPeriod } from './empty-period'
import { FrozenInsightNotice } from './frozen-insight'
import { CalculationDetails } from './how-computed'
import { InsightActions } from './insight-actions'
import { InsightBadges } from './insight-facts'
import { insightPng } from './insight-png'
import classes from './insights.module.css'
import { MissingFieldAlert, missingFieldOf } from './missing-field'
import { MixedCurrencyAlert } from './mixed-lines'
import { mixedCurrencyLines } from '../../lib/mixed-lines'
import { pivotTextTable } from './pivot-texts'
import { useQueryResult } from './use-figures'
import type { LiveQueryResult } from './use-figures'
import { loadPivot } from './use-pivot'

export interface InsightViewProps extends InsightSlots {
  insight: Insight
  asTable: boolean
  onTabChange: (tab: string | undefined) => void
  /** What is said of units of the time axis. Kept the same while nothing changes. */
  annotations?: readonly ChartAnnotation[]
  /** What the figures should come to. Kept the same while nothing changes. */
  target?: ChartTarget | undefined
}

/** What an insight says now: words, figures, chart or table, the rows behind them and how they were computed. */
export function InsightView({ insight, asTable, onTabChange, annotations, target, ...slots }: InsightViewProps) {
  const format = useFormat()
  const [showsAllTime, setShowsAllTime] = useState(false)
  const [currency, setCurrency] = useState(insight.plan.currency)
  const plan = withCurrency(showsAllTime ? withAllTime(insight.plan) : insight.plan, currency)
  const figures = useQueryResult(plan)
  const { result, error } = figures
  const png = usePngExport(insight, plan, result)
  const onEdit = (): void => onTabChange('edit')
  useHotkeys([['t', () => onTabChange(asTable ? undefined : 'table')]])
  const missingFieldName = missingFieldOf(error)
  const mixed = mixedCurrencyLines(error)
  return (
    <>
      <PageHeader
        title={insight.name}
        breadcrumb={<InsightBadges insight={insight} />}
        // The line has its place before the answer fills it.
        description={result?.words ?? (insight.description || '\u00a0')}
        actions={<InsightActions insight={insight} {...(png ? { png } : {})} onEdit={onEdit} />}
      />
      <Stack gap="md">
        {insight.frozen && <FrozenInsightNotice />}
        {missingFieldName !== null && <MissingFieldAlert field={missingFieldName} insight={insight} onEdit={onEdit} />}
        {mixed && <MixedCurrencyAlert plan={plan} lines={mixed} onConvert={setCurrency} />}
        {error && missingFieldName === null && !mixed && (
          <ErrorState
            error={error}
            onRetry={figures.refetch}
            {...(result ? { lastGoodAt: format.dateTime(result.dataAsOf) } : {})}
          />
        )}
        {!result && !error && <ChartSkeleton height={360} />}
        {result && (
          <ResultCard
            {...{ insight, plan, result, asTable, onTabChange }}
            {...(annotations ? { annotations } : {})}
            target={target}
            figures={figures}
            {...(showsAllTime ? {} : { onShowAll: () => setShowsAllTime(true) })}
          />
        )}
        <InsightSections {...{ insight, result }} {...slots} />
        {result && <CalculationDetails plan={plan} result={result} />}
      </Stack>
    </>
  )
}

/** The plan, its amounts in a currency that was chosen on the page. */
const withCurrency = (plan: QueryPlan, currency: QueryPlan['currency']): QueryPlan =>
  currency ? { ...plan, v: 2, currency } : plan

/** The picture of what is on screen; undefined while there are no figures. */
function usePngExport(insight: Insight, plan: QueryPlan, result: QueryResult | null) {
  const format = useFormat()
  const figures = useCellFormatter()
  const { viz } = insight
  if (!result || !hasValues(result)) return undefined
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
      table: pivot ? pivotTextTable(pivot, figures) : undefined,
    })
  }
}

interface ResultCardProps extends InsightViewProps {
  plan: QueryPlan
  result: QueryResult
  figures: LiveQueryResult
  onShowAll?: () => void
}

function ResultCard({
  insight,
  plan,
  result,
  asTable,
  onTabChange,
  figures,
  annotations,
  target,
  onShowAll,
}: ResultCardProps) {
  const { chart } = insight.viz
  return (
    <section className="surface" aria-label="Answer">
      <Group justify="space-between" px="md" py="xs" style={{ borderBottom: '1px solid var(--line)' }}>
        <ResultFreshness result={result} figures={figures} failed={figures.error !== null} />
        {chart !== 'table' && <ViewSwitch asTable={asTable} onShow={onTabChange} chart={chart} />}
      </Group>
      <div style={{ padding: '16px' }} className={`${classes.answer} ${figures.stale ? classes.stale : ''}`}>
        {hasValues(result) ? (
          <InteractiveResult
            {...{ insight, plan, result, asTable, target }}
            {...(annotations ? { marks: annotations } : {})}
          />
        ) : (
          <EmptyPeriod plan={plan} {...(onShowAll ? { onShowAll } : {})} />
        )}
      </div>
    </section>
  )
}

const VIEW_LABELS: Partial<Record<ChartKind, string>> = { number: 'Number', pivot: 'Pivot' }

function ViewSwitch(props: { asTable: boolean; chart: ChartKind; onShow: InsightViewProps['onTabChange'] }) {
  return (
    <Group gap="xs">
      <SegmentedControl
        size="xs"
        aria-label="View"
        value={props.asTable ? 'table' : 'chart'}
        data={[
          { value: 'chart', label: VIEW_LABELS[props.chart] ?? 'Chart' },
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

interface InteractiveResultProps {
  insight: Insight
  plan: Insight['plan']
  result: QueryResult
  asTable: boolean
  marks?: readonly ChartAnnotation[]
  target: ChartTarget | undefined
}

function InteractiveResult({ insight, plan, result, asTable, marks: annotations, target }: InteractiveResultProps) {
  const format = useCellFormatter()
  const [row, setRow] = useState<number | null>(null)
  return (
    <>
      <ResultView
        plan={plan}
        result={result}
        viz={insight.viz}
        format={format}
        title={insight.name}
        asTable={asTable}
        height={360}
        {...(annotations ? { annotations } : {})}
        target={target}
        onPick={setRow}
      />
      <DrillDrawer plan={plan} result={result} row={row} onClose={() => setRow(null)} />
    </>
  )
}
