import { ProductError } from '../../shared/errors'
import type { CsvSettings, Encoding } from '../../shared/data-sources/files'
import type { CsvSyntaxSetting } from '../contract'
import { parseDate } from '../../shared/values/parse-date'
import { parseNumber } from '../../shared/values/parse-number'
import { createDiagnosticCsvReader } from './csv-reader'

/** How the text is divided. `width` is the number of cells that records have. */
export interface Dialect extends Pick<CsvSettings, CsvSyntaxSetting | 'skipLines'> {
  width: number
}
export interface CsvRecord {
  cells: string[]
  line: number
}

const SAMPLE_RECORDS = 400
const PIECE_BYTES = 16 * 1024
const TYPED_COLUMN = 0.8
export const JUDGED_ROWS = 60

export interface DialectTrial {
  records: CsvRecord[]
  strays: number
  fault: ProductError | null
}
export type QuotingSyntax = Pick<CsvSettings, 'delimiter' | 'quote' | 'escape' | 'skipInitialSpace' | 'wrappedLines'>
export interface DialectSample {
  bytes: Uint8Array
  whole: boolean
  encoding: Encoding
  skipLines: number
}

/** Reads some records with these signs, every one as data. A fault of the file ends the trial. */
export function tryDialect({ bytes, whole, encoding, skipLines }: DialectSample, syntax: QuotingSyntax): DialectTrial {
  const records: CsvRecord[] = []
  const reader = createDiagnosticCsvReader({
    settings: { ...syntax, encoding, skipLines, header: false },
    startByte: 0,
    startLine: 1,
    onRecord: (cells, line) => records.push({ cells, line }),
  })
  let fault: ProductError | null = null
  try {
    let at = 0
    for (; at < bytes.length && records.length < SAMPLE_RECORDS; at += PIECE_BYTES)
      reader.push(bytes.subarray(at, at + PIECE_BYTES))
    if (whole && at >= bytes.length) reader.end()
  } catch (error) {
    if (!(error instanceof ProductError)) throw error
    fault = error
  }
  const { loose, unclosed } = reader.strayQuotes()
  return { records, strays: loose + unclosed, fault }
}

export const filledWidth = (cells: string[]): number => {
  let count = cells.length
  while (count > 0 && cells[count - 1] === '') count--
  return count
}
export const fitsWidth = ({ cells }: CsvRecord, width: number): boolean =>
  cells.length === width || (cells.length > width && filledWidth(cells) <= width)

/** The number of cells that most records have, leaving out what is only empty at the end. */
export function commonWidth(records: CsvRecord[]): number {
  const counts = new Map<number, number>()
  for (const { cells } of records) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  let best = { width: 1, fitting: -1 }
  const byFrequency = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 5)
  for (const [width] of byFrequency) {
    const fitting = records.filter((record) => fitsWidth(record, width)).length
    if (fitting > best.fitting) best = { width, fitting }
  }
  return best.width
}

export const isTyped = (cell: string): boolean =>
  parseNumber(cell, '.') !== null || parseNumber(cell, ',') !== null || parseDate(cell, 'dmy') !== null

/** Whether nearly all that stands below one of the names is figures or dates. */
export const hasTypedColumn = ({ cells }: CsvRecord, below: CsvRecord[]): boolean =>
  cells.some((name, at) => {
    const values = below.slice(0, JUDGED_ROWS).flatMap((record) => record.cells[at]?.trim() || [])
    return name !== '' && values.length > 0 && values.filter(isTyped).length >= values.length * TYPED_COLUMN
  })
