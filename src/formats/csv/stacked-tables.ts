import { detectEncoding } from '../encoding/detect-encoding'
import { createChunkDecoder } from '../encoding/text-decoder'
import { looksLikeLabels } from '../inference/header'
import { detectDialect } from './dialect'
import { fitsWidth, hasTypedColumn, tryDialect, type CsvRecord } from './dialect-trial'

/** One of several tables that stand below each other in a text. */
export interface StackedTable {
  /** The line above it; null: there is none. */
  name: string | null
  /** Its first and last line in the file. */
  firstLine: number
  lastLine: number
  /** Makes its lines, below as many empty ones as lines stand above it in the file: every line keeps its number. */
  text: () => string
}

/** A text of more bytes is one table. */
export const STACKED_MAX_BYTES = 4 * 1024 * 1024
/** Of lines above the tables, in all: as many empty ones are written, and of more the text is one table. */
export const LINES_ABOVE_MAX = 200_000
/** In more pieces a text is not what is meant here: rows with empty lines between them. */
const BLOCKS_MAX = 100
/** Of the rows so many have as many cells as the table has names. */
const EVEN_MIN = 0.9
/** A heading that shares so many names with the one above is that one again. */
const SAME_NAMES_MIN = 0.5
const NAME_MAX_CHARS = 80
/** A longer line is no title. */
const TITLE_LINE_MAX_CHARS = 1000
const SEVERAL_CELLS = /[,;|\t]/
/** Without any cell. */
const EMPTY_LINE = /^[\s,;|"]*$/

/** Lines between empty ones, counted from 0: `to` is the first that is no more of it. */
interface LineBlock {
  from: number
  to: number
}

function blocksOf(lines: readonly string[]): LineBlock[] {
  const blocks: LineBlock[] = []
  let from = -1
  lines.forEach((line, at) => {
    if (EMPTY_LINE.test(line)) from = -1
    else if (from < 0) {
      from = at
      blocks.push({ from, to: at + 1 })
    } else blocks[blocks.length - 1] = { from, to: at + 1 }
  })
  return blocks
}

interface BlockHeading {
  /** Line of the names, counted from 0. */
  at: number
  title: string | null
  names: string[]
}

/** The names of a block's columns, where it is a table by itself; null for more rows, sums and notes. */
function headingOf(lines: readonly string[], { from, to }: LineBlock): BlockHeading | null {
  const text = `${lines.slice(from, to).join('\n')}\n`
  const source = { head: new TextEncoder().encode(text), whole: true, encoding: 'utf-8' } as const
  const { width, skipLines, ...signs } = detectDialect(source, {})
  const { records } = tryDialect({ ...source, bytes: source.head, skipLines }, signs)
  const [first, ...rows] = records
  if (!first || width < 2 || rows.length === 0 || !isHeading(first, width)) return null
  const even = records.filter((record) => fitsWidth(record, width))
  if (even.length < records.length * EVEN_MIN) return null
  const title = skipLines > 0 ? trimSigns(lines[from] ?? '') : null
  const isTyped = hasTypedColumn(first, rows)
  const isFull = rows.every(({ cells }) => cells.slice(0, width).every((cell) => cell.trim() !== ''))
  if (!isTyped && !(isFull && (title !== null || rows.length > 1))) return null
  return { at: from + first.line - 1, title, names: first.cells.map((cell) => cell.trim().toLowerCase()) }
}

/** Different names, at most one of the columns without. */
function isHeading({ cells }: CsvRecord, width: number): boolean {
  const names = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  return names.length >= width - 1 && new Set(names).size === names.length && looksLikeLabels(names)
}

/** Whether a heading is that of the table above once more. */
function isAgain(names: readonly string[], above: readonly string[]): boolean {
  const shared = names.filter((name) => above.includes(name)).length
  return shared > Math.max(names.length, above.length) * SAME_NAMES_MIN
}

/** A line without the blanks and signs of syntax at its ends. */
function trimSigns(line: string): string {
  let from = 0
  let to = line.length
  while (from < to && EMPTY_LINE.test(line.charAt(from))) from++
  while (to > from && EMPTY_LINE.test(line.charAt(to - 1))) to--
  return line.slice(from, to)
}

/** A line that is one text: it may name the table below. */
function titleOf(lines: readonly string[], { from, to }: LineBlock): string | null {
  const line = lines[from] ?? ''
  if (to - from !== 1 || line.length > TITLE_LINE_MAX_CHARS) return null
  const text = trimSigns(line)
  return text !== '' && !SEVERAL_CELLS.test(text) ? text.slice(0, NAME_MAX_CHARS) : null
}

/**
 * Tables of one text that stand below each other, with empty lines between them and each with names of its own. What has
 * none goes on with the table above. Null where there are not several, and in doubt.
 */
export function findStackedTables(bytes: Uint8Array): StackedTable[] | null {
  if (bytes.length > STACKED_MAX_BYTES) return null
  const decoder = createChunkDecoder(detectEncoding([bytes]).encoding)
  const text = (decoder.decode(bytes).text + decoder.flush().text).replace(/^\ufeff/, '')
  const lines = text.split(/\r\n?|\n/)
  const blocks = blocksOf(lines)
  if (blocks.length < 2 || blocks.length > BLOCKS_MAX || blocks.some((block) => hasOpenQuote(lines, block))) return null
  const tables: { heading: BlockHeading; title: string | null; to: number }[] = []
  // Where the line above that may name the next table ends.
  let title: { text: string; to: number } | null = null
  for (const block of blocks) {
    const heading = headingOf(lines, block)
    const last = tables.at(-1)
    const alone = titleOf(lines, block)
    const isTable = heading !== null && !(last && isAgain(heading.names, last.heading.names))
    // What names no table belongs to the one above, or there are rows above every heading.
    if (title && last && (!isTable || heading.title !== null)) last.to = title.to
    if (isTable) tables.push({ heading, title: heading.title ?? title?.text ?? null, to: block.to })
    else if (alone === null) {
      if (last) last.to = block.to
      else if (lines.slice(block.from, block.to).some((line) => SEVERAL_CELLS.test(line))) return null
    }
    title = !isTable && alone !== null ? { text: alone, to: block.to } : null
  }
  const end = tables.at(-1)
  if (end && title) end.to = title.to
  const linesAbove = tables.reduce((sum, { heading }) => sum + heading.at, 0)
  if (tables.length < 2 || linesAbove > LINES_ABOVE_MAX) return null
  return tables.map(({ heading: { at }, title: name, to }) => ({
    name,
    firstLine: at + 1,
    lastLine: to,
    text: () => `${'\n'.repeat(at)}${lines.slice(at, to).join('\n')}\n`,
  }))
}

/** Whether an empty line may stand inside a quoted cell. */
const hasOpenQuote = (lines: readonly string[], { from, to }: LineBlock): boolean =>
  lines.slice(from, to).join('').split('"').length % 2 === 0
