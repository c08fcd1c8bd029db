import { CHUNK_ROWS } from '../chunk'
import { answered, type ColumnSources } from '../column-table'
import { currencySplit } from './currency-vectors'
import { foldFact, periodRows, type FactRows } from '../folds/fact-folds'
import { edgeOfNumbers } from '../folds/folds'
import { filtersMask } from '../predicates'
import { balanceDays, rateDaySplit } from './rate-days'
import { rowScans } from '../row-scan'
import { allOf, anyOf, type MaybeMask } from '../vectors'
import { numberOf, type Amount } from '../../query/aggregates/amount'
import type { MoneyUse } from '../../query/money/money-columns'
import type { PlanContext } from '../../query/query-context'
import type { DayRange } from '../../query/time/resolve-period'
import type { QuerySteps } from '../../scheduling/query-scheduler'
import type { ColumnKey } from '../../../shared/data-sources/files'
import type { AggregateMeasure, QueryPlan } from '../../../shared/query/plan'

/** Rows with an amount, of one currency and of one day, added up. */
export interface AmountGroup {
  /** Null: the row names none. */
  currency: string | null
  /** The day whose rate counts; null where the row has none, or where nobody asked for it. */
  day: number | null
  rows: number
  amount: Amount
}
/** Amounts as they lie, of rows that the plan asks about. */
export interface AmountRequest {
  use: MoneyUse
  plan: QueryPlan
  /** Days of the plan's period; those of any of these. Empty: all. */
  ranges: readonly DayRange[]
  byDay: boolean
}

/** What amounts come to by currency, or by currency and the day of their rate. */
export const amountGroups = (
  world: PlanContext,
  request: AmountRequest,
  sources: ColumnSources,
): QuerySteps<AmountGroup[]> => answered(() => foldedAmounts(world, request, sources))

function* foldedAmounts(
  world: PlanContext,
  { use, plan, ranges, byDay }: AmountRequest,
  sources: ColumnSources,
): QuerySteps<AmountGroup[]> {
  const source = rowScans(world, sources)(use.fact)
  const { field } = use
  const splits = [currencySplit(source, field, use.money), ...(byDay ? [rateDaySplit(source, plan)] : [])]
  const added: AggregateMeasure = { kind: 'column', agg: 'sum', field }
  const counted: AggregateMeasure = { kind: 'column', agg: 'count', field }
  const fresh = (): FactRows['source'] => rowScans(world, sources)(use.fact)
  const fact = { source, arms: [rowsOf(source, { use, plan, ranges })], splits, fresh }
  const folded = yield* foldFact(fact, { question: { plan }, splits, leaves: [added, counted], totals: false })
  const [sums, counts] = [added, counted].map((leaf) => folded.leaves.get(leaf)?.arms[0]?.groups)
  const found: AmountGroup[] = []
  for (let group = 1, size = folded.keys.size(); group < size; group += 1) {
    const rows = numberOf(counts?.value(group) ?? null) ?? 0
    if (rows === 0) continue
    const [code = null, day = null] = folded.keys.ordinalsOf(group).map((ordinal, i) => splits[i]?.valueOf(ordinal))
    found.push({
      currency: typeof code === 'string' ? code : null,
      day: typeof day === 'number' ? day : null,
      rows,
      amount: sums?.value(group) ?? null,
    })
  }
  return found
}

/** Rows of the scope and of the days asked about that any measure counts. */
function rowsOf(
  source: FactRows['source'],
  { use: { filters }, plan, ranges }: Pick<AmountRequest, 'use' | 'plan' | 'ranges'>,
): FactRows['arms'][number] {
  const { period } = plan
  const inside = period ? ranges.map((range) => periodRows(source, period.field, range)) : []
  const days = inside.flatMap(({ mask }) => mask ?? [])
  const mask = allOf([
    source.rule(),
    filtersMask(source, plan.filters, 'filters'),
    days.length > 0 ? anyOf(days) : null,
    passing(source, filters),
  ])
  return { mask, mayHold: (chunk) => inside.length === 0 || inside.some((each) => each.mayHold(chunk)) }
}
function passing(source: FactRows['source'], filters: MoneyUse['filters']): MaybeMask {
  if (filters.some((each) => each.length === 0)) return null
  return anyOf(filters.flatMap((each) => filtersMask(source, each, 'measures') ?? []))
}

/** The currencies that a column names, in rows that the asker may see. */
export const currenciesNamed = (
  world: PlanContext,
  of: { dataset: string; column: ColumnKey; plan: QueryPlan },
  sources: ColumnSources,
): QuerySteps<(string | null)[]> =>
  answered(function* () {
    const { dataset, column, plan } = of
    const source = rowScans(world, sources)(dataset)
    const splits = [currencySplit(source, { dataset, column }, { column })]
    const fresh = (): FactRows['source'] => rowScans(world, sources)(dataset)
    const fact = { source, arms: [{ mask: source.rule(), mayHold: () => true }], splits, fresh }
    const { keys, present } = yield* foldFact(fact, { question: { plan }, splits, leaves: [], totals: false })
    const groups = Array.from({ length: keys.size() - 1 }, (_, i) => i + 1)
    const codes = groups.filter((group) => present.has?.(group)).map((group) => keys.ordinalsOf(group)[0] ?? 0)
    return codes.map((ordinal) => splits[0]?.valueOf(ordinal)).map((code) => (typeof code === 'string' ? code : null))
  })

/** The first and the last day that balances of a dataset are of; empty for other datasets. */
export const balanceDaysIn = (world: PlanContext, dataset: string, sources: ColumnSources): QuerySteps<DayRange[]> =>
  answered(function* () {
    const source = rowScans(world, sources)(dataset)
    const days = balanceDays(source)
    if (!days) return []
    const rule = source.rule()
    const [first, last] = (['min', 'max'] as const).map((which) => edgeOfNumbers(days, which, (day) => day))
    const keys = new Int32Array(CHUNK_ROWS)
    for (const [chunk, rows] of source.table.chunks.entries()) {
      keys.fill(1)
      if (rule) keys.set(rule({ chunk, rows }))
      first?.add({ chunk, rows }, keys)
      last?.add({ chunk, rows }, keys)
      yield
    }
    const [from, to] = [first, last].map((edge) => numberOf(edge?.value(1) ?? null))
    return from !== null && from !== undefined && to !== null && to !== undefined ? [{ from, to }] : []
  })
