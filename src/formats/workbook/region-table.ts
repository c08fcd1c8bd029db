import { DATASET_MAX_COLUMNS, NAME_MAX_CHARS, SOURCE_MAX_DATASETS } from '../../shared/limits'
import type { TableSink, TableSpec } from '../contract'
import { cellAddress, type CellRange } from './cell-address'
import { joinMergedHeader } from './merged-header'
import { SheetColumnStats, type SheetRow } from './sheet-columns'
import type { SheetRegion } from './sheet-regions'
import { hiddenSheetWarning, type SheetWarnings } from './sheet-warnings'

/** Characters that tables of a workbook may be written a second time with, beside their whole sheets. */
const REGION_CHARS_MAX = 4 * 1024 * 1024

/** How many tables of a workbook may be parts of sheets: each sheet has its own place first. */
export class RegionRoom {
  /** Tables that were given room. */
  taken = 0
  private chars = REGION_CHARS_MAX

  /** `sheets`: those of the workbook, each one table. */
  constructor(private readonly sheets: number) {}

  /** @returns false, and nothing is taken, when there is no room for all of them. */
  take(tables: number, chars: number): boolean {
    if (this.sheets + this.taken + tables > SOURCE_MAX_DATASETS || chars > this.chars) return false
    this.taken += tables
    this.chars -= chars
    return true
  }
}

const addressOf = ({ top, bottom, left, right }: CellRange): string =>
  `${cellAddress(left, top)}:${cellAddress(right, bottom)}`

/** The line above a table is its name; without one, the sheet's and a number. */
export const regionSpec = (spec: TableSpec, region: SheetRegion, at: number): TableSpec => ({
  ...spec,
  name: region.title?.trim().slice(0, NAME_MAX_CHARS) || `${spec.name} table ${at + 1}`,
  range: addressOf(region),
})

interface RegionWriting {
  sink: TableSink
  spec: TableSpec
  region: SheetRegion
  merges: readonly CellRange[]
  warned: SheetWarnings
}

/** Writes the cells of a region as a table: its rows keep the lines they have on the sheet. */
export function writeRegion(all: readonly SheetRow[], { sink, spec, region, merges, warned }: RegionWriting): void {
  const right = Math.min(region.right, region.left + DATASET_MAX_COLUMNS - 1)
  const inside = all.filter(({ line }) => line >= region.top && line <= region.bottom)
  const rows = inside.map(({ line, cells }): SheetRow => ({
    line,
    cells: cells.slice(0, right + 1).map((cell, column) => (column < region.left ? null : cell)),
  }))
  const warnings = warned.within(region)
  const joined = joinMergedHeader(rows, [...merges])
  if (joined !== null) warnings.joined(joined)
  const stats = new SheetColumnStats()
  const columns = Array.from({ length: right - region.left + 1 }, (_, at) => region.left + at)
  const table = sink.table(spec)
  for (const { line, cells } of rows) {
    if (cells.every((cell) => cell === null)) continue
    for (const column of columns) {
      const cell = cells[column]
      if (cell) stats.add(column, cell)
    }
    table.add(
      columns.map((column) => cells[column]?.text ?? null),
      line,
    )
  }
  const found = warnings.all(stats.durations().length)
  table.describe({
    hints: stats.hints(columns),
    warnings: spec.optional === true ? [hiddenSheetWarning(), ...found] : found,
  })
}
