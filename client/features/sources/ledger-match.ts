import { filledColumns, mappingOf, proposeTargets } from './mapping'
import { LEDGER_PART, ledgerKeys } from './table-facts'
import { LEDGER_WORDS } from './table-names'
import type { ImportTable } from './use-tables'
import { nameKey } from '../../../src/shared/names'
import type { LedgerTable } from '../../../src/shared/files'
import type { ColumnKey, CreateLoadInput, Dataset } from '../../../src/shared/sources'

export interface Placed {
  table: ImportTable
  /** The books that are there and take these years; null: a new dataset. */
  home: Dataset | null
}

/** Whether rows belong to fiscal years, so that a year can take the place of the same year. */
export const isLedger = ({ columns }: Pick<Dataset, 'columns'>): boolean => ledgerKeys(columns).byYear

export const ledgerKeysOf = ({ columns }: Pick<Dataset, 'columns'>): ColumnKey[] =>
  ledgerKeys(columns).keys.map(({ key }) => key)

const labels = (columns: readonly { label: string }[]): Set<string> => new Set(columns.map(({ label }) => label))

/** Tables with the same columns: only their names tell them apart. */
const TWINS: ReadonlySet<LedgerTable> = new Set(['period_balances', 'budgets'])

/** The dataset that holds this table of the books already: by its name, else by having all of its columns. */
export function ledgerHome(table: ImportTable, datasets: readonly Dataset[]): Dataset | null {
  const { ledger } = table.table
  if (ledger === undefined) return null
  const own = [ledger, LEDGER_WORDS[ledger]].map(nameKey)
  const books = datasets.filter(
    ({ dataVersion, columns }) => dataVersion > 0 && columns.some(({ label }) => label === LEDGER_PART[0]),
  )
  const wanted = labels(table.found.columns.filter(({ include }) => include))
  const alike = (dataset: Dataset): boolean => {
    const held = labels(filledColumns(dataset))
    return held.size === wanted.size && [...wanted].every((label) => held.has(label))
  }
  return books.find(({ name }) => own.includes(nameKey(name))) ?? (TWINS.has(ledger) ? null : books.find(alike)) ?? null
}

/**
 * A load of the file into books that are there: its years take the place of the same years, and what has no year (a
 * company, a cost centre) that of the same number. Null while the table is not read.
 */
export function yearsInto(table: ImportTable, dataset: Dataset): CreateLoadInput | null {
  const { inspection, columns } = table.found
  if (!inspection) return null
  const mode = isLedger(dataset) ? 'replacePart' : 'upsert'
  const existing = filledColumns(dataset)
  const targets = proposeTargets(columns, existing)
  const where = mappingOf({ mode, targets, file: columns, existing })
  const { settings } = inspection
  return { uploadId: table.id, mode, settings, ...where, keyColumns: ledgerKeysOf(dataset) }
}
