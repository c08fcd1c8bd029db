import { findBlockHeading, isTitleBlock, type BlockHeading } from './block-heading'
import type { CellRange } from './cell-address'
import { cutIntoBlocks, type SheetBlock } from './sheet-blocks'
import type { SheetRow } from './sheet-columns'

/** One of several tables on a sheet: its cells from its names on, and the line above them. */
export interface SheetRegion extends CellRange {
  title: string | null
}

interface Region extends SheetRegion, Pick<BlockHeading, 'names' | 'isFirstTyped' | 'isCertain'> {
  /** Blocks that belong to it. */
  blocks: number
}

/** Two columns may as well be a form: so many rows make a table of them at the top, beside other tables, below one. */
const NARROW_MAX_COLUMNS = 2
const NARROW_MIN_ROWS = { top: 3, beside: 2, below: 1 }
/** Tables beside each other whose ends differ by less are one table with an empty column. */
const ENDS_MIN_ROWS = 2
const ENDS_MIN_SHARE = 0.1

const overlapsColumns = (a: CellRange, b: CellRange): boolean => a.left <= b.right && b.left <= a.right
const overlaps = (a: CellRange, b: CellRange): boolean =>
  overlapsColumns(a, b) && a.top <= b.bottom && b.top <= a.bottom
const isLeftOf = (a: CellRange, b: CellRange): boolean => a.right < b.left && a.top <= b.bottom && b.top <= a.bottom
const isSameSpan = (a: CellRange, b: CellRange): boolean => a.left === b.left && a.right === b.right

function extend(region: Region, by: CellRange): void {
  region.top = Math.min(region.top, by.top)
  region.bottom = Math.max(region.bottom, by.bottom)
  region.left = Math.min(region.left, by.left)
  region.right = Math.max(region.right, by.right)
  region.blocks++
}

/**
 * The tables of a sheet that holds several: pieces between empty rows and columns, each with a heading of its own. A piece
 * without one goes on with the table above it, or is a column of the table beside it; one that has the heading of the
 * table above again, or most of it, goes on with that too.
 * @param rows in order, each once
 * @returns from top to bottom; empty when it is one table, or cannot be told.
 */
export function findSheetRegions(rows: readonly SheetRow[]): SheetRegion[] {
  const blocks = cutIntoBlocks(rows)
  if (!blocks || blocks.length < 2) return []
  const found = collectRegions(rows, blocks)
  const regions = found && joinSideBySide(found)
  if (!regions) return []
  const isApart = regions.every((one, at) => regions.slice(at + 1).every((other) => !overlaps(one, other)))
  if (regions.length < 2 || !isApart || !regions.some(({ isCertain }) => isCertain)) return []
  return regions.map(({ title, top, bottom, left, right }) => ({ title, top, bottom, left, right }))
}

/** Null when a table would lose what stands left of it: most likely what its rows are called. */
function collectRegions(rows: readonly SheetRow[], blocks: readonly SheetBlock[]): Region[] | null {
  const regions: Region[] = []
  /** Lines of text of which the next table may be told. */
  let lines: SheetBlock[] = []
  /** Pieces without a heading on the line of names of a table further right. */
  const loose: SheetBlock[] = []
  for (const block of blocks) {
    const above = findAbove(regions, block)
    const heading = findBlockHeading(rows, block)
    const own = heading && isTable(heading, block, { above, regions }) ? heading : null
    const title = own && titleOf(rows, { heading: own, block, lines, above })
    if (own && above && isSameTable(above, { heading: own, block, title: title?.text ?? null })) extend(above, block)
    else if (own && title) {
      regions.push({ ...block, ...own, top: own.line, title: title.text, blocks: 1 })
      lines = lines.filter((line) => line !== title.block)
    } else if (isTitleBlock(rows, block)) lines.push(block)
    else if (above) extend(above, block)
    else if (!extendAside(regions, block)) loose.push(block)
  }
  const left = loose.filter((block) => !extendAside(regions, block))
  if (left.some((block) => regions.some((one) => isLeftOf(block, one)))) return null
  for (const line of lines) {
    const above = findAbove(regions, line)
    if (above) extend(above, line)
  }
  return regions
}

