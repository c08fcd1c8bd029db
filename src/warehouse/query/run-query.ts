import { filtersOfRules, isPartial } from '../../identity/access/visible-dataset'
import { toIsoOrNull } from '../../lib/iso'
import { computedDays } from './time/computed-days'
import { columnSource } from '../columns/column-source'
import type { AggregateExecution, FigureSource } from './figure-source'
import type { AggregateQuery } from './aggregates/aggregate-query'
import { withResolvedBins } from './aggregates/bin-widths'
import { resultCache } from './result-cache'
import { checkPlan, type PlanAnalysis } from './plan/check-plan'
import { datasetsOfRule } from './plan/rule-datasets'
import { datasetIdentity } from './plan/rows-identity'
import type { QueryRequest } from './request'
import { dayFromIso, isoFromDay, startOfUnit, DAY_MS, type Calendar } from '../../shared/dates'
import { relationGraph, type RelationGraph } from './plan/relation-graph'
import { groupingNames, groupingsIdentity } from './plan/plan-groupings'
import { canonicalJson, sha256HexSync } from '../../lib/hash'
import { moneyUsage, moneyView, type MoneyUsage, type MoneyView } from './money/convert-plan'
import { dayRangeLabel, resolvePeriod, type DayRange, type AbsolutePeriod } from './time/resolve-period'
import { rowColumns, shapeGroups } from './aggregates/shape-result'
import type { PlanContext } from './query-context'
import { estimateCost, type QueryCost } from '../scheduling/query-cost'
import type { QuerySteps } from '../scheduling/query-scheduler'
import { windowedFigures } from './windows/windowed-figures'
import { readsOutsideGroup } from '../../shared/query/plan-fields'
import { planContextOf } from './make-context'
import { planNaming, describePlan, timeUnitLabel, type PlanNaming } from './plan/describe-plan'
import { ProductError } from '../../shared/errors'
import { rowDaysOf, rowDaysPlan, timeSplits, withPartialBuckets } from './time/partial-buckets'
import type { QueryPlan } from '../../shared/query/plan'
import type { Field } from '../../shared/query/field'
import type { QueryResult, ResolvedPeriod } from '../../shared/query/result'
import type { Column } from '../../shared/data-sources/data-sources'
import type { LiveDataset } from '../physical-layout'

/** Increase when the meaning of a plan changes: answers cached before are then asked again. */
const ENGINE_VERSION = 12

/** What others work on costs nothing here but waiting. */
const COST_ELSEWHERE: QueryCost = { totalMs: 1_000, readingMs: 1_000, isShort: false }
/** An answer of rows that stay at their source is given again for so long. */
const ELSEWHERE_KEPT_MS = 60_000

/** How often an answer is begun anew because the rows change under it. */
const ATTEMPTS_MAX = 5

/** A question while others have their turns between its pieces. */
export interface OngoingQuestion {
  /** As things are now. */
  ask: () => QuerySteps<QueryRequest>
  /** Rows of the object's SQLite written since it began to live: while it stays, nothing that is read has changed. */
  written: () => number
}

/**
 * Answers a plan from the rows of one workspace, in pieces: between two, others have their turns. Where anything was
 * written meanwhile, what it reads is looked up again; an answer whose rows have changed is begun anew, so that all of it
 * is of one version.
 * @throws ProductError `busy` when rows change faster than they are read
 */
export function* queryInSteps({ ask, written }: OngoingQuestion): QuerySteps<QueryResult> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const begun = identify(yield* ask())
    const steps = begun.ask.columns.arrays?.lentTo(answerSteps(begun)) ?? answerSteps(begun)
    for (let isCurrent = true; isCurrent;) {
      const { done, value } = steps.next()
      if (done === true) return value
      const before = written()
      yield value
      isCurrent = written() === before || identify(yield* ask()).identity === begun.identity
    }
  }
  throw new ProductError('busy', { retryAfter: 5 })
}

/** What a question that was not answered before is expected to cost, and what of it is not in columns yet. */
export interface OpenQuestion {
  /** Datasets whose rows are read. */
  datasets: readonly string[]
  /** Equal where the answer is: while it is given, others need not ask. */
  identity: string
  cost: QueryCost
  /** Datasets with rows of an earlier release. */
  earlier: LiveDataset[]
}

/** The answer when it was given before, else what is ahead. @throws ProductError what the plan is refused for */
export function cachedOrOpen(ask: QueryRequest): { known: QueryResult } | OpenQuestion {
  const { checked, identity, datasets } = identify(ask)
  const known = resultCache(ask.sql, ask.now).read(sha256HexSync(identity))
  if (known) return { known }
  return {
    identity,
    datasets: checked.datasets,
    cost: costOf({ ask, checked }),
    earlier: datasets.filter(({ manifest }) => !manifest),
  }
}
function costOf({ ask, checked }: Pick<IdentifiedQuery, 'ask' | 'checked'>): QueryCost {
  const { plan, calendar, catalogue } = ask
  if (checked.datasets.some((id) => catalogue.find(id)?.seenAt !== undefined)) return COST_ELSEWHERE
  return estimateCost({ plan, calendar, dataTo: lastDayOf(ask), analysis: checked, find: (id) => catalogue.find(id) })
}

