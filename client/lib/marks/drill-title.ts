import type { QueryResult } from '../../../src/shared/query/result'
import type { CellFormatter } from '../../../src/shared/figures/cell-formatter'
import { columnsOfKind, isOther } from '../../../src/shared/charts/chart-model'

/** What a row of the answer is called: "Jan 2026, Sweden". */
export function drillTitle(result: QueryResult, row: number, format: CellFormatter): string {
  const names = columnsOfKind(result, 'dimension').map(({ column, at }) =>
    isOther(result, row, at) ? 'Other' : format.label(result.rows[row]?.[at] ?? null, column),
  )
  return names.join(', ') || 'All rows'
}
