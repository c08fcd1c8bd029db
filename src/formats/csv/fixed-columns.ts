import type { CsvReaderOptions } from '../contract'
import { LINE_MAX_COLUMNS } from '../../shared/data-sources/files'
import { DATASET_MAX_COLUMNS } from '../../shared/limits'

/** What parts names from rows in a table drawn with signs: `-----  ---`. */
const RULE = /^[-=+| ]+$/

/** Cells of a line whose columns begin at these characters, without the blanks around them. */
export function divideLine(line: string, starts: readonly number[]): string[] {
  const cells: string[] = []
  let from = 0
  for (const start of starts) {
    cells.push(line.slice(from, start).trim())
    from = start
  }
  cells.push(line.slice(from).trim())
  return cells
}

/** Hands on the cells of lines that come as one cell each; empty lines and rules are no rows. */
export const dividedAt =
  (starts: readonly number[], onRecord: CsvReaderOptions['onRecord']): CsvReaderOptions['onRecord'] =>
  ([line = ''], number) => {
    if (!RULE.test(line)) onRecord(divideLine(line, starts), number)
  }

const LINES_MIN = 3
/** With fewer lines a single blank stands below another by chance: a gap has two. */
const LINES_OF_NARROW_GAPS = 8
/** Of the lines so many hold something on both sides of a gap. */
const BOTH_SIDES_MIN = 0.5

/** Where columns begin that are divided by nothing but blanks below each other; null where no such gap goes through all lines. */
export function findColumnStarts(all: readonly string[]): number[] | null {
  const lines = all.filter((line) => line.trim() !== '' && !RULE.test(line))
  if (lines.length < LINES_MIN || lines.some((line) => line.includes('\t'))) return null
  const width = Math.min(LINE_MAX_COLUMNS, Math.max(...lines.map(({ length }) => length)))
  const isFree = new Uint8Array(width).fill(1)
  for (const line of lines)
    for (let at = 0; at < width && at < line.length; at++) if (line.charCodeAt(at) !== 32) isFree[at] = 0
  const gapMin = lines.length < LINES_OF_NARROW_GAPS ? 2 : 1
  const starts: number[] = []
  let gap = 0
  for (let at = isFree.indexOf(0); at < width; at++) {
    if (isFree[at] === 0 && gap >= gapMin) starts.push(at)
    gap = isFree[at] === 0 ? 0 : gap + 1
  }
  const isBetween = (start: number): boolean =>
    lines.filter((line) => line.slice(0, start).trim() !== '' && line.slice(start).trim() !== '').length >=
    lines.length * BOTH_SIDES_MIN
  return starts.length > 0 && starts.length < DATASET_MAX_COLUMNS && starts.every(isBetween) ? starts : null
}
