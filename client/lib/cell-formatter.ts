import { useMemo } from 'react'
import { createCellFormatter, type CellFormatter } from '../../src/shared/figures/cell-formatter'
import { useFormat } from './format'

/** The figures of this tab's workspace. */
export function useCellFormatter(): CellFormatter {
  const format = useFormat()
  return useMemo(() => createCellFormatter(format), [format])
}