/** A question with what it reads now. */
interface IdentifiedQuery {
  ask: QueryRequest
  graph: RelationGraph
  checked: PlanAnalysis
  period: AbsolutePeriod | null
  datasets: LiveDataset[]
  money: MoneyUsage
  /** {@link identityOf} the answer. Long where tables are wide: only what is kept goes by its hash. */
  identity: string
}

function identify(ask: QueryRequest): IdentifiedQuery {
  const graph = relationGraph(ask.catalogue)
  const checked = checkPlan(ask.plan, { find: (id) => ask.catalogue.find(id), graph })
  const period = resolvePeriod(ask.plan, ask.calendar, lastDayOf(ask))
  const datasets = checked.datasets.flatMap((id) => ask.catalogue.find(id) ?? [])
  const money = moneyUsage(ask, checked, (id) => ask.catalogue.find(id))
  const identity = identityOf(ask, { checked, datasets, period, money: money.identity })
  return { ask, graph, checked, period, datasets, money, identity }
}

/**
 * The last day with rows by the column of the period. Null where it is not known without reading rows: moments of a zone,
 * calculated days, rows that the asker may not see all of.
 */
function lastDayOf({ plan, catalogue, scope }: QueryRequest): number | null {
  const field = plan.period?.field
  const dataset = field && catalogue.find(field.dataset)
  const column = dataset?.columns.find(({ key }) => key === field?.column)
  if (!dataset || column?.type !== 'date' || column.computed) return null
  if (scope.rowFilters.some((rule) => rule.dataset === dataset.id)) return null
  return dataset.bounds[column.key]?.max ?? null
}

function* answerSteps(query: IdentifiedQuery): QuerySteps<QueryResult> {
  const { ask, graph, checked, period, datasets, money } = query
  const { plan } = ask
  const hash = sha256HexSync(query.identity)
  const cache = resultCache(ask.sql, ask.now)
  const known = cache.read(hash)
  if (known) return known
  const [only, second] = checked.facts
  const naming: PlanNaming = {
    ...planNaming(graph, {
      home: second === undefined ? (only ?? checked.home) : null,
      find: (id) => ask.catalogue.find(id),
      locale: ask.calendar.numberLocale,
    }),
    grouping: (id) => groupingNames(ask.groupings?.(id)),
    unit: timeUnitLabel(plan),
  }
  const stored = planContextOf(ask, { graph, period })
  const view = yield* moneyView(ask, money.uses, {
    ...{ planContext: stored, columns: ask.columns, plan, period, identity: amountsIdentity(query) },
  })
  // Records lie as they are; what they come to stands beside.
  const planContext = { ...stored, money: plan.kind === 'rows' ? undefined : view.money }
  const source = ask.elsewhere?.(checked.datasets) ?? columnSource(ask.columns)
  const execution: Execution = {
    ...{ planContext, naming, source },
    question: { plan: view.plan, facts: checked, period, readingMs: costOf(query).readingMs, ...besideOf(view) },
  }
  const figures = plan.kind === 'rows' ? yield* recordsOf(execution, view.money) : yield* aggregateFigures(execution)
  const conversion = view.conversion && (yield* view.conversion.tell())
  const seen: LiveDataset[] = []
  for (const dataset of datasets) seen.push(yield* restrictToScope(planContext, source, dataset))
  const told = {
    ...queryMetadata(ask, { datasets: seen, period, naming }),
    ...(conversion ? { conversion } : {}),
    ...(datasets.some((dataset) => isPartial(ask.scope, dataset)) ? { restricted: true as const } : {}),
  }
  const daysOf = (field: Field): DayRange | null => {
    const dated = seen.find(({ id }) => id === field.dataset)
    return dated ? dataDays(dated, field.column) : null
  }
  const columns = yield* withPartialBuckets(
    figures.columns,
    { splits: timeSplits(plan, daysOf), result: { ...figures, ...told }, calendar: ask.calendar },
    (field) => rowDays(ask, field),
  )
  const result: QueryResult = { ...figures, columns, ...told, hash, cached: false }
  yield
  cache.write(result)
  return result
}

/** The days that rows lie on, which every split of the same dates asks for. */
function* rowDays(ask: QueryRequest, field: Field): QuerySteps<readonly number[]> {
  const query = identify({ ...ask, plan: rowDaysPlan(field) })
  const kept = ask.columns.rowDays
  const known = kept?.find(query.identity)
  if (known) return known
  const days = rowDaysOf(yield* answerSteps(query))
  return kept?.read(query.identity, () => days) ?? days
}

