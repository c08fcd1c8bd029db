import { countDecimals } from './cell-reading'
import { applyColumnEdits } from './column-edits'
import type { FileColumnEdits } from './column-edits'
import { countInvalidCells, previewCells } from './grid-cells'
import type { FileColumn, FileInspection, PreviewCell } from '../../../src/shared/files'

/** A table as it would be loaded: what inspection found, with the person's edits laid over. */
export interface ParsedTable {
  columns: FileColumn[]
  cells: PreviewCell[][]
  /** Unreadable cells of each column among the shown rows. */
  bad: number[]
}

export const EMPTY_PARSED_TABLE: ParsedTable = { columns: [], cells: [], bad: [] }
const parsedTables = new WeakMap<FileInspection, { edits: FileColumnEdits; reading: ParsedTable }>()

/** Reads anew only when the inspection or the edits are others: twenty tables of hundreds of columns are not read at every key. */
export function parseTable(inspection: FileInspection, edits: FileColumnEdits): ParsedTable {
  const before = parsedTables.get(inspection)
  if (before?.edits === edits) return before.reading
  const columns = applyColumnEdits(inspection.columns, edits)
  const cells = previewCells(inspection, columns)
  const reading = { columns, cells, bad: countInvalidCells(cells, columns) }
  parsedTables.set(inspection, { edits, reading })
  return reading
}

/** Most decimals among the shown cells, at most the four that are kept exactly. */
export function maxDecimals(inspection: FileInspection, column: FileColumn): number {
  const mark = column.decimalMark ?? inspection.settings.decimalMark
  return inspection.preview.reduce(
    (most, row) => Math.min(4, Math.max(most, countDecimals(row[column.index] ?? '', mark))),
    0,
  )
}
