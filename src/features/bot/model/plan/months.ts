import { fieldOf, type Context } from './context'
import { monthNumber } from '../dates/date-words'
import type { ComparisonOperator } from '../../../../shared/query/functions'
import type { Expr } from '../../../../shared/query/expression'
import type { SchemaColumn } from '../schema/schema'

/** Rows that say a year and a month, each in a column of its own; `texts`: what their months are called, by number. */
interface MonthColumns {
  year: SchemaColumn
  month: SchemaColumn
  texts: ReadonlyMap<number, string> | null
}
function monthColumns({ home }: Context): MonthColumns | null {
  const year = home.columns.find(({ words, isNumeric }) => isNumeric && words.at(-1) === 'year')
  const month = home.columns.find(({ words, isDate }) => !isDate && words.at(-1) === 'month')
  if (!year || !month) return null
  if (month.isNumeric) return { year, month, texts: null }
  const texts = new Map<number, string>()
  for (const value of month.source.values ?? []) {
    const number = monthNumber(String(value).toLowerCase())
    if (number === null) return null
    texts.set(number, String(value))
  }
  return texts.size > 0 ? { year, month, texts } : null
}

const compared = (column: SchemaColumn, op: ComparisonOperator, value: number | string): Expr => ({
  kind: 'compare',
  op,
  left: { kind: 'field', field: fieldOf(column) },
  right: typeof value === 'number' ? { kind: 'number', value } : { kind: 'text', value },
})
const all = (items: Expr[]): Expr => ({ kind: 'function', fn: 'and', items })

/** Months of one year: those that rows have of it, by name or number. */
function monthsOf({ year, month, texts }: MonthColumns, of: number, from: number, to: number): Expr {
  const own = compared(year, 'eq', of)
  if (from === 1 && to === 12) return own
  if (!texts) return all([own, compared(month, 'ge', from), compared(month, 'le', to)])
  // Of many months those that are left out are fewer.
  const isMany = to - from >= 6
  const named = [...texts].flatMap(([number, text]) =>
    (number >= from && number <= to) === isMany ? [] : [compared(month, isMany ? 'ne' : 'eq', text)],
  )
  return named.length === 0
    ? own
    : all([own, ...(isMany ? named : [{ kind: 'function' as const, fn: 'or' as const, items: named }])])
}

const YEARS_MAX = 10
/**
 * Whole months from one day to another, as a condition of rows that say their year and month; null of other rows. A month
 * that had begun before the first day is not among them.
 */
export function monthsBetween(context: Context, { from, to }: { from: string; to: string }): Expr | null {
  const columns = monthColumns(context)
  const [begin, end] = [from, to].map((day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1)
  if (!columns || begin === undefined || end === undefined) return null
  const first = from.endsWith('-01') ? begin : begin + 1
  const years = Array.from(
    { length: Math.floor(end / 12) - Math.floor(first / 12) + 1 },
    (_, i) => Math.floor(first / 12) + i,
  )
  if (years.length === 0 || years.length > YEARS_MAX) return null
  const items = years.map((year) =>
    monthsOf(columns, year, Math.max(1, first - year * 12 + 1), Math.min(12, end - year * 12 + 1)),
  )
  return { kind: 'function', fn: 'or', items }
}
