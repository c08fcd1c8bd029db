import { isAccountName } from '../account-classes'
import type { Column } from '../data-sources/data-sources'
import type { ColumnKey } from '../data-sources/files'
import { nameKey } from '../field-schemas'

/** A dataset of a source, as far as its place in a ledger shows. */
export interface LedgerDataset {
  id: string
  name: string
  columns: readonly Column[]
}

/** A column that entries can be told apart by besides accounts: cost centre, project. */
export interface LedgerDimension {
  key: ColumnKey
  label: string
  /** The column that says what its values are called. */
  name: ColumnKey | null
}

/** What an amount is read from: one column (debit +, credit −), or one of each side. */
export type AmountColumns = { amount: ColumnKey } | { debit: ColumnKey; credit: ColumnKey }

/** Columns that accounts, companies and fiscal years stand in; null where the table has none. */
interface BookColumns {
  dataset: string
  account: Column
  company: ColumnKey | null
  year: ColumnKey | null
}
export interface EntryTable extends BookColumns {
  date: Column
  amount: AmountColumns
  /** What tells one voucher from another, together. */
  voucher: ColumnKey[]
  /** What a voucher is called: series and number. */
  voucherName: ColumnKey[]
  text: ColumnKey | null
  accountName: ColumnKey | null
  dimensions: LedgerDimension[]
}
/** Amounts by account and month: period balances, budgets. `object`: empty where the whole account is meant. */
export interface PeriodTable extends BookColumns {
  month: ColumnKey
  amount: AmountColumns
  object: ColumnKey | null
}
/** Amounts by account and kind: opening (`IB`), closing (`UB`), result (`RES`). */
export interface BalanceTable extends BookColumns {
  kind: ColumnKey
  object: ColumnKey
  amount: ColumnKey
}

/** The tables of a source that statements are made of; at least one of them has figures. */
export interface LedgerTables {
  entries: EntryTable | null
  balances: BalanceTable | null
  periods: PeriodTable | null
  budget: PeriodTable | null
  accounts: { dataset: string; account: ColumnKey; name: ColumnKey; company: ColumnKey } | null
  companies: { dataset: string; company: ColumnKey; name: ColumnKey; currency: ColumnKey } | null
}

const VOUCHER_NAMES =
  /^(voucher|voucher (no|nr|number|id|key|series)|ver(ifikat(ion)?s?)?\.? ?(no|nr|nummer|serie)?|series|serie|journal (entry|no|number))$/
/** Never a balance: a general ledger has a running one (“Saldo”) beside debit and credit. */
const AMOUNT_NAMES = /^(amount|belopp|net amount|transaction amount|transaktionsbelopp)$/
const DEBIT_NAMES = /^(debit|debet|debit amount|debetbelopp)$/
const CREDIT_NAMES = /^(credit|kredit|credit amount|kreditbelopp)$/
const TEXT_NAMES =
  /^(text|description|beskrivning|transaction text|transaktionstext|verifikationstext|memo|note|anteckning)$/
const ACCOUNT_NAME_NAMES = /^(account name|kontonamn|kontobenämning|benämning)$/
const COMPANY_NAMES = /^(org_number|org number|organisationsnummer|company|företag|bolag)$/
const YEAR_NAMES = /^(fiscal_year|fiscal year|räkenskapsår)$/
const BUDGET_NAMES = /budget/i
/** Dimensions offered beside each other. */
const DIMENSIONS_MAX = 12

const isNumber = ({ type }: Column): boolean => type === 'number' || type === 'integer'
const isDate = ({ type }: Column): boolean => type === 'date' || type === 'datetime'

/** Looks a table's visible columns up by their names. */
function columnsOf({ columns }: LedgerDataset) {
  const visible = columns.filter(({ hidden }) => !hidden)
  const named = (names: RegExp, fits: (column: Column) => boolean = () => true): Column | undefined =>
    visible.find((column) => names.test(nameKey(column.label)) && fits(column))
  const labelled = (label: string): ColumnKey | null => visible.find((column) => column.label === label)?.key ?? null
  const account = visible.find(({ label, type }) => isAccountName(label) && (type === 'text' || type === 'integer'))
  return { visible, named, labelled, account }
}

function bookColumns(table: LedgerDataset): BookColumns | null {
  const { account, named } = columnsOf(table)
  if (!account) return null
  const isText = ({ type }: Column): boolean => type === 'text'
  return {
    dataset: table.id,
    account,
    company: named(COMPANY_NAMES, isText)?.key ?? null,
    year: named(YEAR_NAMES, isText)?.key ?? null,
  }
}

function amountColumns(table: LedgerDataset): AmountColumns | null {
  const { named } = columnsOf(table)
  const [debit, credit] = [named(DEBIT_NAMES, isNumber), named(CREDIT_NAMES, isNumber)]
  // Beside both sides, an amount may be without a sign.
  if (debit && credit) return { debit: debit.key, credit: credit.key }
  const amount = named(AMOUNT_NAMES, isNumber)
  return amount ? { amount: amount.key } : null
}

