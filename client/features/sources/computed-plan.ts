import { expressionFieldsOf } from '../../../src/shared/plan-fields'
import type { Expr, Measure, QueryPlan } from '../../../src/shared/query'
import type { ColumnKey } from '../../../src/shared/sources'

/** Values shown of a formula that is being written. */
export const PREVIEW_ROWS = 5
/** Splits that a question may have. */
const DIMENSIONS_MAX = 3

/** The columns a formula reads, each once. */
const referencedColumns = (expr: Expr): ColumnKey[] => [
  ...new Set(expressionFieldsOf(expr).map(({ column }) => column)),
]

/**
 * Asks what comes out of a formula for some of the rows, without storing it: rows are put together by the columns it reads,
 * so each group has one value of it. A formula of more columns than a question has splits is asked of groups of one row.
 */
export function formulaPreviewPlan(dataset: string, expr: Expr): QueryPlan {
  const columns = referencedColumns(expr)
  const dimensions = columns.slice(0, DIMENSIONS_MAX).map((column) => ({ field: { dataset, column } }))
  const base: Omit<QueryPlan, 'measures'> = {
    v: 1,
    kind: 'aggregate',
    dataset,
    filters: [],
    dimensions,
    limit: PREVIEW_ROWS,
  }
  const value: Measure = { kind: 'expression', agg: 'min', row: expr, label: 'Result' }
  if (columns.length <= DIMENSIONS_MAX) return { ...base, measures: [value] }
  return { ...base, measures: [value, { kind: 'column', agg: 'count' }], having: [{ measure: 1, op: 'eq', value: 1 }] }
}
