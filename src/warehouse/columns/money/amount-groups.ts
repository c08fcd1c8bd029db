import { answered, longestChunk, type ColumnSources } from '../column-table'
import { currencySplit } from './currency-vectors'
import { AmountTally, type AmountGroup } from './amount-tally'
import { foldFact, periodRows, type FactRows } from '../folds/fact-folds'
import type { ArmRows } from '../side-rows'
import type { RowSource } from '../column-vectors'
import { prepareExists } from '../exists'
import { edgeOfNumbers } from '../folds/folds'
import { pacing } from '../pacing'
import { filtersMask } from '../predicates'
import { balanceDays } from './rate-days'
import { rowScans } from '../row-scan'
import { allOf, anyOf, type MaybeMask } from '../vectors'
import { numberOf } from '../../query/aggregates/amount'
import type { MoneyUse } from '../../query/money/money-columns'
import type { PlanContext } from '../../query/query-context'
import type { DayRange } from '../../query/time/resolve-period'
import type { QuerySteps } from '../../scheduling/query-scheduler'
import type { ColumnKey } from '../../../shared/data-sources/files'
import type { QueryPlan } from '../../../shared/query/plan'

/** Of adding an amount to its currency and day, in rows of a sum. */
const AMOUNT_WORK = 6

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
  planContext: PlanContext,
  request: AmountRequest,
  sources: ColumnSources,
): QuerySteps<AmountGroup[]> => answered(() => foldedAmounts(planContext, request, sources))

function* foldedAmounts(
  planContext: PlanContext,
  { use, plan, ranges, byDay }: AmountRequest,
  sources: ColumnSources,
): QuerySteps<AmountGroup[]> {
  const source = rowScans(planContext, sources)(use.fact)
  yield* prepareExists(source, plan.filters, 'filters')
  const tally = new AmountTally(source, { uses: [use], plan, byDay }, rowsOf(source, { use, plan, ranges }))
  const isDue = pacing()
  for (const [chunk, rows] of source.table.chunks.entries()) {
    tally.add({ chunk, rows })
    if (isDue(rows * AMOUNT_WORK)) yield
  }
  return tally.groups(0, use)
}

/** Rows of the scope and of the days asked about that any measure counts. */
function rowsOf(
  source: RowSource,
  { use: { filters }, plan, ranges }: Pick<AmountRequest, 'use' | 'plan' | 'ranges'>,
): ArmRows {
  const { period } = plan
  const passing = allOf([source.rule(), filtersMask(source, plan.filters, 'filters'), measuredRows(source, filters)])
  return rowsIn(period ? ranges.map((range) => periodRows(source, period.field, range)) : [], passing)
}

/** Those of the rows of any of these that pass; of all rows where there are none. */
export function rowsIn(sides: readonly ArmRows[], passing: MaybeMask): ArmRows {
  const masks = sides.flatMap(({ mask }) => mask ?? [])
  const any = masks.length > 0 && masks.length === sides.length ? anyOf(masks) : null
  return {
    mask: allOf([any, passing]),
    mayHold: (chunk) => sides.length === 0 || sides.some((side) => side.mayHold(chunk)),
  }
}

/** Rows that any measure counts. */
export function measuredRows(source: RowSource, filters: MoneyUse['filters']): MaybeMask {
  if (filters.some((each) => each.length === 0)) return null
  return anyOf(filters.flatMap((each) => filtersMask(source, each, 'measures') ?? []))
}

/** The currencies that a column names, in rows that the asker may see. */
export const currenciesNamed = (
  planContext: PlanContext,
  of: { dataset: string; column: ColumnKey; plan: QueryPlan },
  sources: ColumnSources,
): QuerySteps<(string | null)[]> =>
  answered(function* () {
    const { dataset, column, plan } = of
    const source = rowScans(planContext, sources)(dataset)
    const splits = [currencySplit(source, { dataset, column }, column)]
    const fresh = (): FactRows['source'] => rowScans(planContext, sources)(dataset)
    const fact = { source, sides: [{ mask: source.rule(), mayHold: () => true }], splits, fresh }
    const { keys, present } = yield* foldFact(fact, { question: { plan }, splits, leaves: [], totals: false })
    const groups = Array.from({ length: keys.size() - 1 }, (_, i) => i + 1)
    const codes = groups.filter((group) => present.has?.(group)).map((group) => keys.ordinalsOf(group)[0] ?? 0)
    return codes.map((ordinal) => splits[0]?.valueOf(ordinal)).map((code) => (typeof code === 'string' ? code : null))
  })

/** The first and the last day that balances of a dataset are of; empty for other datasets. */
export const balanceDaysIn = (
  planContext: PlanContext,
  dataset: string,
  sources: ColumnSources,
): QuerySteps<DayRange[]> =>
  answered(function* () {
    const source = rowScans(planContext, sources)(dataset)
    const days = balanceDays(source)
    if (!days) return []
    const rule = source.rule()
    const [first, last] = (['min', 'max'] as const).map((which) => edgeOfNumbers(days, which, (day) => day))
    const keys = new Int32Array(longestChunk(source.table))
    for (const [chunk, rows] of source.table.chunks.entries()) {
      keys.fill(1)
      if (rule) keys.set(rule({ chunk, rows }).subarray(0, rows))
      first?.add({ chunk, rows }, keys)
      last?.add({ chunk, rows }, keys)
      yield
    }
    const [from, to] = [first, last].map((edge) => numberOf(edge?.value(1) ?? null))
    return from !== null && from !== undefined && to !== null && to !== undefined ? [{ from, to }] : []
  })
