import { isText } from './expr-type'
import { invalidPlan } from './refuse'
import { hasWindow } from './windows'
import { isLeafMeasure, operandsOf } from '../../shared/plan-fields'
import type { Dimension, Field, Measure, QueryPlan } from '../../shared/query'
import type { Column } from '../../shared/sources'

/** What of the catalogue this looks at. */
interface ColumnSchema {
  find(datasetId: string): { columns: Column[] } | null
}
const columnIn = (view: ColumnSchema, field: Field): Column | undefined =>
  view.find(field.dataset)?.columns.find(({ key }) => key === field.column)

/** That only numbers are calculated with and added up over time; a ratio of anything else is nothing. */
export function checkNumbers(measure: Measure, path: string, view: ColumnSchema): void {
  for (const part of operandsOf(measure)) {
    if ((measure.kind === 'calc' || measure.kind === 'cumulative') && !isNumber(part, view))
      throw invalidPlan(path, 'Only numbers can be calculated with.')
    checkNumbers(part, path, view)
  }
}

function isNumber(measure: Measure, view: ColumnSchema): boolean {
  if (measure.kind === 'prev') return isNumber(measure.of, view)
  if (!isLeafMeasure(measure) || measure.agg === 'count' || measure.agg === 'countDistinct') return true
  if (measure.kind === 'expression') return !isText(measure.row, (field) => columnIn(view, field)?.type)
  const type = measure.field ? columnIn(view, measure.field)?.type : 'integer'
  return type === 'integer' || type === 'number'
}

/** Whether a split is by units of time, one after the other. */
export const isTimeDimension = ({ field, grain, grouping }: Dimension, view: ColumnSchema): boolean =>
  grouping === undefined && (grain !== undefined || columnIn(view, field)?.type === 'date')

/** Earlier units and running totals need one line of units to run over. */
export function checkWindows(plan: QueryPlan, view: ColumnSchema): void {
  if (!plan.measures.some(hasWindow)) return
  const times = plan.dimensions.flatMap((dimension, i) => (isTimeDimension(dimension, view) ? [{ dimension, i }] : []))
  const [only, second] = times
  if (!only || second)
    throw invalidPlan(
      'dimensions',
      'Earlier units and running totals need exactly one split by time: split by day, month, year …',
    )
  if (only.dimension.topN !== undefined)
    throw invalidPlan(
      `dimensions.${only.i}.topN`,
      'Earlier units and running totals need every unit of time: show all of them.',
    )
}
