import type { StorageValue } from '../src/lib/storage-value'
import type { Column } from '../src/shared/data-sources/data-sources'
import { RowBatcher, type RowBatch } from '../src/sync/row-batcher'
import { decodeCodes, decodeNumbers } from '../src/warehouse/columns/chunk'
import { decodeBatch, type BatchColumn } from '../src/warehouse/columns/column-batch'

/** Cells as they travel: a one-element array is an unscaled number outside its column's scale. */
type Cell = StorageValue | [number]

/** Typed rows as a load sends them; one batch when there are none. */
export function batchesOf(columns: readonly Pick<Column, 'type'>[], rows: readonly (readonly Cell[])[]): RowBatch[] {
  const batcher = new RowBatcher(columns, 0)
  for (const [line, values] of rows.entries()) batcher.add({ ok: true, values: [...values] }, line)
  const batches = batcher.takeRest()
  return batches.length > 0 ? batches : [{ rows: new ArrayBuffer(0), rowCount: 0, rejects: [], rejectCount: 0 }]
}

function cellsOf(column: BatchColumn, rows: number): Cell[] {
  if (column.kind === 'numbers') {
    const values = new Float64Array(rows)
    decodeNumbers(column.values, values)
    return [...values].map((value, row): Cell => {
      const unscaled = column.unscaled.get(row)
      if (unscaled !== undefined) return [unscaled]
      return Number.isNaN(value) ? null : value
    })
  }
  const codes = new Int32Array(rows)
  decodeCodes(column.codes, codes)
  const { bytes, ends } = column.words
  const wordAt = (code: number): string =>
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      bytes.subarray(ends[code - 2] ?? 0, ends[code - 1]),
    )
  return [...codes].map((code) => (code === 0 ? null : wordAt(code)))
}

/** The rows of a batch. */
export function rowsOfBatch(buffer: ArrayBuffer): Cell[][] {
  const { rows, columns } = decodeBatch(buffer)
  const cells = columns.map((column) => cellsOf(column, rows))
  return Array.from({ length: rows }, (_, row) => cells.map((of) => of[row] ?? null))
}
