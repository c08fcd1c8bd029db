import type { ParsedRow } from '../formats/contract'
import { BATCH_MAX_BYTES, REJECTS_STORED_MAX } from '../shared/limits'
import type { RejectedRow } from '../shared/data-sources/data-sources'

/** One insert's worth of rows, as the warehouse takes it. */
export interface RowBatch {
  rows: string
  rowCount: number
  rejects: RejectedRow[]
  rejectCount: number
}

/** In code units: even at three bytes each no more than one statement takes. It holds the object for about 10 ms. */
const BATCH_UNITS = BATCH_MAX_BYTES / 3 - 8
/** Rejected rows that go in one call. */
const REJECTS_PER_BATCH = 2_000
/** Brackets around the batch. */
const FRAME_BYTES = 2

/** Bytes that one UTF-16 code unit takes at most. */
const UNIT_BYTES_MAX = 3
const exceedsBatch = (json: string): boolean => new TextEncoder().encode(json).length + FRAME_BYTES > BATCH_MAX_BYTES

/** Collects typed rows and hands them out in batches that fit one statement. */
export class RowBatcher {
  #rows: string[] = []
  #units = FRAME_BYTES
  #ready: RowBatch[] = []
  #rejects: RejectedRow[] = []
  #rejectCount = 0
  #storedRejects: number
  rowsRead = 0
  rejected = 0

  /** @param keptBefore rejected rows that earlier segments have kept already. */
  constructor(keptBefore: number) {
    this.#storedRejects = keptBefore
  }

  add(row: ParsedRow, line: number): void {
    this.rowsRead++
    if (!row.ok) return this.#reject(row.reject)
    const json = JSON.stringify(row.values)
    if (json.length * UNIT_BYTES_MAX > BATCH_MAX_BYTES && exceedsBatch(json))
      return this.#reject({ line, reason: 'Row too long.', text: json.slice(0, 200) })
    if (this.#rows.length > 0 && this.#units + json.length + 1 > BATCH_UNITS) this.#close()
    this.#rows.push(json)
    this.#units += json.length + 1
  }

  #reject(reject: RejectedRow): void {
    this.rejected++
    this.#rejectCount++
    if (this.#storedRejects >= REJECTS_STORED_MAX) return
    this.#storedRejects++
    this.#rejects.push(reject)
    if (this.#rejects.length >= REJECTS_PER_BATCH) this.#close()
  }

  #close(): void {
    this.#ready.push({
      rows: `[${this.#rows.join(',')}]`,
      rowCount: this.#rows.length,
      rejects: this.#rejects,
      rejectCount: this.#rejectCount,
    })
    this.#rows = []
    this.#units = FRAME_BYTES
    this.#rejects = []
    this.#rejectCount = 0
  }

  /** Batches that are full by now. */
  takeFull(): RowBatch[] {
    const ready = this.#ready
    this.#ready = []
    return ready
  }

  /** Everything that is left. */
  takeRest(): RowBatch[] {
    if (this.#rows.length > 0 || this.#rejectCount > 0) this.#close()
    return this.takeFull()
  }
}
