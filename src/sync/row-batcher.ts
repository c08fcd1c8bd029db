import type { CellTarget, ParsedRow } from '../formats/contract'
import { BATCH_MAX_BYTES, REJECTS_STORED_MAX } from '../shared/limits'
import type { Column, RejectedRow } from '../shared/data-sources/data-sources'
import { CHUNK_ROWS } from '../warehouse/columns/chunk'
import { encodeBatch, type GatheredColumn } from '../warehouse/columns/column-batch'
import { TextIndex } from '../warehouse/columns/texts/text-index'

/** One insert's worth of rows, as the warehouse takes it. */
export interface RowBatch {
  rows: ArrayBuffer
  rowCount: number
  rejects: RejectedRow[]
  rejectCount: number
}

/** An eighth of a chunk, so that chunks are full. */
const BATCH_ROWS = CHUNK_ROWS / 8
/** Rejected rows of one batch. */
const REJECTS_PER_BATCH = 2_000
/** What goes in one call: a chunk's rows, or so many bytes. */
const CALL_ROWS = CHUNK_ROWS
const CALL_BYTES = 4_000_000

/** Room for what says how the columns of a batch lie. */
const headBytes = (columns: number): number => 1_000 + columns * 150
const VALUE_BYTES = 8
/** What a number outside its column's scale takes more. */
const UNSCALED_BYTES = 48
/** Where a text ends. */
const END_BYTES = 4
/** Bytes of UTF-8 that one UTF-16 code unit takes at most; as many come of one byte of a file at most. */
export const UNIT_BYTES_MAX = 3

type Values = (ParsedRow & { ok: true })['values']
const mostBytes = (text: string): number => text.length * UNIT_BYTES_MAX
const exactBytes = (text: string): number => new TextEncoder().encode(text).length
/** What a row takes beside its numbers. */
const bytesOf = (values: Values, ofText: (text: string) => number): number =>
  values.reduce<number>((sum, value) => {
    if (typeof value === 'string') return sum + ofText(value)
    return sum + (Array.isArray(value) ? UNSCALED_BYTES : 0)
  }, 0)

/** Collects typed rows column by column and hands them out in batches that fit one statement. */
export class RowBatcher implements CellTarget {
  /** The row that is being read, in the order of the columns; {@link take} takes it in. */
  readonly cells: Float64Array
  readonly texts: readonly (TextIndex | null)[]
  readonly #columns: readonly GatheredColumn[]
  readonly #values: readonly Float64Array[]
  readonly #rowBytes: number
  readonly #bytesMax: number
  readonly #capacity: number
  #rows = 0
  #unscaled = 0
  #ready: RowBatch[] = []
  #rejects: RejectedRow[] = []
  #rejectCount = 0
  #storedRejects: number
  rowsRead = 0
  rejected = 0

  /** @param keptBefore rejected rows that earlier segments have kept already. */
  constructor(columns: readonly Pick<Column, 'type'>[], keptBefore: number) {
    this.#storedRejects = keptBefore
    this.#bytesMax = BATCH_MAX_BYTES - headBytes(columns.length)
    this.#rowBytes = columns.length * VALUE_BYTES
    this.#capacity = Math.min(BATCH_ROWS, Math.floor(this.#bytesMax / Math.max(1, this.#rowBytes)))
    this.cells = new Float64Array(columns.length)
    this.texts = columns.map(({ type }) => (type === 'text' ? new TextIndex() : null))
    this.#columns = this.texts.map((texts) => ({ values: new Float64Array(this.#capacity), texts, unscaled: [] }))
    this.#values = this.#columns.map(({ values }) => values)
  }

  /** Makes sure that a row fits whose texts come to at most so many bytes. False: none of so many does. */
  reserve(bytes: number): boolean {
    const more = this.#rowBytes + bytes + this.texts.length * END_BYTES
    if (more > this.#bytesMax) return false
    if (this.#rows > 0 && (this.#rows === this.#capacity || this.#bytes() + more > this.#bytesMax)) this.#close()
    return true
  }
  #bytes(): number {
    let bytes = this.#rows * this.#rowBytes + this.#unscaled * UNSCALED_BYTES
    for (const texts of this.texts) if (texts) bytes += texts.bytes + texts.size * END_BYTES
    return bytes
  }

  /** Takes the row of {@link cells} in, for which there is room. */
  take(): void {
    const { cells } = this
    for (let at = 0; at < cells.length; at += 1) {
      const values = this.#values[at]
      if (values) values[this.#rows] = cells[at] ?? Number.NaN
    }
    this.rowsRead++
    this.#rows++
  }

  add(row: ParsedRow, line: number): void {
    if (!row.ok) return this.#reject(row.reject)
    if (!this.reserve(bytesOf(row.values, mostBytes)) && !this.reserve(bytesOf(row.values, exactBytes)))
      return this.#reject({ line, reason: 'Row too long.', text: JSON.stringify(row.values).slice(0, 200) })
    for (const [at, value] of row.values.entries()) this.cells[at] = this.#cell(at, value)
    this.take()
  }
  #cell(at: number, value: Values[number]): number {
    const texts = this.texts[at]
    if (texts) {
      if (value !== null && typeof value !== 'string') throw new Error('A text was expected.')
      return value === null ? 0 : texts.codeOf(value)
    }
    if (typeof value === 'string') throw new Error('A number was expected.')
    // There is no −0 in files.
    if (typeof value !== 'object' || value === null) return (value ?? Number.NaN) + 0
    this.#columns[at]?.unscaled.push([this.#rows, value[0]])
    this.#unscaled++
    return Number.NaN
  }

  #reject(reject: RejectedRow): void {
    this.rowsRead++
    this.rejected++
    this.#rejectCount++
    if (this.#storedRejects >= REJECTS_STORED_MAX) return
    this.#storedRejects++
    this.#rejects.push(reject)
    if (this.#rejects.length >= REJECTS_PER_BATCH) this.#close()
  }

  #close(): void {
    this.#ready.push({
      rows: encodeBatch(this.#columns, this.#rows),
      rowCount: this.#rows,
      rejects: this.#rejects,
      rejectCount: this.#rejectCount,
    })
    for (const column of this.#columns) {
      column.texts?.clear()
      column.unscaled = []
    }
    this.#rows = 0
    this.#unscaled = 0
    this.#rejects = []
    this.#rejectCount = 0
  }

  /** The batches of one call, where they are enough for one by now. */
  takeFull(): RowBatch[] {
    const rows = this.#ready.reduce((sum, { rowCount }) => sum + rowCount, 0)
    const bytes = this.#ready.reduce((sum, batch) => sum + batch.rows.byteLength, 0)
    return rows < CALL_ROWS && bytes < CALL_BYTES ? [] : this.#takeReady()
  }
  #takeReady(): RowBatch[] {
    const ready = this.#ready
    this.#ready = []
    return ready
  }

  /** Everything that is left. */
  takeRest(): RowBatch[] {
    if (this.#rows > 0 || this.#rejectCount > 0) this.#close()
    return this.#takeReady()
  }
}
