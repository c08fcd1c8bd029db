import { ProductError } from '../shared/errors'
import { BATCH_MAX_BYTES } from '../shared/limits'
import { utf8Length } from './csv-faults'
import type { TypedRow } from './contract'

type Values = (TypedRow & { ok: true })['values']
const NEEDS_CARE = /[^\u0020-\u0021\u0023-\u005b\u005d-\u007e]/

export interface JsonBatch {
  /** Adds a row, unless it would make the batch too large: then answers false, and the batch is to be taken first.
   * @throws ProductError `too_large` for a row that fits no batch. */
  add(values: Values): boolean
  rowCount(): number
  /** The rows so far as a JSON array; the batch is empty again. */
  take(): { rows: string; rowCount: number }
}

function rowTooLarge(max: number): ProductError {
  return new ProductError('too_large', { what: 'row', max }, 'One row of the file holds too much text to be loaded.')
}

/** Gathers typed rows into the JSON text of one `StageBatch.rows`, at most `maxBytes` in UTF-8. */
export function createJsonBatch(maxBytes = BATCH_MAX_BYTES): JsonBatch {
  let text = ''
  let bytes = 2
  let count = 0
  return {
    add(values) {
      let row = count === 0 ? '[' : ',['
      let size = row.length + 1
      for (let i = 0; i < values.length; i++) {
        const value = values[i]
        if (i > 0) row += ','
        if (typeof value === 'string') {
          const careful = NEEDS_CARE.test(value)
          const json = careful ? JSON.stringify(value) : `"${value}"`
          size += careful ? utf8Length(json) : json.length
          row += json
          continue
        }
        const json =
          value === null || value === undefined ? 'null' : Array.isArray(value) ? `[${value[0]}]` : `${value}`
        size += json.length
        row += json
      }
      size += Math.max(0, values.length - 1)
      if (size + 2 > maxBytes) throw rowTooLarge(maxBytes)
      if (bytes + size > maxBytes) return false
      text += `${row}]`
      bytes += size
      count++
      return true
    },
    rowCount: () => count,
    take() {
      const batch = { rows: `[${text}]`, rowCount: count }
      text = ''
      bytes = 2
      count = 0
      return batch
    },
  }
}
