import type { ColumnVectors, RowSource } from '../column-vectors'
import { indexedSplit, timeSplit, type Split } from '../splits'
import { numbersOf, type Numbers } from '../vectors'
import { balanceColumns, daysOfBalances, OPENING_KIND, type BalanceColumns } from '../../query/money/balance-days'
import { timeKey } from '../../query/money/money-conversion'
import { dayFromIso } from '../../../shared/dates'
import type { QueryPlan } from '../../../shared/query/plan'

/**
 * The day whose rate counts: of the plan's period, else of the first time of the rows, else the day that a balance of the
 * books is of; today where there is none.
 */
export function rateDays(source: RowSource, plan: Pick<QueryPlan, 'period'>): Numbers {
  return timeOf(source, plan)?.days() ?? balanceDays(source) ?? todays(source)
}

/** Rows told apart by that day. */
export function rateDaySplit(source: RowSource, plan: Pick<QueryPlan, 'period'>): Split {
  const column = timeOf(source, plan)
  if (!column) return indexedSplit(balanceDays(source) ?? todays(source))
  const { planContext, table } = source
  return timeSplit({ column, rows: table.rows, grain: 'day', calendar: planContext.calendar, period: null })
}

function timeOf(source: RowSource, plan: Pick<QueryPlan, 'period'>): ColumnVectors | null {
  if (plan.period) return source.field(plan.period.field)
  const key = timeKey(source.dataset)
  return key === null ? null : source.along([], key, false)
}

const todayOf = ({ planContext }: RowSource): number => dayFromIso(planContext.calendar.today) ?? 0
function todays(source: RowSource): Numbers {
  const today = todayOf(source)
  return numbersOf(({ rows }, to) => void to.fill(today, 0, rows))
}

/** The days that balances of the books are of; null for other datasets. */
export function balanceDays(source: RowSource): Numbers | null {
  const keys = balanceColumns(source.dataset)
  return keys && daysByYear(source, keys)
}
function daysByYear(source: RowSource, keys: BalanceColumns): Numbers {
  const [year, kind] = [source.along([], keys.year, false), source.along([], keys.kind, false)]
  const today = todayOf(source)
  const known = [null, ...year.words()].map((word) => daysOfBalances(word, today))
  const opening = Float64Array.from(known, (days) => days.opening)
  const closing = Float64Array.from(known, (days) => days.closing)
  const openingKind = kind.words().indexOf(OPENING_KIND) + 1
  const [years, kinds] = [year.codes(), kind.codes()]
  return numbersOf((place, to) => {
    const [own, of] = [years(place), kinds(place)]
    for (let i = 0; i < place.rows; i += 1) {
      const days = openingKind !== 0 && of[i] === openingKind ? opening : closing
      to[i] = days[own[i] ?? 0] ?? today
    }
  })
}
