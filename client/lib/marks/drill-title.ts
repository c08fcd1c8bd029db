import type { QueryResult } from '../../../src/shared/query/result'
import type { CellFormatter } from '../../../src/shared/figures/cell-formatter'
import { columnsOfKind, isOther } from '../../../src/shared/charts/chart-model'

/** What a row of the answer is called: "Jan 2026, Sweden". */
export function drillTitle(
  { result, row, dimensions }: { result: QueryResult; row: number; dimensions?: readonly number[] | undefined },
  format: CellFormatter,
): string {
  const splits = columnsOfKind(result, 'dimension').filter((_, at) => !dimensions || dimensions.includes(at))
  const names = splits.map(({ column, at }) =>
    isOther(result, row, at) ? 'Other' : format.label(result.rows[row]?.[at] ?? null, column),
  )
  return names.join(', ') || 'All rows'
}
