import type { QueryPlan } from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'

/** Whether an answer holds any figure at all: a sum over no rows is nothing, not zero. */
export const hasValues = (result: QueryResult): boolean =>
  result.rows.some((row) => result.columns.some((column, at) => column.kind === 'measure' && row[at] !== null)) &&
  !isEmptyCount(result)

function isEmptyCount(result: QueryResult): boolean {
  const dimensions = result.columns.some((column) => column.kind === 'dimension')
  const measures = result.columns.flatMap((column, at) => (column.kind === 'measure' ? [at] : []))
  const previous = result.columns.flatMap((column, at) => (column.kind === 'previous' ? [at] : []))
  const [row] = result.rows
  if (dimensions || !row) return false
  return (
    measures.every((at) => row[at] === null || row[at] === 0) &&
    previous.every((at) => !row[at]) &&
    result.period !== null
  )
}

/** The same question over the whole history. */
export const withAllTime = (plan: QueryPlan): QueryPlan =>
  plan.period
    ? {
        ...plan,
        period: {
          ...plan.period,
          range: { kind: 'relative', span: 'all', unit: 'year', n: 1, includeCurrent: false },
          compare: 'none',
        },
      }
    : plan
