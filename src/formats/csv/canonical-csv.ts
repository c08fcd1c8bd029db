import { assertCellSize } from './csv-errors'
import type { CsvSettings } from '../../shared/data-sources/files'

/** How a table taken out of another file is written down: the one spelling that every reader of it knows. */
export const CANONICAL_CSV = {
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
  escape: '"',
  decimalMark: '.',
  dateOrder: 'ymd',
  numbered: true,
} as const satisfies Partial<CsvSettings>

const NEEDS_QUOTES = /[",\n\r]/

/**
 * One record with its line end; its line in the original file goes before its cells. An empty cell and one without text
 * are the same.
 * @throws ProductError `file_unreadable` when a cell holds more than a cell may.
 */
export function canonicalCsvRecord(cells: readonly (string | null)[], line: number): string {
  let text = String(line)
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at] ?? ''
    assertCellSize(cell, { line, column: at + 1 })
    text += NEEDS_QUOTES.test(cell) ? `,"${cell.replaceAll('"', '""')}"` : `,${cell}`
  }
  return `${text}\n`
}
