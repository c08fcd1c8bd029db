/**
 * Where a spreadsheet may take text for a formula: at the start of the cell or of a line in it, also in full width,
 * behind spaces, and behind quotes or separators that a program with other settings would take away.
 */
const AT_START = /^[\s\u0000"';,]*[=+\-@\t\r＝＋－＠]/
const AFTER_BREAK = /([\n\r])((?:[^\S\n\r]|[\u0000"';,])*[=+\-@＝＋－＠])/g
const NEEDS_QUOTES = /[",;\n\r\t]|^\s|\s$/

/** A text that no spreadsheet computes: what looks like a formula is shown as text by an apostrophe before it. */
export const neutralizeFormula = (text: string): string =>
  (AT_START.test(text) ? `'${text}` : text).replace(AFTER_BREAK, "$1'$2")

const quoteIfNeeded = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const cellText = (cell: string | number | null): string => {
  if (cell === null) return ''
  return typeof cell === 'number' ? String(cell) : quoteIfNeeded(neutralizeFormula(cell))
}

/** One record by RFC 4180, with its line end. Numbers stay numbers, negative ones too; text is neutralised. */
export const csvLine = (cells: (string | number | null)[]): string => `${cells.map(cellText).join(',')}\r\n`
