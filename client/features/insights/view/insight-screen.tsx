import { OverLimitNotice } from '../../../ui/over-limit-notice'
import { useState, type ReactNode } from 'react'
import { Text, Button, Group, SegmentedControl } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useHotkeys } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Insight, ChartKind } from '../../../../src/shared/insights'
import type { QueryPlan } from '../../../../src/shared/query/plan'
import type { QueryResult } from '../../../../src/shared/query/result'
import { useCellFormatter } from '../../../lib/cell-formatter'
import { timeAxis, type TimeAxis, type ChartAnnotation } from '../../../ui/chart/annotations'
import { RecordsDrawer, type RecordsRequest } from './records-drawer'
import { MarkMenu, type Exploration } from './mark-menu'
import { countLimitedInsights, insightsQuery } from '../queries'
import { insightQuery } from '../../../lib/queries/insight-queries'
import { useFormat } from '../../../lib/format'
import { OverLimitScope, useMay } from '../../../lib/gate'
import type { ChartTarget } from '../../../ui/chart/axis-model'
import { withPercent } from '../../../../src/shared/charts/chart-model'
import { ErrorState } from '../../../ui/error-state'
import type { MoreMenuItem } from '../../../ui/buttons/more-menu'
import { PageHeader } from '../../../ui/page-header'
import { PageWithRail } from '../../../ui/page-rail'
import { ChartSkeleton } from '../../../ui/skeletons'
import { SubjectPage } from '../../../ui/deleted/subject-page'
import { ResultFreshness, ResultView } from './result-view'
import { withAllTime, EmptyPeriod } from './empty-result'
import { hasValues } from '../../../ui/chart/has-values'
import { CalculationDetails } from './calculation-details'
import { InsightActions } from './insight-actions'
import { InsightBadges } from '../curation/insight-badges'
import classes from '../insights.module.css'
import { missingFieldOf, MissingFieldAlert, useRefusal } from './missing-figures'
import { MixedCurrencyAlert } from './mixed-currency-alert'
import { mixedCurrencyLines } from '../../../lib/error-details'
import { answerPng } from '../../../ui/chart/answer-png'
import { pivotTextTable } from '../../../ui/pivot/pivot-text'
import { useQueryResult, type LiveQueryResult } from '../use-query-result'
import { loadPivot } from '../../../ui/pivot/pivot-table'
import { EditInsight } from '../builder/edit-insight'
import { MutedText } from '../../../ui/muted-text'

/** What belongs to an insight beside its answer; made elsewhere. */
interface InsightSlots {
  /** What changed in it and what accounts for that. `onRecords` shows the rows behind something. */
  renderFindings?: (parts: { insight: Insight; onRecords: (plan: QueryPlan, title: string) => void }) => ReactNode
  renderMonitoring?: (insight: Insight) => ReactNode
  /** Says why its data is gone, in place of the error, where that is known. */
  renderDataError?: (parts: { plan: QueryPlan; error: ReactNode }) => ReactNode
  /** What people say of it, given the units of time it is split by. */
  renderNotes?: (axis: TimeAxis | null) => ReactNode
  /** Further things that can be done with it, in its menu. */
  menuItems?: (insight: Insight) => readonly MoreMenuItem[]
}

function InsightFindingsSection({
  insight,
  renderFindings,
}: {
  insight: Insight
  renderFindings: InsightSlots['renderFindings'] | undefined
}) {
  const [records, setRecords] = useState<RecordsRequest | null>(null)
  return (
    <>
      {renderFindings?.({ insight, onRecords: (plan, title) => setRecords({ plan, title }) })}
      <RecordsDrawer records={records} onClose={() => setRecords(null)} />
    </>
  )
}

/** Targets, alerts, forecasts and notes: beside the answer, never between it and what was found in it. */
function InsightRail({
  insight,
  result,
  refused,
  renderMonitoring,
  renderNotes,
}: Pick<InsightSlots, 'renderMonitoring' | 'renderNotes'> & {
  insight: Insight
  result: QueryResult | null
  refused: boolean
}) {
  const format = useCellFormatter()
  return (
    <>
      {!refused && renderMonitoring?.(insight)}
      {renderNotes?.(result && timeAxis(result, format))}
    </>
  )
}

function FrozenInsightNotice() {
  const list = useInfiniteQuery(insightsQuery({ q: '', deleted: false }))
  return (
    <OverLimitNotice
      thing="insight"
      limit="customInsights"
      unit={() => 'custom insights'}
      count={countLimitedInsights(list.data?.pages)}
    >
      You can still view and export it. Upgrade or delete another one to edit it.
    </OverLimitNotice>
  )
}

export interface InsightViewProps extends InsightSlots {
  insight: Insight
  asTable: boolean
  onTabChange: (tab: string | undefined) => void
  /** What is said of units of the time axis. Kept the same while nothing changes. */
  annotations?: readonly ChartAnnotation[] | undefined
  /** What the figures should come to. Kept the same while nothing changes. */
  target?: ChartTarget | undefined
}

