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

const encoder = new TextEncoder()
/** What JSON writes in another way than as it stands. */
const NEEDS_ESCAPE = /["\\\u0000-\u001f\ud800-\udfff]/

type Values = Extract<TypedRow, { ok: true }>['values']

/** A row as JSON. Most cells are numbers and plain text, which need no general encoder. */
export function rowJson(values: Values): string {
  let json = '['
  for (let at = 0; at < values.length; at++) {
    const value = values[at]
    if (at > 0) json += ','
    if (typeof value === 'string') json += NEEDS_ESCAPE.test(value) ? JSON.stringify(value) : `"${value}"`
    else if (typeof value === 'number') json += value
    else json += value === null || value === undefined ? 'null' : `[${value[0]}]`
  }
  return `${json}]`
}

/** Collects typed rows and hands them out in batches that fit one statement. */
export class Batcher {
  #rows: string[] = []
  #chars = 0
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
    const json = rowJson(row.values)
    // Three bytes are the most that one UTF-16 unit takes; only then is counting worth while.
    if (json.length * 3 > BATCH_MAX_BYTES - 2 && encoder.encode(json).length > BATCH_MAX_BYTES - 2)
      return this.#reject({ line, reason: 'The row is too large.', text: json.slice(0, 200) })
    this.#rows.push(json)
    this.#chars += json.length + 1
  }

  #reject(reject: RejectedRow): void {
    this.rejected++
    this.#rejectCount++
    if (this.#kept >= REJECTS_KEPT_MAX) return
    this.#kept++
    this.#rejects.push(reject)
  }

  isFull(): boolean {
    return this.#chars >= BATCH_MAX_BYTES * 0.9 || this.#rejects.length >= 2_000
  }

  /** Everything collected, as batches of at most `BATCH_MAX_BYTES`. */
  take(): Batch[] {
    const batches = fitting(this.#rows).map(({ json, count }, at) => ({
      rows: json,
      rowCount: count,
      rejects: at === 0 ? this.#rejects : [],
      rejectCount: at === 0 ? this.#rejectCount : 0,
    }))
    if (batches.length === 0 && this.#rejectCount > 0)
      batches.push({ rows: '[]', rowCount: 0, rejects: this.#rejects, rejectCount: this.#rejectCount })
    this.#rows = []
    this.#chars = 0
    this.#rejects = []
    this.#rejectCount = 0
    return batches
  }
}

/** Characters are counted while collecting and bytes only here: text beyond ASCII is halved until it fits. */
function fitting(rows: string[]): { json: string; count: number }[] {
  if (rows.length === 0) return []
  const json = `[${rows.join(',')}]`
  if (rows.length === 1 || byteLength(json) <= BATCH_MAX_BYTES) return [{ json, count: rows.length }]
  const half = rows.length >> 1
  return [...fitting(rows.slice(0, half)), ...fitting(rows.slice(half))]
}

const byteLength = (text: string): number => encoder.encode(text).length