/** Postings: an account, a day, an amount and what names their voucher. A bank's statement has no voucher. */
function entryTable(table: LedgerDataset): EntryTable | null {
  const book = bookColumns(table)
  const amount = amountColumns(table)
  const { visible, named } = columnsOf(table)
  const date = visible.find((column) => isDate(column) && column.role === 'time') ?? visible.find(isDate)
  const vouchers = visible.filter(({ label }) => VOUCHER_NAMES.test(nameKey(label).replaceAll('_', ' ')))
  // Its number names a voucher within its series only.
  const number = vouchers.length > 0 ? named(/^(number|nummer|nr|no)$/) : undefined
  if (!book || !amount || !date || vouchers.length === 0) return null
  const voucherKey = vouchers.find(({ label }) => label === 'voucher_key')
  const nameParts = [...vouchers.filter((column) => column !== voucherKey), ...(number ? [number] : [])]
  const text = named(TEXT_NAMES)?.key ?? null
  const accountName = named(ACCOUNT_NAME_NAMES)?.key ?? null
  const taken = new Set<ColumnKey | null>([text, accountName, book.account.key, book.company, book.year])
  const isTaken = (column: Column): boolean =>
    taken.has(column.key) || vouchers.includes(column) || column === number || column.label === 'account_key'
  return {
    ...{ ...book, amount, date, text, accountName },
    // Numbers begin again each fiscal year.
    voucher: voucherKey ? [voucherKey.key] : [...nameParts.map(({ key }) => key), ...(book.year ? [book.year] : [])],
    voucherName: (nameParts.length > 0 ? nameParts : vouchers).map(({ key }) => key),
    dimensions: dimensionsOf(visible.filter((column) => !isTaken(column))),
  }
}

/** `dim_1` beside `dim_1_name`; of other ledgers every column of texts. */
function dimensionsOf(columns: readonly Column[]): LedgerDimension[] {
  const texts = columns.filter(({ type, role }) => type === 'text' && role === 'dimension')
  const names = new Map(texts.map(({ label, key }) => [label, key]))
  return texts
    .filter(({ label }) => !(label.endsWith('_name') && names.has(label.slice(0, -'_name'.length))))
    .map(({ key, label }) => ({ key, label: dimensionLabel(label), name: names.get(`${label}_name`) ?? null }))
    .slice(0, DIMENSIONS_MAX)
}

/** Dimensions 1 and 6 are reserved for these in the SIE format. */
const SIE_DIMENSIONS: Readonly<Record<string, string>> = { dim_1: 'Cost centre', dim_6: 'Project' }
const dimensionLabel = (label: string): string => SIE_DIMENSIONS[label] ?? label.replace(/^dim_(\S+)$/, 'Dimension $1')
/** What a column of a ledger's objects, or of their names, is called in sentences: `dim_1_name` → `Cost centre`. Others as they are. */
export const ledgerColumnName = (label: string): string =>
  /^dim_\d+(_name)?$/.test(label) ? dimensionLabel(label.replace(/_name$/, '')) : label

function periodTable(table: LedgerDataset): PeriodTable | null {
  const book = bookColumns(table)
  const amount = amountColumns(table)
  const { visible, labelled } = columnsOf(table)
  const month = visible.find(isDate)
  return book && amount && month ? { ...book, amount, month: month.key, object: labelled('object') } : null
}

function balanceTable(table: LedgerDataset): BalanceTable | null {
  const book = bookColumns(table)
  const { visible, labelled } = columnsOf(table)
  const [kind, object, amount] = [labelled('kind'), labelled('object'), labelled('amount')]
  return book?.company && book.year && kind && object && amount && !visible.some(isDate)
    ? { ...book, kind, object, amount }
    : null
}

function accountsTable(table: LedgerDataset): LedgerTables['accounts'] {
  const { labelled, account } = columnsOf(table)
  const [name, company, key] = [labelled('name'), labelled('org_number'), labelled('account_key')]
  return account && name && company && key ? { dataset: table.id, account: account.key, name, company } : null
}

function companiesTable(table: LedgerDataset): LedgerTables['companies'] {
  const { labelled } = columnsOf(table)
  const [company, name, currency] = [labelled('org_number'), labelled('name'), labelled('currency')]
  return company && name && currency && labelled('sie_type') ? { dataset: table.id, company, name, currency } : null
}

/** The ledger that a source's tables are, found by their columns; null for a source that holds none. */
export function findLedgerTables(datasets: readonly LedgerDataset[]): LedgerTables | null {
  const first = <T>(find: (table: LedgerDataset) => T | null, among = datasets): T | null => {
    for (const table of among) {
      const found = find(table)
      if (found) return found
    }
    return null
  }
  const isBudget = ({ name }: LedgerDataset): boolean => BUDGET_NAMES.test(name)
  const entries = first(
    entryTable,
    datasets.filter((table) => !isBudget(table)),
  )
  const others = datasets.filter(({ id }) => id !== entries?.dataset)
  const months = others.filter((table) => !isBudget(table) && columnsOf(table).labelled('account_key') !== null)
  const balances = first(balanceTable, others)
  const periods = first(periodTable, months)
  if (!entries && !balances && !periods) return null
  return {
    ...{ entries, balances, periods },
    budget: first(periodTable, others.filter(isBudget)),
    accounts: first(accountsTable, others),
    companies: first(companiesTable, others),
  }
}
