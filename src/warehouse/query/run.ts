import { compileAggregate } from './aggregate'
import type { Question } from './aggregate'
import { resultCache } from './cache'
import { checkPlan } from './check'
import type { Checked } from './check'
import type { QueryAsk, RunQuery } from './contract'
import { dayOfIso, isoOfDay, MS_PER_DAY } from './days'
import { executor } from './execute'
import type { Execute } from './execute'
import { graphOf } from './graph-of'
import { groupingNames, groupingsIdentity } from './grouped'
import { canonical, sha256 } from './hash'
import { moneyAsk, moneyView } from './money-view'
import type { MoneyAsk } from './money-view'
import { rangeLabel, resolvePeriod } from './period'
import type { DayRange, Resolved } from './period'
import { readRows } from './rows'
import { rowColumns, shapeAggregate } from './shape'
import { columnAt, refOf, sourceOf } from './source'
import type { World } from './source'
import { join, sql } from './sql'
import { windowedGroups } from './windowed'
import { hasWindow } from './windows'
import { worldOf } from './world'
import { namingOf, planWords, unitOf } from './words'
import type { Naming } from './words'
import { ProductError } from '../../shared/errors'
import type { QueryPlan } from '../../shared/query'
import type { QueryResult } from '../../shared/query-result'
import type { Column } from '../../shared/sources'
import type { LiveDataset } from '../physical'

/** Increase when the meaning of a plan changes: answers cached before are then asked again. */
const COMPILER_VERSION = 4

/** Answers a plan from the rows of one workspace. Refusals are values, as they cross RPC. */
export const runQuery: RunQuery = (ask) => {
  try {
    return { ok: true, value: answer(ask) }
  } catch (error) {
    if (error instanceof ProductError) return { ok: false, error: error.toRefusal() }
    throw error
  }
}

function answer(ask: QueryAsk): QueryResult {
  const { plan, calendar } = ask
  const graph = graphOf(ask.catalogue)
  const checked = checkPlan(plan, { find: (id) => ask.catalogue.find(id), graph })
  const period = resolvePeriod(plan, calendar)
  const datasets = checked.datasets.flatMap((id) => ask.catalogue.find(id) ?? [])
  const money = moneyAsk(ask, checked, (id) => ask.catalogue.find(id))
  const hash = hashOf(ask, { checked, datasets, period, money: money.identity })
  const cache = resultCache(ask.sql, ask.now)
  const known = cache.read(hash)
  if (known) return known
  const execute = executor(ask.sql)
  const [only, second] = checked.facts
  const naming: Naming = {
    ...namingOf(graph, second === undefined ? (only ?? checked.home) : null),
    grouping: (id) => groupingNames(ask.groupings?.(id)),
    unit: unitOf(plan),
  }
  const stored = worldOf(ask, { graph, period, execute })
  const view = moneyView(ask, money.uses, { world: stored, plan, period, execute })
  // Records lie as they are; what they come to stands beside.
  const world = { ...stored, money: plan.kind === 'rows' ? undefined : view.money }
  const means: Means = { world, execute, naming, question: { plan: view.plan, facts: checked, period } }
  const figures = plan.kind === 'rows' ? rowsOf(means, view.money) : (rolledGroups(ask, means) ?? groupsOf(means))
  const conversion = view.conversion()
  const seen = datasets.map((dataset) => asSeen(world, execute, dataset))
  const told = { ...about(ask, { datasets: seen, period, naming }), ...(conversion ? { conversion } : {}) }
  const result: QueryResult = { ...figures, ...told, hash, cached: false }
  cache.write(result)
  return result
}

/**
 * Identity of an answer: the plan with absolute days, the version of the rows, what the columns are called and how
 * they are shown, the relations it goes along, the calendar, and what the asker may see. Not who asks: equal rights
 * share answers.
 */
function hashOf(
  { plan, calendar, scope, catalogue, groupings: views }: QueryAsk,
  at: { checked: Checked; datasets: LiveDataset[]; period: Resolved | null; money: MoneyAsk['identity'] },
): string {
  const { timeZone, weekStart, fiscalYearStart } = calendar
  const rights = { datasets: scope.datasets, rowFilters: scope.rowFilters, hidden: scope.hidden }
  const data = at.datasets.map(({ id, name, dataVersion, columns, tableSet }) => ({
    id,
    name,
    dataVersion,
    tableSet,
    columns,
  }))
  const used = new Set(at.checked.relations)
  const edges = used.size === 0 ? [] : catalogue.edges.filter(({ id }) => used.has(id))
  const zone = { timeZone, weekStart, fiscalYearStart }
  const money = at.money ?? undefined
  const groupings = groupingsIdentity(plan, views)
  return sha256(
    canonical({ v: COMPILER_VERSION, plan, period: at.period, data, edges, zone, rights, money, groupings }),
  )
}

interface Means {
  world: World
  execute: Execute
  naming: Naming
  question: Question
}
type Figures = Pick<
  QueryResult,
  'kind' | 'columns' | 'rows' | 'otherRow' | 'otherCells' | 'totals' | 'rowCount' | 'truncated' | 'rolled'
>

