import { useQuery } from '@tanstack/react-query'
import { useDebouncedValue } from '@mantine/hooks'
import { useMemo, useReducer, useState } from 'react'
import { decimalsOf } from './cell-reading'
import { applyEdits, editReducer, NO_EDITS } from './column-edits'
import type { ColumnEdit } from './column-edits'
import { badCounts, shownCells } from './grid-cells'
import { inspectionQuery } from './queries'
import type { CsvSettings, FileColumn, FileInspection } from '../../../src/shared/files'

const DEBOUNCE_MS = 250
const NOTHING: FileInspection = {
  kind: 'csv',
  settings: {
    ...{ encoding: 'utf-8', delimiter: ',', quote: '"', escape: '"', header: true, skipLines: 0 },
    ...{ decimalMark: '.', dateOrder: 'ymd' },
  },
  columns: [],
  preview: [],
  typedPreview: [],
  rows: { count: 0, exact: true },
  warnings: [],
}

/** Most decimals among the shown cells, at most the four that are kept exactly. */
function decimalsIn(inspection: FileInspection, column: FileColumn): number {
  const mark = column.decimalMark ?? inspection.settings.decimalMark
  return inspection.preview.reduce(
    (most, row) => Math.min(4, Math.max(most, decimalsOf(row[column.index] ?? '', mark))),
    0,
  )
}

/**
 * An upload as it would be loaded: what inspection found, laid over with the person's corrections. Corrected settings
 * ask the server again after a pause; the answer to older settings is never shown for newer ones.
 */
export function useImport(uploadId: string) {
  const [corrected, setCorrected] = useState<Partial<CsvSettings>>({})
  const [settled] = useDebouncedValue(corrected, DEBOUNCE_MS)
  const [edits, dispatch] = useReducer(editReducer, NO_EDITS)
  const query = useQuery(inspectionQuery(uploadId, settled))
  const inspection = query.data ?? NOTHING
  const columns = useMemo(() => applyEdits(inspection.columns, edits), [inspection.columns, edits])
  const cells = useMemo(() => shownCells(inspection, columns), [inspection, columns])
  const bad = useMemo(() => badCounts(cells, columns), [cells, columns])
  const edit = (at: number, change: ColumnEdit) => {
    const column = inspection.columns[at]
    if (!column) return
    const scale = change.type === 'number' ? { scale: decimalsIn(inspection, column) } : {}
    dispatch({ kind: 'change', column, edit: { ...change, ...scale } })
  }
  return {
    /** Null until the file has been read once. */
    inspection: query.data ?? null,
    corrected,
    error: query.error,
    reading: query.isFetching || corrected !== settled,
    columns,
    cells,
    bad,
    correct: (change: Partial<CsvSettings>) => setCorrected((before) => ({ ...before, ...change })),
    undoCorrections: () => setCorrected({}),
    readAgain: () => void query.refetch(),
    edit,
    reset: (at: number): (() => void) | undefined => {
      const column = inspection.columns[at]
      return column && edits.has(column.index) ? () => dispatch({ kind: 'reset', index: column.index }) : undefined
    },
  }
}
export type Import = ReturnType<typeof useImport>
