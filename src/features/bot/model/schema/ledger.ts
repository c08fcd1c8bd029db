import type { Expr } from '../../../../shared/query/expression'
import type { AggregateMeasure } from '../../../../shared/query/plan'
import type { SchemaColumn, SchemaDataset } from './schema'

const ACCOUNT = /^(?:konto|kontonr|kontonummer|konto nr|account|account (?:no|nr|number|code))$/
const VOUCHER = /^(?:verifikat\p{L}*|verifikation\p{L}*|ver|ver ?nr|voucher\p{L}*|journal\p{L}*|posting\p{L}*)$/u
const BOOKS = /^(?:bokforing\p{L}*|huvudbok\p{L}*|ledgers?|verifikat\p{L}*|verifikation\p{L}*|vouchers?|journals?)$/u
const DEBIT = /^(?:debet|debit)$/
const CREDIT = /^(?:kredit|credit)$/
const AMOUNT = /^(?:belopp|amount|summa|saldo|total belopp)$/

const isCalled = (name: RegExp, { words }: SchemaColumn): boolean =>
  name.test(words.join(' ')) || words.some((word) => name.test(word))
const numeric = ({ columns }: SchemaDataset, name: RegExp): SchemaColumn | undefined =>
  columns.find((column) => column.isNumeric && !column.isKey && isCalled(name, column))
const accountOf = ({ columns }: SchemaDataset): SchemaColumn | undefined =>
  columns.find(({ words }) => ACCOUNT.test(words.join(' ')))

/** Whether rows are postings of books: an account, a day, and either vouchers, or debit and credit. */
export function isLedger(table: SchemaDataset): boolean {
  const isBooked =
    table.words.some((word) => BOOKS.test(word)) ||
    table.columns.some((column) => isCalled(VOUCHER, column)) ||
    (numeric(table, DEBIT) !== undefined && numeric(table, CREDIT) !== undefined)
  return isBooked && accountOf(table) !== undefined && table.columns.some(({ isDate }) => isDate)
}

const valueOf = ({ dataset, key }: SchemaColumn): Expr => ({ kind: 'field', field: { dataset, column: key } })
/** What a posting adds to what was spent: its amount, or debit less credit. What was earned is the other way round. */
function postedIn(table: SchemaDataset, isEarned: boolean): Expr | null {
  const [debit, credit, amount] = [numeric(table, DEBIT), numeric(table, CREDIT), numeric(table, AMOUNT)]
  const [more, less] = debit && credit ? [valueOf(debit), valueOf(credit)] : [amount && valueOf(amount), null]
  if (!more) return null
  if (!isEarned) return less ? { kind: 'binary', op: 'subtract', left: more, right: less } : more
  return { kind: 'binary', op: 'subtract', left: less ?? { kind: 'number', value: 0 }, right: more }
}
/** Sum of what was posted; what was earned stands in credit, or below nothing. */
export function postedSum(table: SchemaDataset, isEarned: boolean): AggregateMeasure | null {
  const row = postedIn(table, isEarned)
  if (!row) return null
  return row.kind === 'field'
    ? { kind: 'column', agg: 'sum', field: row.field }
    : { kind: 'expression', agg: 'sum', row }
}

/** Tables of a ledger that was read from a file of books: entries, vouchers, balances, accounts and what they are of. */
export const isOfBooks = ({ columns }: SchemaDataset): boolean => {
  const headings = new Set(columns.map(({ source }) => source.label))
  return (
    headings.has('account_key') || headings.has('voucher_key') || (headings.has('org_number') && columns.length <= 8)
  )
}
