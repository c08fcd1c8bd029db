import { type ColumnSources } from '../column-table'
import { ExceedsBounds } from '../memory'
import type { RowSource } from '../column-vectors'
import { codeOfWord } from './currency-vectors'
import { exactNumber } from '../number-expressions'
import { rateDays } from './rate-days'
import type { VectorNumber } from '../vector-number'
import { numbersOf } from '../vectors'
import type { RatesByDay } from '../../rate-store'
import type { AppliedRates } from '../../query/query-context'
import { pow10 } from '../../query/expressions/decimal'
import type { QueryPlan } from '../../../shared/query/plan'
import type { Field } from '../../../shared/query/field'

/** What each row's amount is multiplied by: the rate of its currency on its day; nothing where there is none. */
export function rateNumber(
  source: RowSource,
  { field, applied, plan }: { field: Field; applied: AppliedRates; plan: QueryPlan },
  sources: Pick<ColumnSources, 'rates'>,
): VectorNumber {
  const { money, code, rates } = applied
  const one = pow10(rates.scale)
  const bound = rates.bound > one ? rates.bound : one
  const byCurrency = sources.rates(rates.n)
  const days = rateDays(source, plan)
  if ('code' in money) {
    const table = tableOf(byCurrency, money.code)
    const numbers = numbersOf((place, to) => ratesOfDays(to, days(place), table, place.rows))
    return exactNumber(numbers, rates.scale, bound)
  }
  const currency = source.field({ ...field, column: money.column })
  if (currency.column.type !== 'text') throw new ExceedsBounds()
  const codes = currency.codes()
  const tables = new Map([...byCurrency.keys()].map((each) => [each, tableOf(byCurrency, each)]))
  tables.set(code, { ...EMPTY, always: Number(one) })
  const byCode = [EMPTY, ...currency.words().map((word) => tables.get(codeOfWord(word)) ?? EMPTY)]
  const numbers = numbersOf((place, to) => {
    const own = days(place)
    const named = codes(place)
    for (let i = 0; i < place.rows; i += 1) to[i] = rateAt(byCode[named[i] ?? 0] ?? EMPTY, own[i] ?? Number.NaN)
  })
  return exactNumber(numbers, rates.scale, bound)
}

/** Rates of one currency: by day from the first on, or one for all days. */
interface RateTable {
  first: number
  rates: Float64Array
  always: number | null
}
const EMPTY: RateTable = { first: 0, rates: new Float64Array(0), always: null }

const rateAt = ({ first, rates, always }: RateTable, day: number): number => always ?? rates[day - first] ?? Number.NaN
function ratesOfDays(to: Float64Array, days: Float64Array, { first, rates }: RateTable, rows: number): void {
  for (let i = 0; i < rows; i += 1) to[i] = rates[(days[i] ?? Number.NaN) - first] ?? Number.NaN
}

function tableOf(byCurrency: RatesByDay, code: string): RateTable {
  const own = byCurrency.get(code)
  if (!own) return EMPTY
  let [first, last] = [Infinity, -Infinity]
  for (const day of own.keys()) {
    first = Math.min(first, day)
    last = Math.max(last, day)
  }
  const rates = new Float64Array(last - first + 1).fill(Number.NaN)
  for (const { day, n } of own.values()) rates[day - first] = n
  return { first, rates, always: null }
}
