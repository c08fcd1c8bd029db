import { compileAggregate } from './aggregate'
import { resultCache } from './cache'
import { checkPlan } from './check'
import type { QueryAsk, RunQuery } from './contract'
import { dayOfIso, isoOfDay, MS_PER_DAY } from './days'
import { canonical, sha256 } from './hash'
import { rangeLabel, resolvePeriod } from './period'
import type { DayRange, Resolved } from './period'
import { executor } from './execute'
import type { Execute } from './execute'
import { readRows } from './rows'
import { segmentsFor } from './segments'
import { rowColumns, shapeAggregate } from './shape'
import type { Source } from './source'
import { labelsOf, planWords } from './words'
import { ProductError } from '../../shared/errors'
import type { QueryPlan, QueryResult } from '../../shared/query'
import { physicalTables } from '../physical'
import type { LiveDataset } from '../physical'

/** Increase when the meaning of a plan changes: answers cached before are then asked again. */
const COMPILER_VERSION = 1

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
  const { plan, calendar, scope } = ask
  const dataset = checkPlan(plan, (id) => ask.catalogue.find(id))
  const period = resolvePeriod(plan, calendar)
  const hash = hashOf(ask, dataset, period)
  const cache = resultCache(ask.sql, ask.now)
  const known = cache.read(hash)
  if (known) return known
  const execute = executor(ask.sql)
  const physical = physicalTables(dataset)
  const segments = segmentsFor({ dataset, physical, calendar }, { plan, scope, period }, execute)
  const source: Source = { dataset, physical, calendar, segments, used: new Set(), walls: new Set() }
  const means = { period, execute }
  const figures = plan.kind === 'rows' ? rowsOf(source, ask, means) : groupsOf(source, ask, means)
  const result: QueryResult = { ...figures, ...about(dataset, { plan, period, calendar }), hash, cached: false }
  cache.write(result)
  return result
}

/**
 * Identity of an answer: the plan with absolute days, the version of the rows, what the columns are called and how
 * they are shown, the calendar, and what the asker may see. Not who asks: equal rights share answers.
 */
function hashOf({ plan, calendar, scope }: QueryAsk, dataset: LiveDataset, period: Resolved | null): string {
  const { timeZone, weekStart, fiscalYearStart } = calendar
  const rights = { datasets: scope.datasets, rowFilters: scope.rowFilters, hidden: scope.hidden }
  const { id, name, dataVersion, columns, tableSet } = dataset
  const data = { id, name, dataVersion, tableSet, columns }
  const zone = { timeZone, weekStart, fiscalYearStart }
  return sha256(canonical({ v: COMPILER_VERSION, plan, period, data, zone, rights }))
}

interface Means {
  period: Resolved | null
  execute: Execute
}
type Figures = Pick<
  QueryResult,
  'kind' | 'columns' | 'rows' | 'otherRow' | 'otherCells' | 'totals' | 'rowCount' | 'truncated'
>

function groupsOf(source: Source, { plan, scope }: QueryAsk, { period, execute }: Means): Figures {
  const compiled = compileAggregate(source, scope, { plan, period })
  const rows = execute(compiled.rows)
  const totals = compiled.totals ? (execute(compiled.totals)[0] ?? null) : null
  // Past the last page no row carries the count.
  const rowCount = Number(rows[0]?.[0] ?? (plan.offset ? execute(compiled.count)[0]?.[0] : 0) ?? 0)
  const shaped = shapeAggregate(plan, compiled, { columns: source.dataset.columns, rows, totals })
  return { kind: 'aggregate', ...shaped, rowCount, truncated: (plan.offset ?? 0) + rows.length < rowCount }
}

function rowsOf(source: Source, { plan, scope }: QueryAsk, { period, execute }: Means): Figures {
  const { columns, rows, count } = readRows(source, { scope, plan, period }, execute)
  const truncated = (plan.offset ?? 0) + rows.length < count
  return { kind: 'rows', columns: rowColumns(columns), rows, otherRow: null, totals: null, rowCount: count, truncated }
}

type About = Pick<QueryResult, 'period' | 'words' | 'datasets' | 'dataAsOf'>

function about(
  dataset: LiveDataset,
  at: { plan: QueryPlan; period: Resolved | null; calendar: QueryAsk['calendar'] },
): About {
  const { plan, period, calendar } = at
  const loadedAt = dataset.loadedAt === null ? null : new Date(dataset.loadedAt).toISOString()
  const { id, name, dataVersion, rowCount } = dataset
  return {
    period: periodOf(dataset, plan, { period, today: dayOfIso(calendar.today) ?? 0 }),
    words: planWords(plan, period, labelsOf(dataset.columns)),
    datasets: [{ id, name, dataVersion, rowCount, loadedAt }],
    dataAsOf: loadedAt,
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
