import { isNumberOrDate, looksLikeLabels } from '../inference/header'
import { fitsWidth, hasTypedColumn, type CsvRecord, type Dialect, type DialectSample } from './dialect-trial'
import { divideLine, findColumnStarts } from './fixed-columns'

/** Lines are told from sentences by a column of figures or dates; without one, by so many cells in each of so many lines. */
const WORDS = { width: 4, lines: 3 }
/** Lines at the top that may be titles of a table without delimiters. */
const TITLES_MAX = 5
const SAMPLE_LINES = 400

/** Several blanks between cells, or some before the first: they stand for one. */
const RUNS = /^ +\S|\S {2,}\S/m

/** Whether blanks after a blank are none of a cell. */
export const hasRunsOfBlanks = (text: string): boolean => RUNS.test(text)

/**
 * Whether rows divided by a sign that stands in sentences, times or figures as well are a table: at least `evenMin` of them
 * with as many cells, and with a column of figures or dates, or names above many cells.
 */
export function isEvenTable(records: readonly CsvRecord[], { width, delimiter }: Dialect, evenMin: number): boolean {
  const [first, ...rows] = records
  if (!first || rows.length === 0 || width < 2) return false
  if (rows.every(({ cells }) => isNumberOrDate(cells.join(delimiter)))) return false
  const even = records.filter((record) => fitsWidth(record, width)).length
  if (even < records.length * evenMin) return false
  if (hasTypedColumn(first, rows)) return true
  const isNamed = width >= WORDS.width && records.length >= WORDS.lines && looksLikeLabels(first.cells)
  return isNamed && even === records.length
}

/** Lines whose cells stand below each other, at the same characters in each. */
export function fixedColumns(source: DialectSample, text: string): Dialect | null {
  const lines = text.split(/\r\n?|\n/).slice(source.skipLines, source.skipLines + SAMPLE_LINES)
  // The last line may be cut.
  if (!source.whole && lines.length < SAMPLE_LINES) lines.pop()
  for (let titles = 0; titles <= TITLES_MAX && titles < lines.length; titles++) {
    const below = lines.slice(titles)
    const starts = findColumnStarts(below)
    if (!starts) continue
    const records = below.map((line, at): CsvRecord => ({ cells: divideLine(line, starts), line: at + 1 }))
    const [first, ...rows] = records.filter(({ cells }) => cells.some((cell) => cell !== ''))
    // One text above all columns is a title, which happens to be as short as the first one.
    if (first && first.cells.filter((cell) => cell !== '').length < 2) continue
    if (!first || (starts.length < 2 && !hasTypedColumn(first, rows))) return null
    const skipLines = source.skipLines + titles
    return { delimiter: ' ', quote: '', escape: '"', columnStarts: starts, width: starts.length + 1, skipLines }
  }
  return null
}
