import type { CreateCsvReader, CsvReaderOptions } from '../contract'
import { dividedAt } from './fixed-columns'
import { dropRepeatedHeaders } from './repeated-headers'
import type { DiagnosticCsvReader } from './record-scanner'
import { StreamingCsvReader } from './streaming-csv-reader'
import { dropTotalRows } from './total-rows'

/** The first cell of a record is its line in the file that the table was taken out of. */
const withoutLineNumberCell =
  (onRecord: CsvReaderOptions['onRecord']): CsvReaderOptions['onRecord'] =>
  ([line, ...cells]) =>
    onRecord(cells, Number(line))

/** Hands on the cells inside of records that are one quoted cell each; one that is not is divided all the same. */
function unwrapped(
  { wrappedLines: _wrapped, ...inside }: CsvReaderOptions['settings'],
  onRecord: CsvReaderOptions['onRecord'],
): CsvReaderOptions['onRecord'] {
  const settings = { ...inside, encoding: 'utf-8', skipLines: 0, header: false } as const
  const encoder = new TextEncoder()
  return ([text = ''], line) => {
    const reader = new StreamingCsvReader({ settings, startByte: 1, startLine: line, onRecord })
    reader.push(encoder.encode(text))
    reader.end()
  }
}

/** Reads delimited text from bytes. Lenient about odd quotes; records without any character are no rows. */
export function createDiagnosticCsvReader(options: CsvReaderOptions): DiagnosticCsvReader {
  const { settings, startByte } = options
  const named = startByte === 0 && !settings.header
  const { repeatedHeader } = settings
  const kept = repeatedHeader ? dropRepeatedHeaders(options.onRecord, repeatedHeader) : options.onRecord
  const take = settings.leaveOutTotals ? dropTotalRows(kept, named) : kept
  const onRecord = settings.numbered ? withoutLineNumberCell(take) : take
  const { columnStarts } = settings
  if (columnStarts) return new StreamingCsvReader({ ...options, onRecord: dividedAt(columnStarts, onRecord) })
  if (!settings.wrappedLines) return new StreamingCsvReader({ ...options, onRecord })
  return new StreamingCsvReader({ ...options, onRecord: unwrapped(settings, onRecord) })
}

export const createCsvReader: CreateCsvReader = createDiagnosticCsvReader
