import { sha256Hex, sha256HexOfBytes } from '../../lib/hash'
import type { OutputBudget } from './output-budget'
import type { StoredTableInfo } from './store'
import { canonicalCsvRecord } from '../../formats/csv/canonical-csv'
import type { TableRowWriter, TableSink, TableSpec } from '../../formats/contract'
import { ProductError } from '../../shared/errors'
import type { FileKind, FileWarning } from '../../shared/data-sources/files'
import { DATASET_MAX_COLUMNS, DATASET_MAX_ROWS, NAME_MAX_CHARS, SOURCE_MAX_DATASETS } from '../../shared/limits'

/** Every part but the last must have this length: the store's least. */
const PART_BYTES = 5 * 1024 * 1024

export interface StoredObject {
  objectKey: string
  size: number
  /** Equal for equal bytes. */
  contentHash: string
}

/** Writes one object of unknown length: in one call when it is small, else part by part, never holding more than one. */
export class ObjectWriter {
  readonly objectKey: string
  readonly #files: R2Bucket
  readonly #budget: OutputBudget | null
  #pending: Uint8Array[] = []
  #held = 0
  #size = 0
  #multipart: R2MultipartUpload | null = null
  #parts: R2UploadedPart[] = []
  #digests: string[] = []

  /** `budget`: what its bytes are counted against; null when they were counted before. */
  constructor(files: R2Bucket, objectKey: string, budget: OutputBudget | null) {
    this.#files = files
    this.objectKey = objectKey
    this.#budget = budget
  }

