import { HEADER_MAX_CHARS } from '../../shared/limits'
import { isNullToken } from '../../shared/values/cell-parsers'
import { parseDateTime } from '../../shared/values/parse-date'
import { parseNumber } from '../../shared/values/parse-number'

const LETTER = /\p{L}/u
/** Whether a text reads as a figure or a date, however it is written. */
export const isNumberOrDate = (text: string): boolean =>
  parseNumber(text, '.') !== null ||
  parseNumber(text, ',') !== null ||
  parseDateTime(text, 'dmy') !== null ||
  parseDateTime(text, 'mdy') !== null

/** Whether cells could be names of columns: letters in all that are not empty, and no figure or date. */
export function looksLikeLabels(cells: string[]): boolean {
  const texts = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  return texts.length > 0 && texts.every((text) => LETTER.test(text) && !isNumberOrDate(text) && !isNullToken(text))
}

const COMPARED_ROWS = 200
const YEAR = /^(19|20)\d\d$/

/**
 * Whether the first record names the columns. Evidence by column: figures or dates below a text speak for it, a figure
 * above figures against it (years above figures say nothing). Without evidence a text that is never repeated below is a name.
 */
export function isHeaderRow(first: string[], rows: string[][]): boolean {
  if (rows.length === 0) return looksLikeLabels(first)
  const some = rows.slice(0, COMPARED_ROWS)
  let [plus, minus, repeated] = [0, 0, 0]
  for (let column = 0; column < first.length; column++) {
    const head = (first[column] ?? '').trim()
    const values = some.map((cells) => (cells[column] ?? '').trim()).filter((text) => text !== '' && !isNullToken(text))
    if (head === '' || values.length === 0) continue
    const typed = values.filter(isNumberOrDate).length >= values.length * 0.8
    if (typed && isNumberOrDate(head)) minus += YEAR.test(head) && !values.every((text) => YEAR.test(text)) ? 0 : 1
    else if (typed) plus++
    else if (values.includes(head)) repeated++
  }
  if (plus > 0) return plus * 3 > minus
  if (minus > 0) return false
  return repeated === 0 && first.some((cell) => LETTER.test(cell))
}

export interface ColumnLabels {
  labels: string[]
  /** Labels that had to be made up or told apart. */
  empty: number[]
  duplicate: number[]
}

/** What a heading may not hold: control characters and signs that turn the direction of text. */
const HIDDEN_CHARS = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g
const COUNTER_CHARS = 8

/** Unique, readable labels for `width` columns; names differing only in case are told apart as well. */
export function makeColumnLabels(names: string[] | null, width: number): ColumnLabels {
  const found: ColumnLabels = { labels: [], empty: [], duplicate: [] }
  const taken = new Set((names ?? []).map(cleanLabel).map((label) => label.toLowerCase()))
  const used = new Set<string>()
  for (let column = 0; column < width; column++) {
    const name = cleanLabel(names?.[column] ?? '')
    if (name === '' && names) found.empty.push(column)
    const wanted = name === '' ? `Column ${column + 1}` : name
    let label = wanted
    const isFree = (text: string): boolean =>
      !used.has(text.toLowerCase()) && (text === name || !taken.has(text.toLowerCase()))
    for (let n = 2; !isFree(label); n++) label = `${wanted.slice(0, HEADER_MAX_CHARS - COUNTER_CHARS)} (${n})`
    if (name !== '' && label !== name) found.duplicate.push(column)
    used.add(label.toLowerCase())
    found.labels.push(label)
  }
  return found
}

const cleanLabel = (name: string): string =>
  name
    .replace(HIDDEN_CHARS, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .normalize('NFC')
    .slice(0, HEADER_MAX_CHARS)
    .trim()
    .toWellFormed()