/** The figures from what was made of the rows in the background, when that is exact and at hand. */
function rolledGroups({ rollup }: QueryAsk, means: Means): Figures | null {
  const { world, question } = means
  const [id] = question.facts.facts
  const dataset = id === undefined ? null : world.find(id)
  const rolled = dataset && (rollup?.(dataset, question) ?? null)
  if (!rolled) return null
  const find = (wanted: string): LiveDataset | null => (wanted === rolled.id ? rolled : world.find(wanted))
  return { ...groupsOf({ ...means, world: { ...world, find } }), rolled: true }
}

/** The figures of an aggregate plan, from the rows themselves. */
function groupsOf({ world, execute, naming, question }: Means): Figures {
  const { plan } = question
  if (plan.measures.some(hasWindow))
    return { kind: 'aggregate', ...windowedGroups({ world, execute, naming, question }) }
  const compiled = compileAggregate(world, question)
  const rows = execute(compiled.rows)
  const totals = compiled.totals ? (execute(compiled.totals)[0] ?? null) : null
  // Past the last page no row carries the count.
  const rowCount = Number(rows[0]?.[0] ?? (plan.offset ? execute(compiled.count)[0]?.[0] : 0) ?? 0)
  const shaped = shapeAggregate(plan, compiled, { naming, rows, totals })
  return { kind: 'aggregate', ...shaped, rowCount, truncated: (plan.offset ?? 0) + rows.length < rowCount }
}

function rowsOf({ world, execute, naming, question }: Means, money: World['money']): Figures {
  const { plan, period, facts } = question
  const { columns, rows, count } = readRows(world, { home: facts.home, plan, period, money }, execute)
  const truncated = (plan.offset ?? 0) + rows.length < count
  const shown = rowColumns(columns, naming)
  return { kind: 'rows', columns: shown, rows, otherRow: null, totals: null, rowCount: count, truncated }
}

/**
 * What is told of a dataset beside the figures: how many rows it has and between which days they lie. Where rules of
 * access leave rows out, only of the others.
 */
function asSeen(world: World, execute: Execute, dataset: LiveDataset): LiveDataset {
  if (!world.scope.rowFilters.some((rule) => rule.dataset === dataset.id)) return dataset
  const source = sourceOf(world, dataset.id)
  const dated = dataset.columns.filter((column) => IS_DATED.has(column.type) && !column.computed)
  const ends = dated.flatMap(({ key }) => {
    const ref = refOf(columnAt(source.root, key))
    return [sql`min(${ref})`, sql`max(${ref})`]
  })
  const [row] = execute(sql`SELECT ${join([sql`count(*)`, ...ends], ', ')} FROM ${world.from(source)}`)
  const at = (index: number): number | null => (typeof row?.[index] === 'number' ? row[index] : null)
  const bounds = Object.fromEntries(dated.map(({ key }, i) => [key, { min: at(1 + 2 * i), max: at(2 + 2 * i) }]))
  return { ...dataset, rowCount: at(0) ?? 0, bounds: { ...dataset.bounds, ...bounds } }
}
const IS_DATED: ReadonlySet<Column['type']> = new Set(['date', 'datetime'])

type About = Pick<QueryResult, 'period' | 'words' | 'datasets' | 'dataAsOf'>

function about(
  { plan, calendar }: QueryAsk,
  at: { datasets: LiveDataset[]; period: Resolved | null; naming: Naming },
): About {
  const { datasets, period, naming } = at
  const dated = datasets.find(({ id }) => id === plan.period?.field.dataset)
  const used = datasets.map(({ id, name, dataVersion, rowCount, loadedAt }) => ({
    id,
    name,
    dataVersion,
    rowCount,
    loadedAt: loadedAt === null ? null : new Date(loadedAt).toISOString(),
  }))
  const ages = used.flatMap(({ loadedAt }) => loadedAt ?? [])
  return {
    period: dated ? periodOf(dated, plan, { period, today: dayOfIso(calendar.today) ?? 0 }) : null,
    words: planWords(plan, period, naming),
    datasets: used,
    dataAsOf: ages.toSorted()[0] ?? null,
  }
}

const shown = (range: DayRange): { from: string; to: string; label: string } => ({
  from: isoOfDay(range.from),
  to: isoOfDay(range.to),
  label: rangeLabel(range),
})

function periodOf(
  dataset: LiveDataset,
  plan: QueryPlan,
  { period, today }: { period: Resolved | null; today: number },
): QueryResult['period'] {
  if (!period || !plan.period) return null
  const { range: given } = plan.period
  const { incomplete, compare } = period
  const bounded = given.kind === 'absolute' || given.span !== 'all'
  if (period.range && bounded) return { ...shown(period.range), compare: compare && shown(compare), incomplete }
  const column = dataset.columns.find(({ key }) => key === plan.period?.field.column)
  const { min, max } = dataset.bounds[plan.period.field.column] ?? { min: null, max: null }
  const unit = column?.type === 'date' ? 1 : MS_PER_DAY
  const from = min === null ? today : Math.floor(min / unit)
  const last = max === null ? today : Math.floor(max / unit)
  const to = period.range ? Math.min(period.range.to, last) : last
  return { ...shown({ from, to }), label: 'All time', compare: null, incomplete }
}
