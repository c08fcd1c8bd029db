import type { TypedRow } from '../formats/contract'
import { BATCH_MAX_BYTES, REJECTS_KEPT_MAX } from '../shared/limits'
import type { RejectedRow } from '../shared/sources'

/** One insert's worth of rows, as the warehouse takes it. */
export interface Batch {
  rows: string
  rowCount: number
  rejects: RejectedRow[]
  rejectCount: number
}

/** Less than one statement takes: the object is held for a shorter time, and less memory is in flight. */
const BATCH_BYTES = BATCH_MAX_BYTES / 4
/** Rejected rows that go in one call. */
const REJECTS_PER_BATCH = 2_000
/** Brackets around the batch. */
const FRAME_BYTES = 2

/** What JSON writes otherwise than it stands, or in more than one byte. */
const NEEDS_CARE = /[^ !#-[\]-~]/
const encoder = new TextEncoder()
type Values = Extract<TypedRow, { ok: true }>['values']

/** A row as JSON. Most cells are numbers and plain text, which need no general encoder. */
export function rowJson(values: Values): { json: string; bytes: number } {
  let json = '['
  let beyond = 0
  for (let at = 0; at < values.length; at++) {
    const value = values[at]
    if (at > 0) json += ','
    if (typeof value === 'number') json += value
    else if (value === null || value === undefined) json += 'null'
    else if (typeof value !== 'string') json += `[${value[0]}]`
    else if (!NEEDS_CARE.test(value)) json += `"${value}"`
    else {
      const careful = JSON.stringify(value)
      beyond += encoder.encode(careful).length - careful.length
      json += careful
    }
  }
  json += ']'
  return { json, bytes: json.length + beyond }
}

/** Collects typed rows and hands them out in batches that fit one statement. */
export class Batcher {
  #rows: string[] = []
  #bytes = FRAME_BYTES
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
    const { json, bytes } = rowJson(row.values)
    if (bytes + FRAME_BYTES > BATCH_MAX_BYTES)
      return this.#reject({ line, reason: 'The row holds too much text to be loaded.', text: json.slice(0, 200) })
    if (this.#rows.length > 0 && this.#bytes + bytes + 1 > BATCH_BYTES) this.#close()
    this.#rows.push(json)
    this.#bytes += bytes + 1
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
    this.#ready.push({
      rows: `[${this.#rows.join(',')}]`,
      rowCount: this.#rows.length,
      rejects: this.#rejects,
      rejectCount: this.#rejectCount,
    })
    this.#rows = []
    this.#bytes = FRAME_BYTES
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
    if (this.#rows.length > 0 || this.#rejectCount > 0) this.#close()
    return this.full()
  }
}
