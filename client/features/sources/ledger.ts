import { tableRowCount, fileWarningsOf } from './table-facts'
import type { ImportTable } from './use-tables'
import { NAME_MAX_CHARS } from '../../../src/shared/limits'
import type { FileWarning, LedgerTable } from '../../../src/shared/files'

/** What a bookkeeping file holds, as a person would say it. */
export interface LedgerFile {
  fileName: string
  companies: { name: string; number: string }[]
  /** ISO dates, oldest first. */
  years: { start: string; end: string }[]
  counts: { table: LedgerTable; rows: number }[]
  /** Vouchers and years that do not add up, each with its line. */
  unbalanced: FileWarning[]
  /** True while the company and its years are still being read. */
  reading: boolean
}

const COUNTED_TABLES: readonly LedgerTable[] = [
  'accounts',
  'vouchers',
  'entries',
  'balances',
  'period_balances',
  'budgets',
]
/** Something that does not add up, told in the summary of the books. */
export const isBalanceWarning = ({ code }: FileWarning): boolean =>
  code === 'unbalanced_voucher' || code === 'unbalanced_year'

/** Shown values of some columns, by their names; '' where the file says nothing. */
function columnValues(table: ImportTable | undefined, labels: readonly string[]): string[][] {
  const inspection = table?.found.inspection
  if (!inspection) return []
  const at = labels.map((label) => inspection.columns.findIndex((column) => column.label === label))
  return inspection.typedPreview.map((row) =>
    at.map((index) => {
      const cell = row[index]
      return typeof cell === 'string' || typeof cell === 'number' ? String(cell) : ''
    }),
  )
}

function toLedgerFile(fileName: string, tables: readonly ImportTable[]): LedgerFile {
  const of = (kind: LedgerTable) => tables.find(({ table }) => table.ledger === kind)
  const companies = of('companies')
  const years = of('fiscal_years')
  return {
    fileName,
    companies: columnValues(companies, ['name', 'org_number']).map(([name = '', number = '']) => ({ name, number })),
    years: columnValues(years, ['start', 'end'])
      .map(([start = '', end = '']) => ({ start, end }))
      .toSorted((a, b) => a.start.localeCompare(b.start)),
    counts: COUNTED_TABLES.flatMap((kind) => {
      const table = of(kind)
      const rows = table ? tableRowCount(table).count : 0
      return rows > 0 ? [{ table: kind, rows }] : []
    }),
    unbalanced: fileWarningsOf(tables).filter(isBalanceWarning),
    reading: [companies, years].some((table) => table !== undefined && table.found.inspection === null),
  }
}

/** The bookkeeping files among the tables. */
export function toLedgerFiles(tables: readonly ImportTable[]): LedgerFile[] {
  const own = tables.filter(({ table }) => table.ledger !== undefined)
  const names = [...new Set(own.map(({ fileName }) => fileName))]
  return names.map((name) =>
    toLedgerFile(
      name,
      own.filter(({ fileName }) => fileName === name),
    ),
  )
}

/** Whose books the files are, when they hold nothing else: the best name for a source. */
export function soleCompanyName(tables: readonly ImportTable[]): string | null {
  if (!tables.every(({ table }) => table.ledger !== undefined)) return null
  const names = new Set(toLedgerFiles(tables).flatMap(({ companies }) => companies.map(({ name }) => name.trim())))
  const [only = ''] = names
  return names.size === 1 && only !== '' ? only.slice(0, NAME_MAX_CHARS) : null
}