/**
 * Identity of an answer: the plan with absolute days, the version of the rows, what the columns are called and how
 * they are shown, the relations it goes along, the calendar, and what the asker may see. Not who asks: equal rights
 * share answers.
 */
function identityOf(
  ask: QueryRequest,
  at: { checked: PlanAnalysis; datasets: LiveDataset[]; period: AbsolutePeriod | null; money: MoneyUsage['identity'] },
  plan: Partial<QueryPlan> = ask.plan,
): string {
  const { calendar, catalogue, groupings: views } = ask
  const { timeZone, weekStart, fiscalYearStart, numberLocale } = calendar
  const rights = rightsIdentity(ask, at.datasets)
  const data = at.datasets.map((dataset) => {
    const identity = datasetIdentity(dataset)
    if (dataset.seenAt === undefined) return identity
    return { identity, bounds: dataset.bounds, slot: Math.floor(ask.now / ELSEWHERE_KEPT_MS) }
  })
  const used = new Set(at.checked.relations)
  const edges = used.size === 0 ? [] : catalogue.edges.filter(({ id }) => used.has(id))
  const zone = { timeZone, weekStart, fiscalYearStart, numberLocale }
  const money = at.money ?? undefined
  const groupings = groupingsIdentity(ask.plan, views)
  return canonicalJson({ v: ENGINE_VERSION, plan, period: at.period, data, edges, zone, rights, money, groupings })
}

/** What is told of amounts is the same whatever rows are split by and sorted. */
function amountsIdentity({ ask, money, ...at }: IdentifiedQuery): string {
  if (money.uses.length === 0) return ''
  const { v, kind, period, filters, currency } = ask.plan
  const asked = { v, kind, filters, ...(period ? { period } : {}), ...(currency ? { currency } : {}) }
  return sha256HexSync(identityOf(ask, { ...at, money: money.identity }, asked))
}

/** What the asker may see, and which rows and columns that is decided by, and masked values are made of. */
function rightsIdentity(
  { scope, catalogue, unrestricted = catalogue, groupings: views }: QueryRequest,
  asked: readonly Pick<LiveDataset, 'id'>[],
): unknown {
  const { datasets, rowFilters, hidden, masked, hiddenDatasets, hiddenSources } = scope
  const rights = { datasets, rowFilters, hidden, masked, hiddenDatasets, hiddenSources }
  const graph = relationGraph(unrestricted)
  const ruled = rowFilters.flatMap((rule) => [rule.dataset, ...datasetsOfRule(rule, graph)])
  const masks = asked.flatMap(({ id }) => (masked.some(({ field }) => field.dataset === id) ? [id] : []))
  if (ruled.length === 0 && masks.length === 0) return rights
  const rows = [...new Set([...ruled, ...masks])].toSorted().map((id) => {
    const live = unrestricted.find(id)
    const { dataVersion = null, tableSet = null, columns = [] } = live ?? {}
    return { id, dataVersion, tableSet, columns }
  })
  if (ruled.length === 0) return { ...rights, rows }
  const groupings = groupingsIdentity({ measures: [], dimensions: [], filters: filtersOfRules(scope) }, views)
  return { ...rights, rows, edges: unrestricted.edges, groupings }
}

/** What sees the rows of the figures, where it is to be told by which rates they were converted. */
function besideOf({ conversion }: MoneyView): Pick<AggregateQuery, 'beside'> {
  const beside = conversion?.beside
  return beside ? { beside: (source, sides) => beside.watch(source, sides) } : {}
}

interface Execution extends AggregateExecution {
  naming: PlanNaming
}
type QueryFigures = Pick<
  QueryResult,
  'kind' | 'columns' | 'rows' | 'otherRow' | 'otherCells' | 'totals' | 'rowCount' | 'truncated'
>

/** The figures of an aggregate plan. */
function* aggregateFigures(given: Execution): QuerySteps<QueryFigures> {
  const execution = yield* withResolvedBins(given)
  const { naming, question } = execution
  const { plan } = question
  if (plan.measures.some(readsOutsideGroup)) return { kind: 'aggregate', ...(yield* windowedFigures(execution)) }
  const { groups, totals, rowCount, ...columns } = yield* execution.source.groups(execution.planContext, question)
  yield
  const shaped = shapeGroups(plan, columns, { naming, groups, totals })
  return { kind: 'aggregate', ...shaped, rowCount, truncated: (plan.offset ?? 0) + groups.length < rowCount }
}

