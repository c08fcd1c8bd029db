import type { ByteSource } from '../../formats/contract'
import { inspectCsv } from '../../formats/csv-inspect'
import { SAMPLE_WINDOW_BYTES } from '../../shared/limits'

export interface CsvSize {
  /** Exact for small files, else estimated from the bytes. */
  rowCount: number
  columnCount: number
}

/** A quick look at a delimited text. @throws ProductError `file_unreadable` when it is none. */
export async function measureCsv(source: ByteSource): Promise<CsvSize> {
  const { fileName, size } = source
  const { rows, columns } = inspectCsv({ fileName, size, head: await source.read(0, SAMPLE_WINDOW_BYTES) })
  return { rowCount: rows.count, columnCount: columns.length }
}
