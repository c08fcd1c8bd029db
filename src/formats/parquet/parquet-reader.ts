import type { ProductError } from '../../shared/errors'
import type { ColumnHint, FileWarning } from '../../shared/data-sources/files'
import { DATASET_MAX_COLUMNS, HEADER_MAX_CHARS, NAME_MAX_CHARS } from '../../shared/limits'
import type { ByteSource, ExtractTables, TableSink, FormatReader } from '../contract'
import { layoutTables, NestedTableWriter } from '../nested/nested-table-writer'
import { InferredTable } from '../nested/infer-tables'
import type { NestedValue } from '../nested/nested-value'
import { inflationBudget, type InflationBudget } from '../inflation-budget'
import { ColumnCursor } from './column-cursor'
import { bytesFormatter, ColumnTypeTracker, valueFormatterFor, type ValueFormatter } from './value-formatter'
import { parquetDamagedError, parquetUnsafeError, parquetTooManyColumnsError } from './parquet-errors'
import { readParquetMetadata, type ParquetMetadata, type SchemaNode } from './parquet-metadata'
import { RowAssembler } from './row-assembler'

const BATCH_ROWS = 2048
/** Pages at hand at once, over all columns: half of what a Worker has, for their texts take room as well. */
const BUFFERED_MAX_BYTES = 64 * 1024 * 1024

/** Told of rows when they are ready in all columns: it takes exactly `count` from each. */
type OnRowBatch = (cursors: ColumnCursor[], rows: { count: number; first: number }) => Promise<void>

interface OpenParquetFile {
  source: ByteSource
  /** What all its pages may unpack to, each time they are read. */
  inflation: InflationBudget
  file: ParquetMetadata
  notes: ColumnTypeTracker[]
}

/** Reads all row groups, one after another, a few rows at a time. */
async function readRowBatches(parquetFile: OpenParquetFile, onRowBatch: OnRowBatch): Promise<void> {
  const { file, notes } = parquetFile
  let first = 1
  for (const { rows, chunks } of file.groups.filter((group) => group.rows > 0)) {
    const cursors = file.leaves.flatMap((node, i) => {
      const [note, chunk] = [notes[i], chunks[i]]
      return note && chunk ? [new ColumnCursor(parquetFile, node, note, chunk)] : []
    })
    let left = rows
    while (left > 0) {
      const count = Math.min(left, BATCH_ROWS, await loadReadyRows(cursors))
      await onRowBatch(cursors, { count, first })
      for (const cursor of cursors) cursor.rowsReady -= count
      first += count
      left -= count
    }
    if (cursors.some((cursor) => !cursor.done)) throw parquetDamagedError('its columns are of different lengths')
  }
}

async function loadReadyRows(cursors: ColumnCursor[]): Promise<number> {
  let ready = Infinity
  let held = 0
  for (const cursor of cursors) {
    if (cursor.rowsReady === 0) await cursor.load()
    ready = Math.min(ready, cursor.rowsReady)
    held += cursor.bufferedBytes
    if (held > BUFFERED_MAX_BYTES) throw parquetUnsafeError('The columns of the Parquet file are too large.')
  }
  return ready
}

/** Tables without lists: every column of the file is one, structs by dotted names. */
async function writeFlatTable(parquetFile: OpenParquetFile, sink: TableSink, name: string): Promise<void> {
  const { leaves } = parquetFile.file
  if (leaves.length > DATASET_MAX_COLUMNS) throw parquetTooManyColumnsError(leaves.length)
  const table = sink.table({ name })
  await readRowBatches(parquetFile, async (cursors, { count, first }) => {
    for (let i = 0; i < count; i++) {
      if (sink.isFlushDue?.() === true) await sink.flush()
      table.add(
        cursors.map((cursor) => cursor.take()),
        first + i,
      )
    }
    await sink.flush()
  })
  const labels = new Set<string>()
  const hints = leaves.map(({ path }, index): ColumnHint => {
    const label = uniqueLabel(path.join('.'), labels)
    return { index, label, ...parquetFile.notes[index]?.hint() }
  })
  table.describe({ hints })
}

function uniqueLabel(wanted: string, taken: Set<string>): string {
  const base = wanted.trim().slice(0, HEADER_MAX_CHARS - 8) || '(empty)'
  let label = base
  for (let n = 2; taken.has(label); n++) label = `${base} (${n})`
  taken.add(label)
  return label
}

