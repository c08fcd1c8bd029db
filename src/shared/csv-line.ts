/**
 * Where a spreadsheet may take text for a formula: at the start of the cell or of a line in it, also in full width,
 * behind spaces and signs that no file can hold, and behind quotes or separators that a program with other settings
 * would take away.
 */
const AT_START = /^[\s\p{Cc}\ufffe\uffff"';,]*[=+\-@\t\r＝＋－＠]/u
const AFTER_BREAK = /([\n\r])((?:(?![\n\r])[\s\p{Cc}\ufffe\uffff"';,])*[=+\-@＝＋－＠])/gu
const NEEDS_QUOTES = /[",;\n\r\t]|^\s|\s$/

/** A text that no spreadsheet computes: what looks like a formula is shown as text by an apostrophe before it. */
export const neutralizeFormula = (text: string): string =>
  (AT_START.test(text) ? `'${text}` : text).replace(AFTER_BREAK, "$1'$2")

const quoteIfNeeded = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** What parts the cells of a line, and whole numbers and fractions. */
export interface CsvNotation {
  delimiter: ',' | ';'
  decimalMark: '.' | ','
}
const PLAIN_NOTATION: CsvNotation = { delimiter: ',', decimalMark: '.' }

/** As spreadsheets of a locale read a CSV: where a comma parts whole numbers and fractions, semicolons part the cells. */
export function csvNotation(locale: string): CsvNotation {
  const mark = new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value
  return mark === ',' ? { delimiter: ';', decimalMark: ',' } : PLAIN_NOTATION
}

/** A value of a line; `decimal`: a number by its digits, where a number would lose some. */
export type CsvCell = string | number | null | { decimal: string }

function cellText(cell: CsvCell, { decimalMark }: CsvNotation): string {
  if (cell === null) return ''
  if (typeof cell === 'string') return quoteIfNeeded(neutralizeFormula(cell))
  const digits = typeof cell === 'number' ? String(cell) : cell.decimal
  return digits.replace('.', decimalMark)
}

/** One record by RFC 4180, with its line end. Numbers stay numbers, negative ones too; text is neutralised. */
export const csvLine = (cells: CsvCell[], notation: CsvNotation = PLAIN_NOTATION): string =>
  `${cells.map((cell) => cellText(cell, notation)).join(notation.delimiter)}\r\n`
