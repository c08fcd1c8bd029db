import { columnKeySchema, type ColumnKey } from '../../../src/shared/data-sources/files'
import type { Field } from '../../../src/shared/query/field'
import type { Filter, QueryPlan } from '../../../src/shared/query/plan'
import type { Cell } from '../../../src/shared/query/result'
import {
  NO_OBJECT,
  type EntryFields,
  type MonthSpan,
  type Statement,
  type StatementYear,
} from '../../../src/shared/statements/statements'

/** Which entries are meant: of a company and months, perhaps of one object of a dimension. */
export interface EntryScope {
  entries: EntryFields
  company: string | null
  /** The fiscal year whose whole is meant, by its name; null: the months of the span. */
  year: string | null
  span: MonthSpan
  /** Fiscal years of the books: numbers of vouchers begin again in each. */
  years: readonly StatementYear[]
  dimension: { key: ColumnKey; object: string } | null
}

const keyOf = (text: string): ColumnKey => columnKeySchema.parse(text)

/** The entries behind a column: of a whole fiscal year its own, wherever their days lie. */
export function entryScope(
  { entries, company, years, columns }: Pick<Statement, 'entries' | 'company' | 'years' | 'columns'>,
  { column, fromYearStart, dimension }: { column: number; fromYearStart: boolean; dimension: EntryScope['dimension'] },
): EntryScope | null {
  const shown = columns[column]
  if (!entries || !shown) return null
  const year = years.find(({ start, end }) => start.slice(0, 7) <= shown.span.to && shown.span.to <= end.slice(0, 7))
  // A balance of the end of a month is what moved since the fiscal year began, upon what it began with.
  const from = fromYearStart && year ? year.start.slice(0, 7) : shown.span.from
  const isWhole = year !== undefined && from === year.start.slice(0, 7) && shown.span.to === year.end.slice(0, 7)
  return {
    ...{ entries, company: company.id, years, span: { from, to: shown.span.to } },
    dimension,
    year: isWhole && entries.year !== null ? year.name : null,
  }
}

const lastDayOf = (month: string): string => {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return `${month}-${String(new Date(Date.UTC(year, number, 0)).getUTCDate()).padStart(2, '0')}`
}

function scopeFilters({ entries, company, year, dimension }: EntryScope): Filter[] {
  const field = (column: string): Field => ({ dataset: entries.dataset, column: keyOf(column) })
  const isValue = (column: string, value: string | null): Filter => ({
    field: field(column),
    any: [value === null || value === '' ? { op: 'empty' } : { op: 'eq', value }],
  })
  const object = dimension?.object === NO_OBJECT ? '' : dimension?.object
  return [
    ...(entries.company === null ? [] : [isValue(entries.company, company)]),
    ...(entries.year === null || year === null ? [] : [isValue(entries.year, year)]),
    ...(dimension && object !== undefined ? [isValue(dimension.key, object)] : []),
  ]
}

/** Columns of a list of entries: where each figure stands in a row. */
export interface EntryColumns {
  date: number
  account: number
  text: number | null
  amounts: number[]
  name: number[]
  voucher: number[]
}
function entryColumns(entries: EntryFields): { columns: Field[]; at: EntryColumns } {
  const amounts = 'amount' in entries.amount ? [entries.amount.amount] : [entries.amount.debit, entries.amount.credit]
  const keys = [...new Set([entries.date, entries.account, ...entries.voucherName, ...entries.voucher, ...amounts])]
  const all = entries.text === null ? keys : [...keys, entries.text]
  const at = (key: string): number => all.indexOf(key)
  return {
    columns: all.map((key) => ({ dataset: entries.dataset, column: keyOf(key) })),
    at: {
      ...{
        date: at(entries.date),
        account: at(entries.account),
        text: entries.text === null ? null : at(entries.text),
      },
      ...{ amounts: amounts.map(at), name: entries.voucherName.map(at), voucher: entries.voucher.map(at) },
    },
  }
}

const rowsPlan = (entries: EntryFields, filters: Filter[], columns: Field[], at: EntryColumns): QueryPlan => ({
  ...{ v: 3, kind: 'rows', dataset: entries.dataset, measures: [], dimensions: [], filters, columns },
  sort: [{ by: { column: at.date }, dir: 'asc' }],
})

/** The entries of an account behind a figure. */
export function accountEntriesPlan(scope: EntryScope, account: string): { plan: QueryPlan; at: EntryColumns } {
  const { entries, span, year } = scope
  const { columns, at } = entryColumns(entries)
  const field: Field = { dataset: entries.dataset, column: keyOf(entries.account) }
  const value = entries.accountIsText ? account : Number(account)
  const own: Filter = { field, any: [account === '' ? { op: 'empty' } : { op: 'eq', value }] }
  const plan = rowsPlan(entries, [own, ...scopeFilters(scope)], columns, at)
  const days = { from: `${span.from}-01`, to: lastDayOf(span.to) }
  return { plan: year === null ? { ...plan, period: periodOf(entries, days) } : plan, at }
}

const periodOf = (entries: EntryFields, days: { from: string; to: string }): NonNullable<QueryPlan['period']> => ({
  field: { dataset: entries.dataset, column: keyOf(entries.date) },
  range: { kind: 'absolute', ...days },
  ...{ compare: 'none', completeOnly: false },
})

/** All entries of the voucher that an entry belongs to. */
export function voucherPlan(scope: EntryScope, entry: readonly Cell[]): { plan: QueryPlan; at: EntryColumns } {
  const { entries } = scope
  const { columns, at } = entryColumns(entries)
  const own = entries.voucher.map((key, index): Filter => {
    const value = entry[at.voucher[index] ?? -1] ?? null
    const field: Field = { dataset: entries.dataset, column: keyOf(key) }
    return { field, any: [value === null ? { op: 'empty' } : { op: 'eq', value }] }
  })
  const plan = rowsPlan(entries, [...own, ...scopeFilters({ ...scope, dimension: null })], columns, at)
  const day = String(entry[at.date] ?? '').slice(0, 10)
  const year = entries.year === null ? scope.years.find(({ start, end }) => start <= day && day <= end) : undefined
  return { plan: year ? { ...plan, period: periodOf(entries, { from: year.start, to: year.end }) } : plan, at }
}

/** Series and number: `A 12`. */
export const voucherName = (entry: readonly Cell[], { name }: EntryColumns): string =>
  name
    .flatMap((column) => entry[column] ?? [])
    .map(String)
    .join(' ')

/** An entry's amount as text, debit positive. */
export function entryAmount(entry: readonly Cell[], { amounts }: EntryColumns): string | null {
  const [amount, credit] = amounts.map((column) => entry[column] ?? null)
  // Programs write 0 on the side that is not meant.
  const isMissing = (cell: Cell | undefined): boolean => cell == null || Number(cell) === 0
  if (isMissing(credit)) return amount == null ? null : String(amount)
  if (!isMissing(amount)) return (Number(amount) - Number(credit)).toFixed(4)
  const text = String(credit)
  return text.startsWith('-') ? text.slice(1) : `-${text}`
}
