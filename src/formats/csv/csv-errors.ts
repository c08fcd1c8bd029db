import { unreadableError } from '../file-errors'
import { ProductError } from '../../shared/errors'
import { CELL_MAX_BYTES, DATASET_MAX_COLUMNS, RECORD_MAX_CHARS } from '../../shared/limits'

const formatCount = (n: number): string => n.toLocaleString('en-US')

export function unclosedQuoteError(line: number): ProductError {
  return unreadableError(
    'broken',
    `The quote opened on line ${line} is never closed. Correct that line, or choose another quote character.`,
    { line },
  )
}

export function tooManyColumnsError(line: number): ProductError {
  return new ProductError(
    'too_large',
    { what: 'columns', max: DATASET_MAX_COLUMNS, line },
    `Line ${line} has more than ${DATASET_MAX_COLUMNS} columns. Remove columns you don’t need, or choose another delimiter.`,
  )
}

export function recordTooLongError(line: number): ProductError {
  return unreadableError(
    'unsafe',
    `The row on line ${line} is longer than ${formatCount(RECORD_MAX_CHARS)} characters. Check the line breaks.`,
    { line },
  )
}

const NOT_ASCII = /[^\u0000-\u007f]/

const LONG_CHARS = 4096
/** The long text that was measured last: a workbook keeps a text once, and cell after cell names it. */
let measured = { text: '', bytes: 0 }

/** Bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  if (text.length < LONG_CHARS) return countBytes(text)
  if (text !== measured.text) measured = { text, bytes: countBytes(text) }
  return measured.bytes
}

function countBytes(text: string): number {
  // The expression runs over a long text thirty times as fast as a loop does.
  if (!NOT_ASCII.test(text)) return text.length
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1
  }
  return bytes
}

/** @throws ProductError `file_unreadable` when a cell holds more than a cell may. */
export function assertCellSize(cell: string, at: { line: number; column: number }): void {
  if (cell.length * 3 <= CELL_MAX_BYTES) return
  if (utf8Length(cell) <= CELL_MAX_BYTES) return
  throw unreadableError(
    'unsafe',
    `A cell on line ${at.line} (column ${at.column}) holds more than ${CELL_MAX_BYTES / 1024} KB. Shorten it, or check the delimiter and quotes.`,
    { line: at.line },
  )
}

/** @throws ProductError `file_unreadable` when a cell of the record holds more than a cell may. */
export function assertCellSizes(record: readonly (string | null)[], line: number): void {
  for (let i = 0; i < record.length; i++) {
    const text = record[i]
    if (text && text.length * 3 > CELL_MAX_BYTES) assertCellSize(text, { line, column: i + 1 })
  }
}
