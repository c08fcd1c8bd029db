import { accountConditions, type AccountRange } from '../../../shared/account-classes'
import { isExistsFilter, type Filter } from '../../../shared/query/plan'
import { type Field } from '../../../shared/query/field'
import type { CatalogueDataset } from '../../../warehouse/contract'

type BookkeepingTable = Pick<CatalogueDataset, 'id' | 'sourceId' | 'columns'>

/** The tables of books that say how much there is: what was there at the start of each fiscal year, and each posting. */
export interface BookkeepingTables {
  balances: BookkeepingTable
  entries: BookkeepingTable
}

const hasColumns = ({ columns }: BookkeepingTable, labels: readonly string[]): boolean =>
  labels.every((label) => columns.some((column) => column.label === label && !column.hidden))

const ENTRY_COLUMNS = ['voucher_key', 'org_number', 'date', 'account', 'amount']
const BALANCE_COLUMNS = ['org_number', 'fiscal_year', 'account', 'object', 'kind', 'amount']

/** The books that a dataset's rows are the postings of; null for other datasets, and where balances are not loaded. */
export function findBookkeepingTables(dataset: string, all: readonly BookkeepingTable[]): BookkeepingTables | null {
  const entries = all.find(({ id }) => id === dataset)
  if (!entries || !hasColumns(entries, ENTRY_COLUMNS)) return null
  const balances = all.find(
    (one) => one.sourceId === entries.sourceId && hasColumns(one, BALANCE_COLUMNS) && !hasColumns(one, ['date']),
  )
  return balances ? { balances, entries } : null
}

/** A column by the name that books give it. @throws Error for one that is not there: it was looked for before */
export function ledgerField({ id, columns }: BookkeepingTable, label: string): Field {
  const column = columns.find((one) => one.label === label)
  if (!column) throw new Error(`no column ${label}`)
  return { dataset: id, column: column.key }
}

/** Ranges that one filter holds. */
const FILTER_RANGES_MAX = 20
/** Cash, bank and giro accounts of the BAS chart. */
const DEFAULT_CASH_RANGE: AccountRange = { from: 1900, to: 1999, line: 'cash' }

/** Only accounts of cash and bank: those of the workspace's own ranges where it has any. */
export function cashAccountFilters(table: BookkeepingTable, own: readonly AccountRange[] | null): Filter[] {
  const any = accountConditions(['cash'], own ?? []).slice(0, FILTER_RANGES_MAX)
  return [
    {
      field: ledgerField(table, 'account'),
      any: any.length > 0 ? any : accountConditions(['cash'], [DEFAULT_CASH_RANGE]),
    },
  ]
}

/**
 * The filters of a figure of postings as those of whose balances: of its companies. Null when the figure is of something
 * narrower than a company (a cost centre), which balances of accounts know nothing of; accounts are left out.
 */
export function openingBalanceFilters(
  filters: readonly Filter[],
  { entries, balances }: BookkeepingTables,
): Filter[] | null {
  const [account, company] = [ledgerField(entries, 'account'), ledgerField(entries, 'org_number')]
  const kept: Filter[] = []
  for (const filter of filters) {
    if (isExistsFilter(filter) || filter.field.via || filter.grouping || filter.part) return null
    if (filter.field.dataset !== entries.id) return null
    if (filter.field.column === account.column) continue
    if (filter.field.column !== company.column) return null
    kept.push({ ...filter, field: ledgerField(balances, 'org_number') })
  }
  return kept
}

/** The first day of a fiscal year by its name: `2025`, `2024-07/2025-06`; null for other names. */
export function fiscalYearFirstDay(name: string): string | null {
  if (/^\d{4}$/.test(name)) return `${name}-01-01`
  return /^\d{4}-\d{2}\/\d{4}-\d{2}$/.test(name) ? `${name.slice(0, 7)}-01` : null
}

export interface YearOpening {
  company: string
  start: string
  amount: number
}
/** Of each company the newest year that has begun by a day. */
export function latestYearOpenings(years: readonly YearOpening[], day: string): YearOpening[] {
  const newest = new Map<string, YearOpening>()
  for (const year of years) {
    const known = newest.get(year.company)
    if (year.start <= day && (!known || known.start < year.start)) newest.set(year.company, year)
  }
  return [...newest.values()]
}
