import { isNumberOrDate } from '../inference/header'
import type { SheetBlock } from './sheet-blocks'
import type { SheetRow, SheetValue } from './sheet-columns'

/** What the first rows of a block say: a title line above the names, the names, and how sure they are. */
export interface BlockHeading {
  /** The text above the names, in a row of its own. */
  title: string | null
  /** Line of the names. */
  line: number
  /** Names in lower case by column of the block; empty where a column has none. */
  names: string[]
  /** Rows below the names. */
  rows: number
  /** Whether the first column holds figures or dates. */
  isFirstTyped: boolean
  /** False where nothing but texts stand below texts: names, but only by their place. */
  isCertain: boolean
}

const COMPARED_ROWS = 200
const TYPED_MIN_SHARE = 0.8
const NAMED_MIN_SHARE = 2 / 3
/** Rows of texts alone that are taken for a table. */
const TEXTS_MIN_ROWS = 3
const YEAR = /^(19|20)\d\d$/
const LETTER = /\p{L}/u

type CellClass = 'number' | 'date' | 'text'
function classOf({ kind, text }: SheetValue): CellClass {
  if (kind === 'number' || kind === 'date') return kind
  return kind === 'text' && isNumberOrDate(text) ? 'number' : 'text'
}

const isName = (value: SheetValue): boolean =>
  YEAR.test(value.text) || (value.kind === 'text' && LETTER.test(value.text) && !isNumberOrDate(value.text))

/** The cells of a block, row by row. */
export function blockCells(rows: readonly SheetRow[], { from, to, left, right }: SheetBlock, max = to): SheetRow[] {
  return rows.slice(from, Math.min(to, from + max)).map(({ line, cells }) => ({
    line,
    cells: Array.from({ length: right - left + 1 }, (_, at) => cells[left + at] ?? null),
  }))
}

const filled = ({ cells }: SheetRow): SheetValue[] => cells.filter((cell) => cell !== null)

/** Lines of one cell each. */
export const isTitleBlock = (rows: readonly SheetRow[], block: SheetBlock): boolean =>
  blockCells(rows, block).every((row) => filled(row).length === 1)

/** The heading of a block that has one of its own, over two lines too; null for any other block. */
export function findBlockHeading(rows: readonly SheetRow[], block: SheetBlock): BlockHeading | null {
  if (block.right === block.left) return null
  const cells = blockCells(rows, block, COMPARED_ROWS)
  const at = cells.findIndex((row) => filled(row).length > 1)
  const names = cells[at]
  if (!names) return null
  const title = at > 0 ? (cells.slice(0, at).flatMap(filled)[0]?.text ?? null) : null
  const known = { title, line: names.line, rows: block.to - block.from - at - 1 }
  const own = readNames(names, cells.slice(at + 1), true)
  if (own) return { ...known, ...own }
  const below = cells[at + 1]
  const isGroups = filled(names).every(isName)
  const lower = below && isGroups ? readNames(below, cells.slice(at + 2), false) : null
  return lower && { ...known, ...lower, rows: known.rows - 1 }
}

/** @param distinct false for the lower line of two: names come once for each group above */
function readNames(
  { cells: heads }: SheetRow,
  data: readonly SheetRow[],
  distinct: boolean,
): Pick<BlockHeading, 'names' | 'isFirstTyped' | 'isCertain'> | null {
  const names = heads.map((head) => head?.text.trim().toLowerCase() ?? '')
  const given = names.filter((name) => name !== '')
  const isWhole = given.length >= 2 && given.length >= heads.length * NAMED_MIN_SHARE && data.length > 0
  if (!isWhole || (distinct && new Set(given).size < given.length)) return null
  if (!heads.every((head) => head === null || isName(head))) return null
  const columns = heads.map((_, at) => data.flatMap(({ cells }) => cells[at] ?? []))
  if (
    columns.some((values, at) => values.some(({ text }) => text.trim().toLowerCase() === names[at] && names[at] !== ''))
  )
    return null
  const typed = columns.map((values) => isTyped(values))
  const isCertain = typed.some((is, at) => is && names[at] !== '' && !isYears(columns[at], heads[at]))
  if (!isCertain && !isFullOfTexts(columns, data.length)) return null
  return { names, isFirstTyped: typed[0] === true, isCertain }
}

/** Nearly all of one class that is no text: a column mixed of dates and figures is a form, not a table. */
function isTyped(values: readonly SheetValue[]): boolean {
  const classes = values.map(classOf)
  const most = Math.max(...(['number', 'date'] as const).map((of) => classes.filter((one) => one === of).length))
  return values.length > 0 && most >= values.length * TYPED_MIN_SHARE
}

/** A year above years says nothing. */
const isYears = (values: readonly SheetValue[] = [], head?: SheetValue | null): boolean =>
  head !== null && head !== undefined && YEAR.test(head.text) && values.every(({ text }) => YEAR.test(text))

const isFullOfTexts = (columns: readonly SheetValue[][], rows: number): boolean =>
  rows >= TEXTS_MIN_ROWS && columns.every(({ length }) => length === rows)
