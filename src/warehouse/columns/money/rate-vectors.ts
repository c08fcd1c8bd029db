import { type ColumnSources } from '../column-table'
import { ExceedsBounds } from '../memory'
import type { RowSource } from '../column-vectors'
import { codeOfWord } from './currency-vectors'
import { exactNumber } from '../number-expressions'
import { rateDays } from './rate-days'
import type { VectorNumber } from '../vector-number'
import { numbersOf } from '../vectors'
import type { RateOfDay } from '../../rate-store'
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
    const table = tableOf(byCurrency.get(money.code))
    const numbers = numbersOf((place, to) => fillRates(to, table, days(place), place.rows))
    return exactNumber(numbers, rates.scale, bound)
  }
  const currency = source.currency(field, money.column)
  if (currency.column.type !== 'text') throw new ExceedsBounds()
  const codes = currency.codes()
  const tables = new Map([...byCurrency].map(([each, own]) => [each, tableOf(own)]))
  tables.set(code, { first: 0, rates: new Float64Array(2).fill(Number(one)) })
  const none = tableOf(undefined)
  const byCode = [none, ...currency.words().map((word) => tables.get(codeOfWord(word)) ?? none)]
  const numbers = numbersOf((place, to) => {
    const own = days(place)
    const named = codes(place)
    for (let i = 0; i < place.rows; i += 1) to[i] = rateAt(byCode[named[i] ?? 0] ?? none, own[i] ?? Number.NaN)
  })
  return exactNumber(numbers, rates.scale, bound)
}

/** Rates of one currency from a day on, between two that stand for all days without one. Two alike: the one of all days. */
interface RateTable {
  first: number
  rates: Float64Array
}

function fillRates(to: Float64Array, { first, rates }: RateTable, days: Float64Array, rows: number): void {
  const last = rates.length - 1
  for (let i = 0; i < rows; i += 1) {
    // As below.
    const at = ((days[i] ?? Number.NaN) - first + 1) | 0
    to[i] = rates[at < 0 ? 0 : at > last ? last : at] ?? Number.NaN
  }
}
function rateAt({ first, rates }: RateTable, day: number): number {
  // Of a row without a day it is NaN, which is 0 as a place.
  const [at, last] = [(day - first + 1) | 0, rates.length - 1]
  return rates[at < 0 ? 0 : at > last ? last : at] ?? Number.NaN
}
/** Tables of rates that are kept between questions: the rates of a set never change. */
const known = new WeakMap<ReadonlyMap<number, RateOfDay>, RateTable>()

function tableOf(days: ReadonlyMap<number, RateOfDay> | undefined): RateTable {
  if (!days) return { first: 0, rates: new Float64Array(2).fill(Number.NaN) }
  const table = known.get(days) ?? madeTable(days)
  known.set(days, table)
  return table
}
function madeTable(days: ReadonlyMap<number, RateOfDay>): RateTable {
  let [first, last] = [Infinity, -Infinity]
  for (const day of days.keys()) {
    first = Math.min(first, day)
    last = Math.max(last, day)
  }
  const rates = new Float64Array(last - first + 3).fill(Number.NaN)
  for (const { day, n } of days.values()) rates[day - first + 1] = n
  return { first, rates }
}