/** Tables with lists: read twice, to see their tables and to write them. */
async function writeNestedTables(parquetFile: OpenParquetFile, sink: TableSink, name: string): Promise<void> {
  const shape = new InferredTable([])
  await forEachRow(parquetFile, (row, line) => shape.observe(row, line), sink)
  // What is in a VARIANT is guessed from its values: the columns it came out of say nothing of them.
  const hints = new Map(
    parquetFile.file.leaves.flatMap(({ path, variant }, i) =>
      variant === null ? [[path.join('\0'), parquetFile.notes[i]?.hint()] as const] : [],
    ),
  )
  const writer = new NestedTableWriter(
    layoutTables(shape, name, (path) => hints.get(path.join('\0'))),
    sink,
  )
  await forEachRow(parquetFile, (row, line) => writer.write(row, line), sink)
  writer.finish()
}

function forEachRow(
  parquetFile: OpenParquetFile,
  onRow: (row: NestedValue, line: number) => void,
  sink: TableSink,
): Promise<void> {
  const kinds = parquetFile.notes.map(({ leaf }) => leaf.kind)
  let assembly: RowAssembler | null = null
  let of: ColumnCursor[] | null = null
  return readRowBatches(parquetFile, async (cursors, { count, first }) => {
    if (of !== cursors || !assembly) assembly = new RowAssembler(parquetFile.file.root, cursors, kinds)
    of = cursors
    for (let i = 0; i < count; i++) {
      if (sink.isFlushDue?.() === true) await sink.flush()
      onRow(assembly.nextRow(), first + i)
    }
    await sink.flush()
  })
}

/** Opens a Parquet file page by page. @throws ProductError for whatever is wrong with the file. */
const extractParquetTables: ExtractTables = async (source, sink) => {
  const file = await readParquetMetadata(source)
  const notes = file.leaves.map((leaf) => new ColumnTypeTracker(formatterOf(leaf)))
  // Nested tables are read twice, and so unpacked twice.
  const passes = file.root.nested ? 2 : 1
  const inflation = source.inflation ?? inflationBudget(source.size * passes, parquetInflatedError)
  const name = source.fileName.replace(/\.[a-z]{1,8}$/i, '').slice(0, NAME_MAX_CHARS) || 'rows'
  await (file.root.nested ? writeNestedTables : writeFlatTable)({ source, inflation, file, notes }, sink, name)
  await sink.flush()
  return { warnings: parquetWarnings(file, notes) }
}

/** A VARIANT is made out of the bytes of its parts; what of it stands in columns of its own is as in any other. */
const formatterOf = ({ element, name, variant }: SchemaNode): ValueFormatter =>
  variant === 'part' && (name === 'metadata' || name === 'value') ? bytesFormatter : valueFormatterFor(element)

function parquetWarnings({ leaves }: ParquetMetadata, notes: ColumnTypeTracker[]): FileWarning[] {
  const warnings: FileWarning[] = []
  const hasLost = (isDate: boolean): boolean =>
    notes.some((note) => note.unreadableCount > 0 && /^date/.test(note.hint().type ?? '') === isDate)
  if (hasLost(false))
    warnings.push({ code: 'error_cells', message: 'NaN and infinity aren’t numbers: they are left empty.' })
  if (hasLost(true))
    warnings.push({ code: 'error_cells', message: 'Dates before year 1 or after 9999 are left empty.' })
  const bad = leaves.find((_leaf, i) => (notes[i]?.checksumErrorCount ?? 0) > 0)
  if (bad)
    warnings.push({
      code: 'checksum',
      column: bad.path.join('.'),
      message: `“${bad.path.join('.')}” doesn’t match its checksum: values may be wrong. Export the file again.`,
    })
  return warnings
}

const parquetInflatedError = (): ProductError =>
  parquetUnsafeError('The pages of the Parquet file are too large when unpacked.')

const MAGIC_NUMBERS = ['PAR1', 'PARE']

/** Parquet. A text that begins with the same letters holds no control characters near them. */
export const parquetReader: FormatReader = {
  kind: 'parquet',
  recognises: (head) =>
    MAGIC_NUMBERS.includes(String.fromCharCode(...head.subarray(0, 4))) &&
    head.subarray(4, 512).some((byte) => byte < 9),
  open: extractParquetTables,
}
