import { ObjectWriter, SLICE_BYTES, type OfferTurn, type StoredObject } from './object-writer'
import type { OutputBudget } from './output-budget'
import type { StoredTableInfo } from './store'
import { canonicalCsvRecord } from '../../formats/csv/canonical-csv'
import { assertCellSizes } from '../../formats/csv/csv-errors'
import type { ByteSource, RecordBlock, TableRowWriter, TableSink, TableSpec } from '../../formats/contract'
import { ProductError } from '../../shared/errors'
import type { FileKind, FileWarning } from '../../shared/data-sources/files'
import { DATASET_MAX_COLUMNS, DATASET_MAX_ROWS, NAME_MAX_CHARS, SOURCE_MAX_DATASETS } from '../../shared/limits'

export interface ExtractedTable {
  info: StoredTableInfo
  object: StoredObject
}

/** Text of one table is encoded when it has grown to this many characters. */
const ENCODE_AT_CHARS = 256 * 1024
const encoder = new TextEncoder()

/** Rows whose text is not made yet: a reader may hand over many at once, and others have their turn between them. */
const QUEUED_MAX_CELLS = 250_000

interface PendingTable {
  info: StoredTableInfo
  writer: ObjectWriter
  queue: { cells: readonly (string | null)[]; line: number }[]
  queuedCells: number
  text: string
  /** Bytes of records that came since others were offered their turn. */
  unturned: number
  /** All rows came. */
  isComplete: boolean
  /** Its object is there already. */
  written?: StoredObject
}
const NOTHING_YET = { queuedCells: 0, text: '', unturned: 0, isComplete: false }

export interface ExtractionOptions {
  files: R2Bucket
  /** A new key for each object. */
  nextKey: () => string
  /** What all of it is counted against. */
  budget: OutputBudget
  offerTurn: OfferTurn
  /** The file, where something of it was read already. */
  source?: ByteSource
  /** A delimited text is one table, whatever stands in it. */
  keepsText?: true
}

/** A reader that wrote so much flushes before it goes on, and others have their turn. */
export const FLUSH_DUE_BYTES = 256 * 1024
/** What a reader has read when it flushes. */
const CHUNK_BYTES = 64 * 1024

/** Tables on their way into the store. Those past a source's number of datasets are left out and told. */
export class ExtractedTables {
  readonly #tables: PendingTable[] = []
  readonly #leftOut: string[] = []
  /** What their texts took of the budget. */
  #taken = 0
  readonly #options: ExtractionOptions

  constructor(options: ExtractionOptions) {
    this.#options = options
  }

  get isFull(): boolean {
    return this.#tables.length >= SOURCE_MAX_DATASETS
  }

  /** What a reader of this kind writes into. `entry`: the file in an archive that it reads. */
  sink(kind: FileKind, entry?: string): TableSink {
    // In an archive its size explains nothing: a small one would raise what all the others may write.
    if (entry === undefined) this.#options.budget.readAs(kind)
    const [first, leftOut, taken] = [this.#tables.length, this.#leftOut.length, this.#taken]
    return {
      table: (spec) => this.#open({ ...spec, kind, ...(entry === undefined ? {} : { entry }) }),
      flush: () => this.#flush(),
      restart: async () => {
        const begun = this.#tables.splice(first)
        this.#leftOut.splice(leftOut)
        this.#options.budget.giveBack(this.#taken - taken)
        this.#taken = taken
        await Promise.all(begun.map(({ writer }) => writer.discard()))
      },
      assertRoom: (chars) => this.#options.budget.assertRoom(chars),
      isFlushDue: () => this.#options.budget.stretch >= FLUSH_DUE_BYTES,
    }
  }

  #open(spec: TableSpec & { kind: FileKind; entry?: string }): TableRowWriter {
    if (this.isFull) {
      this.#leftOut.push(spec.name)
      return { add: () => undefined, addRecords: () => undefined, describe: () => undefined }
    }
    const { name, optional = false, kind, entry, ledger, range } = spec
    const info: StoredTableInfo = {
      name: cleanTableName(name),
      kind,
      ...(entry === undefined ? {} : { entry }),
      ...(range === undefined ? {} : { range }),
      rowCount: 0,
      columnCount: 0,
      optional,
      ...(ledger === undefined ? {} : { ledger }),
      warnings: [],
      hints: [],
    }
    const table: PendingTable = {
      info,
      writer: this.#objectWriter(null),
      ...NOTHING_YET,
      queue: [],
    }
    this.#tables.push(table)
    return {
      add: (cells, line) => this.#add(table, cells, line),
      addRecords: (block) => this.#addRecords(table, block),
      describe({ hints, warnings, optional: skip, comparisonYears }) {
        if (hints) info.hints = hints
        if (comparisonYears) info.comparisonYears = comparisonYears
        if (warnings) info.warnings.push(...warnings)
        if (skip !== undefined) info.optional = skip
        table.isComplete = true
      },
    }
  }

  #add(table: PendingTable, cells: readonly (string | null)[], line: number): void {
    this.#count(table, 1, cells.length)
    assertCellSizes(cells, line)
    // Before its text is made: its cells may be one long text many times over.
    this.#take(leastLengthOf(cells))
    table.queue.push({ cells, line })
    table.queuedCells += cells.length
    if (table.queuedCells > QUEUED_MAX_CELLS) for (const _ of this.#writeQueue(table));
  }

