import type { QueryResult } from '../../../src/shared/query/result'
import { columnsOfKind } from '../../../src/shared/charts/chart-model'

/** Whether an answer holds any figure at all: a sum over no rows is nothing, not zero. Of a list of values, whether it has any. */
export const hasValues = (result: QueryResult): boolean =>
  columnsOfKind(result, 'measure').length === 0 ? result.rows.length > 0 : hasFigures(result)

const hasFigures = (result: QueryResult): boolean =>
  result.rows.some((row) => result.columns.some((column, at) => column.kind === 'measure' && row[at] !== null)) &&
  !isEmptyCount(result)

function isEmptyCount(result: QueryResult): boolean {
  const [row] = result.rows
  if (columnsOfKind(result, 'dimension').length > 0 || !row || result.period === null) return false
  return (
    columnsOfKind(result, 'measure').every(({ at }) => row[at] === null || row[at] === 0) &&
    columnsOfKind(result, 'previous').every(({ at }) => !row[at])
  )
}
