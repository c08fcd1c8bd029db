import { importedColumns, toMappingInput, suggestTargets } from './column-mapping'
import { LEDGER_KEY_LABELS, ledgerKeyColumns } from './import-request'
import type { ImportTable } from './use-import-tables'
import { nameKey } from '../../../../src/shared/field-schemas'
import { LEDGER_TABLE_LABELS, type LedgerTable, type ColumnKey } from '../../../../src/shared/data-sources/files'
import type { CreateLoadInput, Dataset } from '../../../../src/shared/data-sources/data-sources'

export interface TablePlacement {
  table: ImportTable
  /** The books that are there and take these years; null: a new dataset. */
  home: Dataset | null
  /** The file holds some vouchers of a year and no balances (SIE 4I): they come beside those that are there. */
  vouchersOnly: boolean
  /** Years that the file has no transactions of take the place of years that have some. */
  replacesComparison?: boolean
}

/** Whether a file is a batch of vouchers for books that are kept elsewhere: all of its tables count, chosen or not. */
export function isVouchersOnly(tables: readonly ImportTable[], fileName: string): boolean {
  const ledgers = new Set(tables.flatMap((each) => (each.fileName === fileName ? [each.table.ledger] : [])))
  return ledgers.has('vouchers') && !ledgers.has('balances')
}

/** Whether rows belong to fiscal years, so that a year can take the place of the same year. */
export const isLedgerDataset = ({ columns }: Pick<Dataset, 'columns'>): boolean => ledgerKeyColumns(columns).byYear

export const datasetLedgerKeys = ({ columns }: Pick<Dataset, 'columns'>): ColumnKey[] =>
  ledgerKeyColumns(columns).keys.map(({ key }) => key)

const labelSet = (columns: readonly { label: string }[]): Set<string> => new Set(columns.map(({ label }) => label))

/** Tables with the same columns: only their names tell them apart. */
const AMBIGUOUS_TABLES: ReadonlySet<LedgerTable> = new Set(['period_balances', 'budgets'])

/** The dataset that holds this table of the books already: by its name, else by having all of its columns. */
export function findLedgerDataset(table: ImportTable, datasets: readonly Dataset[]): Dataset | null {
  const { ledger } = table.table
  if (ledger === undefined) return null
  const own = [ledger, LEDGER_TABLE_LABELS[ledger]].map(nameKey)
  const books = datasets.filter(
    ({ dataVersion, columns }) => dataVersion > 0 && columns.some(({ label }) => label === LEDGER_KEY_LABELS[0]),
  )
  const wanted = labelSet(table.found.columns.filter(({ include }) => include))
  const alike = (dataset: Dataset): boolean => {
    const held = labelSet(importedColumns(dataset))
    return held.size === wanted.size && [...wanted].every((label) => held.has(label))
  }
  return (
    books.find(({ name }) => own.includes(nameKey(name))) ??
    (AMBIGUOUS_TABLES.has(ledger) ? null : books.find(alike)) ??
    null
  )
}

/** How rows come into books that are there, and by which of their columns; null when those stay as they are. */
function loadModeFor(
  { table, vouchersOnly }: TablePlacement,
  home: Dataset,
): Pick<CreateLoadInput, 'mode' | 'keyColumns'> | null {
  const { ledger } = table.table
  const keyColumns = datasetLedgerKeys(home)
  if (!vouchersOnly) return { mode: isLedgerDataset(home) ? 'replacePart' : 'upsert', keyColumns }
  if (ledger === 'vouchers' || ledger === 'entries') return { mode: 'append' }
  // A batch names accounts badly, if at all: the books know them.
  return ledger === 'accounts' ? null : { mode: 'upsert', keyColumns }
}

/**
 * A load of the file into books that are there: its years take the place of the same years, and what has no year (a
 * company, a cost centre) that of the same number. Null while the table is not read, for a new dataset, and for what
 * stays as it is.
 */
export function toLedgerLoadInput(placement: TablePlacement): CreateLoadInput | null {
  const { table, home } = placement
  const { inspection, columns } = table.found
  if (!inspection || !home) return null
  const way = loadModeFor(placement, home)
  if (!way) return null
  const existing = importedColumns(home)
  const targets = suggestTargets(columns, existing)
  const where = toMappingInput({ mode: way.mode, targets, file: columns, existing })
  const { settings } = inspection
  const replaced = placement.replacesComparison === true ? { replaceComparison: true } : {}
  return { uploadId: table.id, settings, ...where, ...way, ...replaced }
}
