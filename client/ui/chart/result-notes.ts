import type { ChartSpec } from './chart-spec'
import { isIncompleteBucket } from '../../../src/shared/charts/chart-model'
import type { CellFormatter } from '../../../src/shared/figures/cell-formatter'
import { describeDataRange, describePeriodData } from '../../../src/shared/query/partial-bucket'
import type { QueryResult } from '../../../src/shared/query/result'
import { capitalize } from '../../../src/shared/text'

/**
 * What is missing of an answer or of its picture, in sentences: a hatched bar alone explains nothing. `limit`: so many
 * groups were asked for, and whoever asks for a top N needs no advice to do so.
 */
export function resultNotes(
  result: QueryResult,
  drawing: Pick<ChartSpec, 'notes'> | null,
  day: CellFormatter['day'],
  limit?: number,
): string[] {
  const { period } = result
  // Only points of time that run are marked by the star: without them the heading says it already.
  const hasRunning = result.columns.some(({ partial: _cut, ...column }, at) =>
    result.rows.some((row) => column.kind === 'dimension' && isIncompleteBucket(row[at] ?? null, column, period)),
  )
  const partial = [
    ...new Set(result.columns.flatMap((column) => (column.partial ?? []).map((one) => describeDataRange(one, day)))),
  ]
  const isTop = limit !== undefined && result.rows.length >= limit
  const missing = period && describePeriodData(period, day)
  return [
    ...(hasRunning ? ['* Incomplete: the period is still running.'] : []),
    ...(partial.length > 0 ? [`* Incomplete: ${partial.join(', ')}.`] : []),
    ...(missing === null || partial.length > 0 ? [] : [`${capitalize(missing)}.`]),
    ...(result.truncated && limit !== 1
      ? [`Showing ${result.rows.length} of ${result.rowCount} groups.${isTop ? '' : ' Add a filter or a top N.'}`]
      : []),
    ...(drawing?.notes ?? []),
  ]
}
