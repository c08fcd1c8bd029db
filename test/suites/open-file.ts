import type { FormatReader, RecordBlock, TableSink, TableSpec } from '../../src/formats/contract'
import { CANONICAL_CSV } from '../../src/formats/csv/canonical-csv'
import { createCsvReader } from '../../src/formats/csv/csv-reader'
import type { ColumnHint, FileWarning } from '../../src/shared/data-sources/files'
import type { SuiteFile } from './suite'
import { memorySource } from '../worker/memory-source'

/** A table as a reader gave it: rows as text in the order they came, each with its line. */
export interface CollectedTable extends TableSpec {
  rows: (string | null)[][]
  lines: number[]
  hints: ColumnHint[]
  warnings: FileWarning[]
}

const STREAM_BYTES = 16 * 1024

/** Keeps whole tables. Rows are copied: a reader may use its array again. */
function collectingSink(restarts: boolean): TableSink & { tables: CollectedTable[] } {
  const tables: CollectedTable[] = []
  return {
    tables,
    table: (spec) => {
      const table: CollectedTable = { ...spec, rows: [], lines: [], hints: [], warnings: [] }
      tables.push(table)
      return {
        add: (cells, line) => {
          table.rows.push([...cells])
          table.lines.push(line)
        },
        addRecords: (block) => addRecords(table, block),
        describe: ({ hints, warnings, optional }) => {
          if (hints) table.hints = hints
          if (warnings) table.warnings.push(...warnings)
          if (optional !== undefined) table.optional = optional
        },
      }
    },
    flush: () => Promise.resolve(),
    ...(restarts ? { restart: () => Promise.resolve(void tables.splice(0)) } : {}),
  }
}

/** Reads whole records back, as a load does. An empty cell and one without text are the same there. */
function addRecords(table: CollectedTable, { bytes, rows, columns }: RecordBlock): void {
  const before = table.rows.length
  let widest = 0
  const reader = createCsvReader({
    settings: { ...CANONICAL_CSV, skipLines: 0, header: false },
    startByte: 0,
    startLine: 1,
    onRecord: (cells, line) => {
      table.rows.push(cells.map((cell) => (cell === '' ? null : cell)))
      table.lines.push(line)
      widest = Math.max(widest, cells.length)
    },
  })
  reader.push(bytes)
  reader.end()
  if (table.rows.length - before !== rows || widest > columns) throw new Error('A block is not what it says.')
}

/**
 * Opens a file with one reader and gives all that came out of it. `restarts`: whether the reader may let go of tables that it
 * began. @throws what the reader throws.
 */
export async function openFile(
  reader: FormatReader,
  file: SuiteFile,
  pieces = STREAM_BYTES,
  restarts = true,
): Promise<{ tables: CollectedTable[]; warnings: FileWarning[] }> {
  const sink = collectingSink(restarts)
  const { warnings } = await reader.open(memorySource(file.name, file.bytes, pieces), sink)
  return { tables: sink.tables, warnings }
}

/** Names of a table's columns: those of its hints, else its first row. */
export function labelsOf(table: CollectedTable): string[] {
  if (!table.hints.some(({ label }) => label !== undefined)) return (table.rows[0] ?? []).map((cell) => cell ?? '')
  const labels: string[] = []
  for (const { index, label } of table.hints) labels[index] = label ?? ''
  return labels
}

/** Rows as records by label: for a table with names in its hints. */
export function recordsOf(table: CollectedTable): Record<string, string | null>[] {
  const labels = labelsOf(table)
  return table.rows.map((row) => Object.fromEntries(labels.map((label, i) => [label, row[i] ?? null])))
}