  #take(bytes: number): void {
    this.#taken += bytes
    this.#options.budget.take(bytes)
  }

  #count({ info }: PendingTable, rows: number, columns: number): void {
    info.rowCount += rows
    if (info.rowCount > DATASET_MAX_ROWS) throw tableTooLargeError('rows', DATASET_MAX_ROWS, info.name)
    if (columns > info.columnCount) info.columnCount = columns
    if (columns > DATASET_MAX_COLUMNS) throw tableTooLargeError('columns', DATASET_MAX_COLUMNS, info.name)
  }

  #addRecords(table: PendingTable, { bytes, rows, columns }: RecordBlock): void {
    this.#count(table, rows, columns)
    for (const _ of this.#writeQueue(table));
    this.#encodeBuffered(table)
    this.#take(bytes.length)
    table.writer.add(bytes)
    table.unturned += bytes.length
  }

  /** Makes the text of queued rows, and says now and then how many bytes were made of them. */
  *#writeQueue(table: PendingTable): Generator<number, void, undefined> {
    const rows = table.queue
    table.queue = []
    table.queuedCells = 0
    let made = 0
    for (const { cells, line } of rows) {
      const record = canonicalCsvRecord(cells, line)
      this.#take(record.length - leastLengthOf(cells))
      table.text += record
      if (table.text.length > ENCODE_AT_CHARS) this.#encodeBuffered(table)
      made += record.length
      if (made < SLICE_BYTES) continue
      yield made
      made = 0
    }
    yield made
  }

  /** Characters were counted as bytes so far; most alphabets take more. */
  #encodeBuffered(table: PendingTable): void {
    if (table.text === '') return
    const bytes = encoder.encode(table.text)
    this.#take(bytes.length - table.text.length)
    table.writer.add(bytes)
    table.text = ''
  }

  async #flush(): Promise<void> {
    for (const table of this.#tables) {
      await this.#drainQueue(table)
      // What is complete is stored at once: a workbook has twenty sheets, and each would be held to the end.
      if (table.isComplete) await this.#store(table)
      else await table.writer.flush()
    }
    await this.#options.offerTurn(CHUNK_BYTES)
  }

  async #store(table: PendingTable): Promise<StoredObject> {
    if (table.written) return table.written
    await this.#drainQueue(table)
    this.#encodeBuffered(table)
    table.written = await table.writer.finish()
    return table.written
  }

  async #drainQueue(table: PendingTable): Promise<void> {
    if (table.unturned > 0) await this.#options.offerTurn(table.unturned)
    table.unturned = 0
    if (table.queue.length === 0) return
    for (const made of this.#writeQueue(table)) await this.#options.offerTurn(made)
  }

  /** An object of the archive's own, under a key of this opening. */
  object(): ObjectWriter {
    return this.#objectWriter(this.#options.budget)
  }

  #objectWriter(budget: OutputBudget | null): ObjectWriter {
    const { files, nextKey, offerTurn } = this.#options
    return new ObjectWriter(files, nextKey(), { budget, offerTurn, compresses: true })
  }

  /** Takes over a delimited text as it is: it is read by its own settings. */
  addText(info: StoredTableInfo, text: { writer: ObjectWriter; written: StoredObject }): void {
    this.#tables.push({ info: { ...info, name: cleanTableName(info.name) }, ...NOTHING_YET, queue: [], ...text })
  }

  /** Stores every table to its end. */
  async finish(): Promise<{ tables: ExtractedTable[]; warnings: FileWarning[] }> {
    const tables: ExtractedTable[] = []
    for (const table of this.#tables) {
      const { info } = table
      const object = await this.#store(table)
      for (const { index } of info.hints) info.columnCount = Math.max(info.columnCount, index + 1)
      if (info.rowCount === 0 || info.columnCount === 0) info.optional = true
      tables.push({ info, object })
    }
    return { tables, warnings: this.#leftOut.length > 0 ? [skippedTablesWarning(this.#leftOut)] : [] }
  }

  /** Lets go of everything: the opening failed, or another one was first. */
  async discard(): Promise<void> {
    await Promise.all(this.#tables.map(({ writer }) => writer.discard()))
  }
}

/** Characters that a record takes at least: those of its cells, and one behind each. */
function leastLengthOf(cells: readonly (string | null)[]): number {
  let length = cells.length
  for (const cell of cells) length += cell?.length ?? 0
  return length
}

const tableTooLargeError = (what: 'rows' | 'columns', max: number, table: string): ProductError =>
  new ProductError(
    'too_large',
    { what, max },
    `“${table}” has more than ${max.toLocaleString('en-US')} ${what}, the most that a dataset holds. Split the file or leave some out.`,
  )

const HIDDEN_CHARS = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g
/** A name that a dataset may have. */
export const cleanTableName = (name: string): string =>
  name.replace(HIDDEN_CHARS, ' ').trim().slice(0, NAME_MAX_CHARS).trim().toWellFormed() || 'Table'

function skippedTablesWarning(names: string[]): FileWarning {
  const some = names.slice(0, 5).map((name) => `“${name.slice(0, NAME_MAX_CHARS)}”`)
  const more = names.length > some.length ? ` and ${names.length - some.length} more` : ''
  return {
    code: 'skipped_sheet',
    message: `A source holds at most ${SOURCE_MAX_DATASETS} tables. Skipped: ${some.join(', ')}${more}.`,
  }
}
