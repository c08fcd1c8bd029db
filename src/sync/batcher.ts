import type { TypedRow } from '../formats/contract'
import { createJsonBatch } from '../formats/json-batch'
import { ProductError } from '../shared/errors'
import { REJECTS_KEPT_MAX } from '../shared/limits'
import type { RejectedRow } from '../shared/sources'

/** One insert's worth of rows, as the warehouse takes it. */
export interface Batch {
  rows: string
  rowCount: number
  rejects: RejectedRow[]
  rejectCount: number
}

/** Rejected rows that go in one call. */
const REJECTS_PER_BATCH = 2_000

/** Collects typed rows and hands them out in batches that fit one statement. */
export class Batcher {
  readonly #json = createJsonBatch()
  #ready: Batch[] = []
  #rejects: RejectedRow[] = []
  #rejectCount = 0
  #kept: number
  rowsRead = 0
  rejected = 0

  /** @param keptBefore rejected rows that earlier segments have kept already. */
  constructor(keptBefore: number) {
    this.#kept = keptBefore
  }

  add(row: TypedRow, line: number): void {
    this.rowsRead++
    if (!row.ok) return this.#reject(row.reject)
    try {
      if (this.#json.add(row.values)) return
      this.#close()
      this.#json.add(row.values)
    } catch (error) {
      if (!(error instanceof ProductError)) throw error
      this.#reject({ line, reason: error.message, text: '' })
    }
  }

  #reject(reject: RejectedRow): void {
    this.rejected++
    this.#rejectCount++
    if (this.#kept >= REJECTS_KEPT_MAX) return
    this.#kept++
    this.#rejects.push(reject)
    if (this.#rejects.length >= REJECTS_PER_BATCH) this.#close()
  }

  #close(): void {
    this.#ready.push({ ...this.#json.take(), rejects: this.#rejects, rejectCount: this.#rejectCount })
    this.#rejects = []
    this.#rejectCount = 0
  }

  /** Batches that are full by now. */
  full(): Batch[] {
    const ready = this.#ready
    this.#ready = []
    return ready
  }

  /** Everything that is left. */
  rest(): Batch[] {
    if (this.#json.rowCount() > 0 || this.#rejectCount > 0) this.#close()
    return this.full()
  }
}
