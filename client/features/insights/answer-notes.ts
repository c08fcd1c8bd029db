import type { QueryResult } from '../../../src/shared/query-result'
import type { ChartSpec } from '../../ui/chart/drawing'

/** What is missing of an answer or of its picture, in sentences: a hatched bar alone explains nothing. */
export function resultNotes(result: QueryResult, drawing: Pick<ChartSpec, 'notes'> | null): string[] {
  const hasTimeDimension = result.columns.some((column) => column.kind === 'dimension' && column.grain)
  // Only points of time are marked by the star: without them the heading says it already.
  const showsIncompleteNote = result.period?.incomplete && hasTimeDimension
  return [
    ...(showsIncompleteNote ? ['* The last point is not complete yet.'] : []),
    ...(result.truncated
      ? [
          `The answer is cut: ${result.rows.length} of ${result.rowCount} groups are here. Narrow it by a filter or a top.`,
        ]
      : []),
    ...(drawing?.notes ?? []),
  ]
}
