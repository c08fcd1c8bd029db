import { breakdownKey, type Breakdown } from './breakdowns'
import type { ColumnKey } from '../../shared/data-sources/files'
import type { Field } from '../../shared/query/field'
import { findLedgerTables } from '../../shared/statements/ledger-tables'
import type { CatalogueDataset } from '../../warehouse/contract'

/**
 * By what the entries of books are taken apart: accounts and dimensions, by their numbers and with their names. What only
 * files a voucher (its series, its number, its text) says nothing of a business. Null for a dataset that holds no entries.
 */
export function ledgerBreakdowns(home: CatalogueDataset, datasets: readonly CatalogueDataset[]): Breakdown[] | null {
  const own = datasets.filter(({ sourceId }) => sourceId === home.sourceId)
  const { entries, accounts } = findLedgerTables(own) ?? {}
  if (!entries || entries.dataset !== home.id) return null
  const here = (column: ColumnKey): Field => ({ dataset: home.id, column })
  const made = (label: string, column: ColumnKey, names: Breakdown['names'] | null): Breakdown => ({
    ...{ key: breakdownKey(here(column)), label, field: here(column) },
    ...(names ? { names } : {}),
  })
  const namedHere = (key: ColumnKey, name: ColumnKey | null): Breakdown['names'] | null =>
    name && { key: here(key), name: here(name) }
  const { account, accountName, dimensions } = entries
  const chart: Breakdown['names'] | null = accounts && {
    key: { dataset: accounts.dataset, column: accounts.account },
    name: { dataset: accounts.dataset, column: accounts.name },
  }
  return [
    { ...made(account.label, account.key, namedHere(account.key, accountName) ?? chart), isChart: true as const },
    ...dimensions.map(({ key, label, name }) => made(label, key, namedHere(key, name))),
  ].filter(({ field }) => isShown(home, field.column))
}

/** What is hidden is never told, and what a mask leaves of values says nothing of them. */
const isShown = ({ columns }: CatalogueDataset, key: string): boolean =>
  columns.some((column) => column.key === key && !column.hidden && !column.mask)
