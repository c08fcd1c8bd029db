/** First characters with which a spreadsheet takes a cell for a formula, also after spaces and in full width. */
const FORMULA = /^[\s\u0000]*[=+\-@\t\r＝＋－＠]/
const NEEDS_QUOTES = /[",;\n\r\t]|^\s|\s$/

/** A text that no spreadsheet computes: what looks like a formula is shown as text by a leading apostrophe. */
export const neutralText = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

const quoted = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** One record by RFC 4180, with its line end. Numbers stay numbers, negative ones too; text is neutralised. */
export const csvLine = (cells: (string | number | null)[]): string =>
  `${cells.map((cell) => (cell === null ? '' : typeof cell === 'number' ? String(cell) : quoted(neutralText(cell)))).join(',')}\r\n`