/** What an insight says now: words, figures, chart or table, the rows behind them and how they were computed. */
export function InsightView({
  insight,
  asTable,
  onTabChange,
  annotations,
  target,
  renderDataError = ({ error }) => error,
  ...slots
}: InsightViewProps) {
  const format = useFormat()
  const [showsAllTime, setShowsAllTime] = useState(false)
  const [currency, setCurrency] = useState(insight.plan.currency)
  const [exploration, setExploration] = useState<Exploration | null>(null)
  const own = withCurrency(showsAllTime ? withAllTime(insight.plan) : insight.plan, currency)
  const plan = exploration?.plan ?? own
  const figures = useQueryResult(plan)
  const { result, error } = figures
  const png = usePngExport(insight, plan, result)
  const onEdit = (): void => onTabChange('edit')
  useHotkeys([['t', () => onTabChange(asTable ? undefined : 'table')]])
  const missingFieldName = missingFieldOf(error)
  const mixed = mixedCurrencyLines(error)
  const refusal = useRefusal(plan, figures)
  const errorView =
    missingFieldName === null ? (
      <ErrorState
        error={error}
        onRetry={figures.refetch}
        {...(result ? { lastGoodAt: format.dateTime(result.dataAsOf) } : {})}
      />
    ) : (
      <MissingFieldAlert field={missingFieldName} onEdit={onEdit} />
    )
  return (
    <>
      <PageHeader
        title={insight.name}
        breadcrumb={<InsightBadges insight={insight} />}
        // The line has its place before the answer fills it.
        description={result?.words ?? (insight.description || '\u00a0')}
        actions={
          <InsightActions
            {...{ insight, png }}
            refused={refusal !== null}
            onEdit={refusal === 'masked' ? undefined : onEdit}
            items={refusal === null ? (slots.menuItems?.(insight) ?? NO_ITEMS) : NO_ITEMS}
          />
        }
      />
      <PageWithRail rail={<InsightRail {...{ insight, result }} refused={refusal !== null} {...slots} />}>
        {insight.frozen && <FrozenInsightNotice />}
        {mixed && <MixedCurrencyAlert plan={plan} lines={mixed} onConvert={setCurrency} />}
        {error && !mixed && renderDataError({ plan, error: errorView })}
        {!result && !error && <ChartSkeleton height={360} />}
        {result && (
          <ResultCard
            insight={insight}
            plan={plan}
            result={result}
            asTable={asTable}
            onTabChange={onTabChange}
            annotations={annotations}
            target={target}
            figures={figures}
            onShowAll={showsAllTime || exploration ? undefined : () => setShowsAllTime(true)}
            exploration={exploration}
            onExplore={setExploration}
          />
        )}
        {plan.measures.length > 0 && refusal === null && (
          <InsightFindingsSection insight={insight} renderFindings={slots.renderFindings} />
        )}
        {result && <CalculationDetails plan={plan} result={result} />}
      </PageWithRail>
    </>
  )
}

const NO_ITEMS: readonly MoreMenuItem[] = []

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
    return answerPng({
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
  onShowAll: (() => void) | undefined
  /** What the reader looks at instead, on the screen only. */
  exploration: Exploration | null
  onExplore: (exploration: Exploration | null) => void
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
  exploration,
  onExplore,
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
            insight={insight}
            plan={plan}
            result={result}
            asTable={asTable}
            annotations={annotations}
            target={target}
            exploration={exploration}
            onExplore={onExplore}
          />
        ) : (
          <EmptyPeriod plan={plan} onShowAll={onShowAll} />
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
      <MutedText size="xs" visibleFrom="sm">
        Press <kbd>t</kbd>
      </MutedText>
    </Group>
  )
}

type InteractiveResultProps = Pick<
  ResultCardProps,
  'insight' | 'plan' | 'result' | 'asTable' | 'annotations' | 'target' | 'exploration' | 'onExplore'
>

function InteractiveResult(props: InteractiveResultProps) {
  const { insight, plan, result, asTable, annotations, target, exploration, onExplore } = props
  const format = useCellFormatter()
  return (
    <>
      {exploration && (
        <Group justify="space-between" mb="sm" wrap="nowrap">
          <Text size="sm" fw={550}>
            {exploration.title}
          </Text>
          <Button size="xs" variant="default" onClick={() => onExplore(null)}>
            Reset view
          </Button>
        </Group>
      )}
      <MarkMenu plan={plan} result={result} onExplore={onExplore}>
        {(onPick) => (
          <ResultView
            plan={plan}
            result={result}
            viz={exploration?.chart ? { ...insight.viz, chart: exploration.chart } : insight.viz}
            format={format}
            title={insight.name}
            asTable={asTable}
            height={360}
            annotations={annotations}
            target={exploration ? undefined : target}
            onPick={onPick}
          />
        )}
      </MarkMenu>
    </>
  )
}

export interface InsightScreenProps extends Pick<InsightViewProps, 'annotations' | 'target' | keyof InsightSlots> {
  id: string
}

/** One insight: its answer, or the builder while it is edited. The address holds which. */
export function InsightScreen({ id, ...parts }: InsightScreenProps) {
  const { tab } = useSearch({ strict: false })
  const navigate = useNavigate()
  const insight = useQuery(insightQuery(id))
  const may = useMay('edit:insight')
  const show = (next: string | undefined): void =>
    void navigate({ to: '/insights/$id', params: { id }, search: next === undefined ? {} : { tab: next } })
  return (
    <SubjectPage query={insight} id={id}>
      {(data) =>
        // Whoever kept the address of the builder and may not change the insight any more sees it instead.
        tab === 'edit' && may && !data.frozen ? (
          <EditInsight insight={data} onDone={() => show(undefined)} />
        ) : (
          <OverLimitScope frozen={data.frozen}>
            <InsightView insight={data} asTable={tab === 'table'} onTabChange={show} {...parts} />
          </OverLimitScope>
        )
      }
    </SubjectPage>
  )
}