/** The lowest table that ends above a piece, over its columns. */
const findAbove = (regions: readonly Region[], block: CellRange): Region | undefined =>
  regions
    .filter((one) => one.bottom < block.top && overlapsColumns(one, block))
    .toSorted((a, b) => b.bottom - a.bottom || a.left - b.left)[0]

function isTable(
  { line, rows, isCertain }: BlockHeading,
  block: SheetBlock,
  { above, regions }: { above: Region | undefined; regions: readonly Region[] },
): boolean {
  const isNarrow = block.right - block.left < NARROW_MAX_COLUMNS
  const isBeside = regions.some(({ top, isCertain: sure }) => top === line && sure)
  if (!isCertain) return (isBeside || !isNarrow) && !(above && isSameSpan(above, block))
  if (!isNarrow) return true
  return rows >= NARROW_MIN_ROWS[above ? 'below' : regions.length > 0 ? 'beside' : 'top']
}

/** The text above the names: in the piece itself, or the last lines above it that no other table is below. */
function titleOf(
  rows: readonly SheetRow[],
  of: { heading: BlockHeading; block: SheetBlock; lines: readonly SheetBlock[]; above: Region | undefined },
): { text: string | null; block?: SheetBlock } {
  if (of.heading.title !== null) return { text: of.heading.title }
  const near = of.lines.findLast(
    (line) => line.bottom < of.block.top && line.top > (of.above?.bottom ?? 0) && overlapsColumns(line, of.block),
  )
  const first = near && rows[near.from]?.cells[near.left]
  return near && first ? { text: first.text, block: near } : { text: null }
}

/** The same names again (exports that were glued together), or most of them in the same columns: parts of one table. */
function isSameTable(
  above: Region,
  { heading, block, title }: { heading: BlockHeading; block: SheetBlock; title: string | null },
): boolean {
  if (!isSameSpan(above, block)) return false
  const same = heading.names.filter((name, at) => name === above.names[at]).length
  if (same === heading.names.length) return true
  return title === null && same * 2 > heading.names.length
}

/** Puts a piece that begins on a table's line of names to the table, as columns of it. */
function extendAside(regions: readonly Region[], block: SheetBlock): boolean {
  const beside = regions
    .filter(({ top, bottom }) => top === block.top && bottom >= block.bottom)
    .toSorted((a, b) => gapOf(a, block) - gapOf(b, block))[0]
  if (beside) extend(beside, block)
  return beside !== undefined
}

/** Empty columns between two ranges. */
const gapOf = (a: CellRange, b: CellRange): number => Math.max(a.left, b.left) - Math.min(a.right, b.right) - 1

/** Tables beside each other that are one with an empty column. */
function joinSideBySide(regions: readonly Region[]): Region[] {
  const joined: Region[] = []
  for (const region of regions) {
    const left = joined.find((one) => one.top === region.top && one.right < region.left && isOneTable(one, region))
    if (left) extend(left, region)
    else joined.push(region)
  }
  return joined
}

/**
 * Beside each other from one line on: one table where both end alike, or where one is full of holes that the other has
 * not; two where both begin with the same name, or each has a title and a first column of texts.
 */
function isOneTable(left: Region, right: Region): boolean {
  const apart = Math.abs(left.bottom - right.bottom)
  const rows = Math.max(left.bottom, right.bottom) - left.top
  if (left.names[0] === right.names[0] && left.names[0] !== '') return false
  if (left.title !== null && right.title !== null && !right.isFirstTyped) return false
  if (gapOf(left, right) > 1) return apart === 0
  if (apart <= Math.max(ENDS_MIN_ROWS, rows * ENDS_MIN_SHARE)) return true
  const [short, long] = left.bottom < right.bottom ? [left, right] : [right, left]
  return short.blocks > long.blocks
}