  /** Takes bytes over; they must not change afterwards. @throws ProductError when they are too many. */
  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#budget?.take(bytes.length)
    this.#pending.push(bytes)
    this.#held += bytes.length
    this.#size += bytes.length
  }

  /** Stores every part that is full. */
  async flush(): Promise<void> {
    while (this.#held > PART_BYTES) await this.#sendPart(PART_BYTES)
  }

  async #sendPart(length: number): Promise<void> {
    this.#multipart ??= await this.#files.createMultipartUpload(this.objectKey)
    const part = this.#take(length)
    this.#digests.push(await sha256HexOfBytes(part))
    this.#parts.push(await this.#multipart.uploadPart(this.#parts.length + 1, part))
  }

  #take(length: number): Uint8Array<ArrayBuffer> {
    const taken = new Uint8Array(length)
    let at = 0
    while (at < length) {
      const [first] = this.#pending
      if (!first) break
      const mine = first.subarray(0, length - at)
      taken.set(mine, at)
      at += mine.length
      if (mine.length === first.length) this.#pending.shift()
      else this.#pending[0] = first.subarray(mine.length)
    }
    this.#held -= length
    return taken
  }

  /** Stores what is left; from then on the object is there. */
  async finish(): Promise<StoredObject> {
    await this.flush()
    if (this.#multipart) {
      if (this.#held > 0) await this.#sendPart(this.#held)
      await this.#multipart.complete(this.#parts)
    } else {
      const whole = this.#take(this.#held)
      this.#digests.push(await sha256HexOfBytes(whole))
      await this.#files.put(this.objectKey, whole)
    }
    return { objectKey: this.objectKey, size: this.#size, contentHash: await sha256Hex(this.#digests.join('\n')) }
  }

  /** Lets go of everything that was stored, finished or not. */
  async discard(): Promise<void> {
    this.#budget?.giveBack(this.#size)
    this.#size = 0
    await this.#multipart?.abort().catch(() => undefined)
    await this.#files.delete(this.objectKey)
  }
}

export interface ExtractedTable {
  info: StoredTableInfo
  object: StoredObject
}

/** Text of one table is encoded when it has grown to this many characters. */
const ENCODE_AT_CHARS = 256 * 1024
const encoder = new TextEncoder()

interface PendingTable {
  info: StoredTableInfo
  writer: ObjectWriter
  text: string
  /** Its object is there already. */
  written?: StoredObject
}

export interface ExtractionOptions {
  files: R2Bucket
  /** A new key for each object. */
  nextKey: () => string
  /** What all of it is counted against. */
  budget: OutputBudget
  /** Called at every flush: lets others have their turn. */
  onFlush: () => Promise<void>
}

/** A reader that wrote so much flushes before it goes on, and others have their turn. */
export const FLUSH_DUE_BYTES = 256 * 1024

/** Tables on their way into the store. Those past a source's number of datasets are left out and told. */
export class ExtractedTables {
  readonly #tables: PendingTable[] = []
  readonly #leftOut: string[] = []
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
    return {
      table: (spec) => this.#open({ ...spec, kind, ...(entry === undefined ? {} : { entry }) }),
      flush: () => this.#flush(),
      isFlushDue: () => this.#options.budget.stretch >= FLUSH_DUE_BYTES,
    }
  }

  #open(spec: TableSpec & { kind: FileKind; entry?: string }): TableRowWriter {
    if (this.isFull) {
      this.#leftOut.push(spec.name)
      return { add: () => undefined, describe: () => undefined }
    }
    const { name, optional = false, kind, entry, ledger } = spec
    const info: StoredTableInfo = {
      name: cleanTableName(name),
      kind,
      ...(entry === undefined ? {} : { entry }),
      rowCount: 0,
      columnCount: 0,
      optional,
      ...(ledger === undefined ? {} : { ledger }),
      warnings: [],
      hints: [],
    }
    const table: PendingTable = {
      info,
      writer: new ObjectWriter(this.#options.files, this.#options.nextKey(), null),
      text: '',
    }
    this.#tables.push(table)
    return {
      add: (cells, line) => this.#add(table, cells, line),
      describe({ hints, warnings, optional: skip, comparisonYears }) {
        if (hints) info.hints = hints
        if (comparisonYears) info.comparisonYears = comparisonYears
        if (warnings) info.warnings.push(...warnings)
        if (skip !== undefined) info.optional = skip
      },
    }
  }

  #add(table: PendingTable, cells: readonly (string | null)[], line: number): void {
    const { info } = table
    info.rowCount++
    if (info.rowCount > DATASET_MAX_ROWS) throw tableTooLargeError('rows', DATASET_MAX_ROWS, info.name)
    if (cells.length > info.columnCount) info.columnCount = cells.length
    if (cells.length > DATASET_MAX_COLUMNS) throw tableTooLargeError('columns', DATASET_MAX_COLUMNS, info.name)
    // Before its text is made: its cells may be one long text many times over.
    const least = leastLengthOf(cells)
    this.#options.budget.take(least)
    const record = canonicalCsvRecord(cells, line)
    this.#options.budget.take(record.length - least)
    table.text += record
    if (table.text.length > ENCODE_AT_CHARS) this.#encodeBuffered(table)
  }

  /** Characters were counted as bytes so far; most alphabets take more. */
  #encodeBuffered(table: PendingTable): void {
    const bytes = encoder.encode(table.text)
    this.#options.budget.take(bytes.length - table.text.length)
    table.writer.add(bytes)
    table.text = ''
  }

  async #flush(): Promise<void> {
    for (const table of this.#tables) await table.writer.flush()
    await this.#options.onFlush()
  }

  /** An object of the archive's own, under a key of this opening. */
  object(): ObjectWriter {
    return new ObjectWriter(this.#options.files, this.#options.nextKey(), this.#options.budget)
  }

  /** Takes over a delimited text as it is: it is read by its own settings. */
  addText(info: StoredTableInfo, text: { writer: ObjectWriter; written: StoredObject }): void {
    this.#tables.push({ info: { ...info, name: cleanTableName(info.name) }, text: '', ...text })
  }

  /** Stores every table to its end. */
  async finish(): Promise<{ tables: ExtractedTable[]; warnings: FileWarning[] }> {
    const tables: ExtractedTable[] = []
    for (const table of this.#tables) {
      this.#encodeBuffered(table)
      const { info, writer, written } = table
      for (const { index } of info.hints) info.columnCount = Math.max(info.columnCount, index + 1)
      if (info.rowCount === 0 || info.columnCount === 0) info.optional = true
      tables.push({ info, object: written ?? (await writer.finish()) })
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
