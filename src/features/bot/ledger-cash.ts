import { accountConditions, type AccountRange } from '../../shared/account-classes'
import type { DatasetProfile } from '../../shared/bot/values'
import type { Condition, Filter, Measure } from '../../shared/query/plan'
import type { AccountMeaning } from '../../shared/statements/ledger-figures'
import type { CatalogueDataset } from '../../warehouse/contract'

const ENTRY_LABELS = ['voucher_key', 'org_number', 'fiscal_year', 'date', 'account', 'amount']
const BALANCE_LABELS = ['org_number', 'fiscal_year', 'account', 'object', 'kind', 'amount']
/** Cash, bank and giro accounts of the BAS chart. */
const CASH: AccountRange = { from: 1900, to: 1999, line: 'cash' }
/** Conditions that one filter holds. */
const RANGES_MAX = 20

interface LedgerOf {
  datasets: readonly CatalogueDataset[]
  profiles: readonly DatasetProfile[]
  meaning: AccountMeaning
}
const seenColumns = ({ columns }: CatalogueDataset) => columns.filter(({ hidden, mask }) => !hidden && !mask)
const hasColumns = (table: CatalogueDataset, labels: readonly string[]): boolean =>
  labels.every((wanted) => seenColumns(table).some(({ label }) => label === wanted))

/**
 * Cash and bank in the books now: what the newest fiscal year began with, and what was posted in it. Null where the books
 * have no opening balances, or are of several companies, whose years differ.
 */
export function cashHeld(entries: CatalogueDataset, { datasets, profiles, meaning }: LedgerOf): Measure | null {
  const balances = datasets.find(
    (one) => one.sourceId === entries.sourceId && one.id !== entries.id && hasColumns(one, BALANCE_LABELS),
  )
  if (!balances || !hasColumns(entries, ENTRY_LABELS)) return null
  const told = profiles.find(({ dataset }) => dataset === entries.id)
  const valuesOf = (label: string): readonly unknown[] => {
    const key = entries.columns.find((column) => column.label === label)?.key
    return told?.columns.find((column) => column.key === key)?.values ?? []
  }
  const year = valuesOf('fiscal_year').map(String).toSorted().at(-1)
  const first = year === undefined ? null : firstDayOf(year)
  if (year === undefined || first === null || valuesOf('org_number').length > 1) return null
  const own = meaning.adjusted ? accountConditions(['cash'], [...meaning.ranges]).slice(0, RANGES_MAX) : []
  const accounts: Condition[] = own.length > 0 ? own : accountConditions(['cash'], [CASH])
  const sumOf = (table: CatalogueDataset, conditions: readonly (readonly [string, Condition[]])[]) => {
    const field = (label: string) => ({
      dataset: table.id,
      column: table.columns.find((column) => column.label === label)?.key ?? table.columns[0]?.key ?? ('c0' as const),
    })
    const filter: Filter[] = conditions.map(([label, any]) => ({ field: field(label), any }))
    return { kind: 'column' as const, agg: 'sum' as const, field: field('amount'), filter }
  }
  const opened = sumOf(balances, [
    ['account', accounts],
    ['fiscal_year', [{ op: 'eq', value: year }]],
    ['kind', [{ op: 'eq', value: 'IB' }]],
    ['object', [{ op: 'empty' }]],
  ])
  const posted = sumOf(entries, [
    ['account', accounts],
    ['date', [{ op: 'ge', value: first }]],
  ])
  return { kind: 'calc', op: 'add', left: opened, right: posted }
}

/** The first day of a fiscal year by its name: `2025`, `2024-07/2025-06`; null for other names. */
function firstDayOf(name: string): string | null {
  if (/^\d{4}$/.test(name)) return `${name}-01-01`
  return /^\d{4}-\d{2}\/\d{4}-\d{2}$/.test(name) ? `${name.slice(0, 7)}-01` : null
}
