import { decimalsOf } from './cell-reading'
import { applyEdits } from './column-edits'
import type { ColumnEdits } from './column-edits'
import { badCounts, shownCells } from './grid-cells'
import type { FileColumn, FileInspection, PreviewCell } from '../../../src/shared/files'

/** A table as it would be loaded: what inspection found, with the person's edits laid over. */
export interface TableReading {
  columns: FileColumn[]
  cells: PreviewCell[][]
  /** Unreadable cells of each column among the shown rows. */
  bad: number[]
}

export const NOTHING_READ: TableReading = { columns: [], cells: [], bad: [] }
const kept = new WeakMap<FileInspection, { edits: ColumnEdits; reading: TableReading }>()

/** Reads anew only when the inspection or the edits are others: twenty tables of hundreds of columns are not read at every key. */
export function readingOf(inspection: FileInspection, edits: ColumnEdits): TableReading {
  const before = kept.get(inspection)
  if (before?.edits === edits) return before.reading
  const columns = applyEdits(inspection.columns, edits)
  const cells = shownCells(inspection, columns)
  const reading = { columns, cells, bad: badCounts(cells, columns) }
  kept.set(inspection, { edits, reading })
  return reading
}

/** Most decimals among the shown cells, at most the four that are kept exactly. */
export function decimalsIn(inspection: FileInspection, column: FileColumn): number {
  const mark = column.decimalMark ?? inspection.settings.decimalMark
  return inspection.preview.reduce(
    (most, row) => Math.min(4, Math.max(most, decimalsOf(row[column.index] ?? '', mark))),
    0,
  )
}
