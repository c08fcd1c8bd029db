import type { QueryResult } from '../../../src/shared/query-result'
import type { Drawing } from '../../ui/chart/drawing'

/** What is missing of an answer or of its picture, in sentences: a hatched bar alone explains nothing. */
export function answerNotes(result: QueryResult, drawing: Pick<Drawing, 'notes'> | null): string[] {
  const time = result.columns.some((column) => column.kind === 'dimension' && column.grain)
  // Only points of time are marked by the star: without them the heading says it already.
  const star = result.period?.incomplete && time
  return [
    ...(star ? ['* The last point is not complete yet.'] : []),
    ...(result.truncated
      ? [
          `The answer is cut: ${result.rows.length} of ${result.rowCount} groups are here. Narrow it by a filter or a top.`,
        ]
      : []),
    ...(drawing?.notes ?? []),
  ]
}
