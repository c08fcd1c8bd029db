import { env } from 'cloudflare:test'
import { labelsOf, openFile, recordsOf, type CollectedTable } from './open-file'
import { systemIds } from '../../src/deps'
import { sieReader } from '../../src/formats/sie/sie-reader'
import { createRowParser } from '../../src/formats/values/row-parser'
import { Scope } from '../../src/scope'
import type { StorageValue } from '../../src/lib/storage-value'
import { BAS_RANGES } from '../../src/shared/account-classes'
import type { Column } from '../../src/shared/data-sources/data-sources'
import type { Calendar } from '../../src/shared/dates'
import { findLedgerTables } from '../../src/shared/statements/ledger-tables'
import { statementQuerySchema, type Statement, type StatementQueryInput } from '../../src/shared/statements/statements'
import { readStatement } from '../../src/semantic/statements/statement'
import { warehouseClientFactory } from '../../src/warehouse/stub'
import { loadedDataset } from '../worker/loaded-dataset'

const CALENDAR: Calendar = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-03-15' }

/** Tables that no statement reads. */
const UNUSED_TABLES = new Set(['vouchers', 'dimensions', 'objects', 'fiscal_years'])

/** A table's rows as the warehouse keeps them. */
function typedTable(table: CollectedTable): { columns: Column[]; rows: StorageValue[][] } {
  const labels = labelsOf(table)
  const columns = table.hints.map(({ index, type = 'text', role = 'dimension', scale, format }): Column => ({
    ...{ key: `c${index}`, label: labels[index] ?? '', type, role, hidden: false, fileIndex: index },
    format: format ?? { style: 'plain' },
    ...(scale === undefined ? {} : { scale }),
  }))
  const parser = createRowParser(
    columns.map((column, index) => ({ column, file: { index, decimalMark: '.' as const, dateOrder: 'ymd' as const } })),
    { decimalMark: '.', dateOrder: 'ymd', fileWidth: columns.length },
  )
  const rows = table.rows.map((cells, at) => {
    const typed = parser.parse(
      cells.map((cell) => cell ?? ''),
      table.lines[at] ?? 0,
    )
    if (!typed.ok) throw new Error(`${table.name}: ${typed.reject.reason}`)
    return typed.values.map((value) => (Array.isArray(value) ? (value[0] ?? null) : value))
  })
  return { columns, rows }
}

export interface LoadedLedger {
  /** Rows of a table of the file, as text. */
  rows: (table: string) => Record<string, string | null>[]
  statement: (query: StatementQueryInput) => Promise<Statement>
}

/** A file of accounts alone has no statements. */
type LoadedFile = LoadedLedger | { rows: LoadedLedger['rows']; statement: null }

/** A SIE file in a warehouse of its own, with its statements. */
export async function loadedLedger(file: { name: string; bytes: Uint8Array }): Promise<LoadedFile> {
  const { tables } = await openFile(sieReader, file)
  const workspaceId = systemIds.next('workspace')
  const datasets = []
  for (const table of tables.filter(({ name }) => !UNUSED_TABLES.has(name))) {
    const { columns, rows } = typedTable(table)
    datasets.push({ id: await loadedDataset(workspaceId, rows, columns, table.name), name: table.name, columns })
  }
  const scope = Scope.forJob({ workspaceId, userId: systemIds.next('user'), epoch: '1.1' })
  const warehouse = warehouseClientFactory(env.WAREHOUSE)(scope)
  const ledger = findLedgerTables(datasets)
  const rowsOf = (name: string) => tables.filter((table) => table.name === name).flatMap(recordsOf)
  if (!ledger) return { rows: rowsOf, statement: null }
  const context = {
    ...{ tables: ledger, ranges: BAS_RANGES, calendar: CALENDAR, decimals: 2, currency: 'SEK', now: 0 },
    source: { id: 'src', name: file.name },
    ask: (plan: Parameters<typeof warehouse.query>[0]['plan']) => warehouse.query({ plan, calendar: CALENDAR }),
  }
  return {
    rows: rowsOf,
    statement: (query) => readStatement(context, statementQuerySchema.parse(query)),
  }
}
