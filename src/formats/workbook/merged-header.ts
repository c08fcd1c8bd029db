import type { CellRange } from './cell-address'
import type { SheetRow, SheetValue } from './sheet-columns'

const HEADER_SEARCH_ROWS = 30
const filledColumns = (cells: SheetRow['cells']): number[] => cells.flatMap((cell, column) => (cell ? [column] : []))

/**
 * Names of columns in two rows, groups above (merged across) and names below, become one row: `2025` over `Q1` reads
 * `2025 Q1`; a name merged downwards stands once. Rows are changed in place.
 * @returns the line of the joined row, or null when there is no such heading.
 */
export function joinMergedHeader(rows: SheetRow[], merges: CellRange[]): number | null {
  const top = rows.slice(0, HEADER_SEARCH_ROWS).findIndex((row, i) => {
    const below = rows[i + 1]
    return below !== undefined && isTwoRowHeader(row, below, merges)
  })
  const [upper, lower] = [rows[top], rows[top + 1]]
  if (!upper || !lower) return null
  const groups = groupByColumn(upper, merges)
  const width = Math.max(upper.cells.length, lower.cells.length)
  lower.cells = Array.from({ length: width }, (_, column) => {
    const [group, name] = [groups.get(column) ?? upper.cells[column] ?? null, lower.cells[column] ?? null]
    return group && name ? { ...name, text: `${group.text} ${name.text}` } : (name ?? group)
  })
  rows.splice(top, 1)
  nameRowLabels(lower, rows, top + 1)
  return lower.line
}

/** A row right below the names that fills nothing but what they leave empty names those columns: labels of rows. */
function nameRowLabels(names: SheetRow, rows: SheetRow[], at: number): void {
  const labels = rows[at]
  if (labels?.line !== names.line + 1) return
  const named = filledColumns(labels.cells)
  const completes = named.every((column) => !names.cells[column] && labels.cells[column]?.kind === 'text')
  if (named.length === 0 || !completes) return
  for (const column of named) names.cells[column] = labels.cells[column] ?? null
  rows.splice(at, 1)
}

/**
 * Every filled cell of the upper row is merged, at least one across several names of the row right below; or stands by
 * itself above one of them, where those are all texts.
 */
function isTwoRowHeader(upper: SheetRow, lower: SheetRow, merges: CellRange[]): boolean {
  const named = filledColumns(upper.cells)
  if (lower.line !== upper.line + 1 || named.length < 2) return false
  const here = merges.filter(({ top }) => top === upper.line)
  const across = here.filter(({ bottom, left, right }) => bottom === upper.line && right > left)
  const covers = ({ left, right }: CellRange): boolean => filledColumns(lower.cells.slice(left, right + 1)).length >= 2
  const names = filledColumns(lower.cells)
  const areTexts = names.every((column) => lower.cells[column]?.kind === 'text')
  const isAbove = (column: number): boolean =>
    here.some(({ left, bottom }) => left === column && bottom <= lower.line) || (areTexts && names.includes(column))
  return across.some(covers) && named.every(isAbove)
}

function groupByColumn(upper: SheetRow, merges: CellRange[]): Map<number, SheetValue> {
  const groups = new Map<number, SheetValue>()
  for (const { top, bottom, left, right } of merges) {
    const name = top === upper.line && bottom === top ? upper.cells[left] : null
    if (!name) continue
    for (let column = left; column <= right && right - left < 1000; column++) groups.set(column, name)
  }
  return groups
}
