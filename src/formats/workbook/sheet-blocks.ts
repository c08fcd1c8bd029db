import type { CellRange } from './cell-address'
import type { SheetRow } from './sheet-columns'

/** Cells between empty rows and empty columns: their range, and which rows it takes (`from` up to `to`, not with it). */
export interface SheetBlock extends CellRange {
  from: number
  to: number
}

/** A sheet in more pieces than that is no few tables; every further depth reads all cells again. */
const BLOCKS_MAX = 2_000
const CUTS_MAX_DEPTH = 12

/**
 * Cuts a sheet at empty rows, then at empty columns, and so on within the pieces, until neither divides any.
 * @param rows in order, each once
 * @returns pieces from top to bottom, of equal tops from left to right; null when there are too many.
 */
export function cutIntoBlocks(rows: readonly SheetRow[]): SheetBlock[] | null {
  const blocks: SheetBlock[] = []
  let isTooMany = false
  const cut = (block: SheetBlock, depth: number): void => {
    isTooMany ||= blocks.length >= BLOCKS_MAX || depth > CUTS_MAX_DEPTH
    if (isTooMany) return
    const bands = rowBands(rows, block)
    const [band] = bands
    const pieces = bands.length === 1 && band ? columnBands(rows, band) : bands
    const [only] = pieces
    if (pieces.length === 1 && only) blocks.push(only)
    else for (const piece of pieces) cut(piece, depth + 1)
  }
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  cut({ from: 0, to: rows.length, top: 0, bottom: 0, left: 0, right: width - 1 }, 0)
  return isTooMany ? null : blocks.sort((a, b) => a.top - b.top || a.left - b.left)
}

function isFilled({ cells }: SheetRow, { left, right }: SheetBlock): boolean {
  for (let column = left; column <= right && column < cells.length; column++) if (cells[column]) return true
  return false
}

/** Rows that follow each other without an empty one. */
function rowBands(rows: readonly SheetRow[], block: SheetBlock): SheetBlock[] {
  const bands: SheetBlock[] = []
  for (let at = block.from; at < block.to; at++) {
    const row = rows[at]
    if (!row || !isFilled(row, block)) continue
    const last = bands.at(-1)
    if (last?.to === at && last.bottom === row.line - 1) {
      last.to = at + 1
      last.bottom = row.line
    } else bands.push({ ...block, from: at, to: at + 1, top: row.line, bottom: row.line })
  }
  return bands
}

/** Columns that follow each other without an empty one, over all rows of a band. */
function columnBands(rows: readonly SheetRow[], band: SheetBlock): SheetBlock[] {
  const used = new Uint8Array(band.right + 2)
  for (let at = band.from; at < band.to; at++) {
    const cells = rows[at]?.cells ?? []
    for (let column = band.left; column <= band.right && column < cells.length; column++)
      if (cells[column]) used[column] = 1
  }
  const found: SheetBlock[] = []
  for (let column = band.left; column <= band.right; column++) {
    if (used[column] !== 1) continue
    const last = found.at(-1)
    if (last?.right === column - 1) last.right = column
    else found.push({ ...band, left: column, right: column })
  }
  return found
}
