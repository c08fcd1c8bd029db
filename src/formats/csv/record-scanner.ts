import type { CsvSettings } from '../../shared/data-sources/files'
import { CELL_MAX_BYTES } from '../../shared/limits'
import type { CsvReader, CsvSyntaxSetting } from '../contract'

export const LF = 10
export const CR = 13

/** Character codes of the signs a record is made of; -1 where there is none. */
export interface SyntaxCodes {
  delimiter: number
  quote: number
  quoteChar: string
  /** The escape sign when it is another than the quote. */
  escape: number
  escapeChar: string
  /** First sign of what begins a comment, and all of it. */
  comment: number
  commentMark: string
  /** Sign that is nothing at the start of a cell. */
  blank: number
}

export function toSyntaxCodes(settings: Pick<CsvSettings, CsvSyntaxSetting>): SyntaxCodes {
  const { delimiter, escape, comment, skipInitialSpace } = settings
  // The whole line is one cell: it is divided later.
  const isUndivided = settings.columnStarts !== undefined
  const quote = isUndivided ? '' : settings.quote
  const other = quote !== '' && escape !== quote
  return {
    // Of wrapped lines no sign divides the outer cell.
    delimiter: settings.wrappedLines || isUndivided ? -1 : delimiter.charCodeAt(0),
    quote: quote === '' ? -1 : quote.charCodeAt(0),
    quoteChar: quote,
    escape: other ? escape.charCodeAt(0) : -1,
    escapeChar: other ? escape : '',
    comment: comment === undefined ? -1 : comment.charCodeAt(0),
    commentMark: comment ?? '',
    blank: skipInitialSpace && !isUndivided ? 32 : -1,
  }
}

/** Quotes that are no pair around a cell. */
export interface StrayQuotes {
  /** Cells with characters after their closing quote, and the line of the first; 0: there is none. */
  loose: number
  looseLine: number
  /** Quotes that nothing closes: each is text, and its cell ends as if it were not quoted. */
  unclosed: number
  unclosedLine: number
}

/** The reader with what inspection wants to know beside the records. */
export interface DiagnosticCsvReader extends CsvReader {
  /** Cells that go on after their closing quote so far, or never close it: many mean that quote or escape was guessed wrongly. */
  strayQuotes(): StrayQuotes
  /** Lines left out as comments so far. */
  commentCount(): number
  /** Whether the bytes so far end inside quotes. */
  inQuotes(): boolean
}

export interface ScannedRecord {
  cells: string[]
  /** Where the next record begins, or -1: the record does not end in this text, or needs the careful reader. */
  next: number
  /** Line ends inside quotes. */
  breaks: number
}

/** Line ends of a text: LF, CRLF and lone CR. */
export function countLineBreaks(text: string): number {
  let count = 0
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) count++
  for (let i = text.indexOf('\r'); i >= 0; i = text.indexOf('\r', i + 1)) if (text.charCodeAt(i + 1) !== LF) count++
  return count
}

/** Whether only blanks stand between here and a quote, or the end of the text. */
function isBlankBeforeQuote(text: string, from: number, { blank, quote }: SyntaxCodes): boolean {
  let at = from
  while (text.charCodeAt(at) === blank) at++
  return at === text.length || text.charCodeAt(at) === quote
}

/**
 * The quick way for what nearly every record is: whole within the text, cells plain or simply quoted. Everything else
 * (escapes, signs after a closing quote, an end that is not there yet) answers -1 and costs the careful reader's time.
 */
export function scanRecord(text: string, start: number, syntaxCodes: SyntaxCodes, found: ScannedRecord): void {
  const { delimiter, quote } = syntaxCodes
  const length = text.length
  const cells: string[] = []
  let at = start
  found.cells = cells
  found.next = -1
  found.breaks = 0
  while (at < length) {
    let code = text.charCodeAt(at)
    if (code === quote) {
      const close = text.indexOf(syntaxCodes.quoteChar, at + 1)
      if (close < 0 || close + 1 >= length || close - at > CELL_MAX_BYTES) return
      code = text.charCodeAt(close + 1)
      if (code !== delimiter && code !== LF && code !== CR) return
      const cell = text.slice(at + 1, close)
      if (syntaxCodes.escape >= 0 && cell.includes(syntaxCodes.escapeChar)) return
      found.breaks += countLineBreaks(cell)
      cells.push(cell)
      at = close + 1
    } else {
      if (code === syntaxCodes.blank) {
        if (isBlankBeforeQuote(text, at, syntaxCodes)) return
        while (code === syntaxCodes.blank) code = text.charCodeAt(++at)
      }
      const from = at
      while (code !== delimiter && code !== LF && code !== CR) {
        if (++at === length) return
        code = text.charCodeAt(at)
      }
      const cell = text.slice(from, at)
      if (syntaxCodes.escape >= 0 && cell.includes(syntaxCodes.escapeChar)) return
      cells.push(cell)
    }
    at++
    if (code === delimiter) continue
    if (code === CR) {
      if (at === length) return
      if (text.charCodeAt(at) === LF) at++
    }
    found.next = at
    return
  }
}

/**
 * Whether a quote behind this text stands where cells begin. One that seems to close a cell opens one there, on a later line
 * or behind a quote that closed this one (`"a" b,"c"`).
 */
export function endsAtCellStart(cell: string, { delimiter }: SyntaxCodes): boolean {
  const before = cell.charCodeAt(cell.length - 1)
  return before === delimiter || before === LF || before === CR
}

/** Whether a comment begins here; or could, were the text not at its end. */
export function mayBeComment(text: string, at: number, { comment, commentMark }: SyntaxCodes): boolean {
  if (text.charCodeAt(at) !== comment) return false
  return at + 1 === text.length || text.startsWith(commentMark, at)
}