function* recordsOf(
  { planContext, naming, question, source }: Execution,
  money: PlanContext['money'],
): QuerySteps<QueryFigures> {
  const { plan, period, facts } = question
  const { columns, rows, count } = yield* source.records(planContext, { home: facts.home, plan, period, money })
  const truncated = (plan.offset ?? 0) + rows.length < count
  const shown = rowColumns(columns, naming)
  return { kind: 'rows', columns: shown, rows, otherRow: null, totals: null, rowCount: count, truncated }
}

/**
 * What is told of a dataset beside the figures: how many rows it has and between which days they lie. Where rules of
 * access leave rows out, only of the others.
 */
function* restrictToScope(context: PlanContext, source: FigureSource, dataset: LiveDataset): QuerySteps<LiveDataset> {
  if (!context.scope.rowFilters.some((rule) => rule.dataset === dataset.id)) return dataset
  const dated = dataset.columns.filter((column) => TEMPORAL_TYPES.has(column.type) && !column.computed)
  const known = yield* source.visible(context, { dataset: dataset.id, columns: dated.map(({ key }) => key) })
  return { ...dataset, rowCount: known.count, bounds: { ...dataset.bounds, ...known.bounds } }
}
const TEMPORAL_TYPES: ReadonlySet<Column['type']> = new Set(['date', 'datetime'])

type QueryMetadata = Pick<QueryResult, 'period' | 'words' | 'datasets' | 'dataAsOf'>

function queryMetadata(
  { plan, calendar, now }: QueryRequest,
  at: { datasets: LiveDataset[]; period: AbsolutePeriod | null; naming: PlanNaming },
): QueryMetadata {
  const { datasets, period, naming } = at
  const dated = datasets.find(({ id }) => id === plan.period?.field.dataset)
  const used = datasets.map(({ id, name, dataVersion, rowCount, loadedAt, seenAt }) => ({
    id,
    name,
    dataVersion,
    rowCount,
    loadedAt: toIsoOrNull(seenAt === undefined ? loadedAt : now),
  }))
  const ages = used.flatMap(({ loadedAt }) => loadedAt ?? [])
  return {
    period: dated ? periodOf(dated, plan, { period, calendar }) : null,
    words: describePlan(plan, period, naming),
    datasets: used,
    dataAsOf: ages.toSorted()[0] ?? null,
  }
}

const labelledRange = (range: DayRange, data: DayRange | null): ResolvedPeriod => ({
  from: isoFromDay(range.from),
  to: isoFromDay(range.to),
  label: dayRangeLabel(range),
  ...(data && data.from > range.from && data.from <= range.to ? { dataFrom: isoFromDay(data.from) } : {}),
})

function periodOf(
  dataset: LiveDataset,
  plan: QueryPlan,
  { period, calendar }: { period: AbsolutePeriod | null; calendar: Calendar },
): QueryResult['period'] {
  if (!period || !plan.period) return null
  const { range: given } = plan.period
  const data = dataDays(dataset, plan.period.field.column)
  const bounded = given.kind === 'absolute' || given.span !== 'all'
  if (period.range && bounded)
    return {
      ...labelledRange(period.range, data),
      compare: period.compare && labelledRange(period.compare, data),
      ...currentState(period, { data, end: period.range.to }),
    }
  const today = dayFromIso(calendar.today) ?? 0
  const { from, to: last } = data ?? { from: today, to: today }
  const to = period.range ? Math.min(period.range.to, last) : last
  const end = startOfUnit(to, period.unit, calendar, 1) - 1
  return {
    ...labelledRange({ from, to }, data),
    label: 'All time',
    compare: null,
    ...currentState(period, { data, end }),
  }
}

/** Days of the first and the last row by this column; null without any. */
function dataDays(dataset: LiveDataset, key: Column['key']): DayRange | null {
  const column = dataset.columns.find((each) => each.key === key)
  const known = column?.computed ? computedDays(dataset, column.computed) : dataset.bounds[key]
  const { min, max } = known ?? { min: null, max: null }
  const unit = column?.type === 'date' ? 1 : DAY_MS
  return min === null || max === null ? null : { from: Math.floor(min / unit), to: Math.floor(max / unit) }
}

/**
 * Running only while today lies in it; all of time runs only where the data reach into the running unit. The data of a
 * past period may end before it does, and are told where units are counted back from their end.
 */
function currentState(
  { range, running, isAnchored }: AbsolutePeriod,
  { data, end }: { data: DayRange | null; end: number },
): { incomplete: boolean; runningFrom?: string; dataTo?: string } {
  const reached = range !== null || (data !== null && running !== null && data.to >= running)
  if (running !== null && reached) return { incomplete: true, runningFrom: isoFromDay(running) }
  const within = data !== null && (data.to < end || isAnchored) && data.to >= (range?.from ?? data.from)
  return { incomplete: false, ...(within ? { dataTo: isoFromDay(data.to) } : {}) }
}
