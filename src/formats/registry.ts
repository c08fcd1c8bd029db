import { isZip } from './archive/zip-reader'
import type { FormatReader } from './contract'
import { jsonReader, ndjsonReader } from './json/json-reader'
import { parquetReader } from './parquet/parquet-reader'
import { sieReader } from './sie/sie-reader'
import { xlsReader } from './workbook/binary/xls-reader'
import { odsReader } from './workbook/ods-reader'
import { xlsxReader } from './workbook/xlsx-reader'

/** Every kind that is taken apart into tables, in the order in which they are asked: what is surer by its bytes first. */
export const FORMAT_READERS: readonly FormatReader[] = [
  odsReader,
  xlsxReader,
  xlsReader,
  parquetReader,
  sieReader,
  jsonReader,
  ndjsonReader,
]

/** The reader of a file by its first bytes (up to 64 kB); else a zip of files, or a text (a workbook is a zip too). */
export function detectFormat(head: Uint8Array, fileName: string): FormatReader | 'zip' | 'csv' {
  const reader = FORMAT_READERS.find((known) => known.recognises(head, fileName))
  if (reader) return reader
  return isZip(head) ? 'zip' : 'csv'
}
