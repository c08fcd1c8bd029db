import type { Cell, QueryResult, ResultColumn } from '../../../src/shared/query/result'
import { isExistsFilter, type FieldFilter, type Filter, type QueryPlan } from '../../../src/shared/query/plan'
import type { CellFormatter } from '../../../src/shared/figures/cell-formatter'
import { humanizeLabel } from '../../../src/shared/text'
import { dimensionConstraints } from './drill-plan'
import { drillTitle } from './drill-title'

interface AnsweredMark {
  plan: QueryPlan
  result: QueryResult
  row: number
  /** Which of its splits are meant; absent: all. */
  dimensions?: readonly number[] | undefined
}

const isFieldFilter = (filter: Filter): filter is FieldFilter => !isExistsFilter(filter)

/**
 * What a mark means to rows that are not its own: the values of its splits, of a unit of time its days. A heading stands
 * for some of the splits only.
 */
export function markFilters({ plan, result, row, dimensions }: AnsweredMark): FieldFilter[] {
  return plan.dimensions.flatMap(({ field }, at): FieldFilter[] => {
    if (dimensions && !dimensions.includes(at)) return []
    const { filters, days } = dimensionConstraints({ plan, result, row }, at)
    const ofValues = filters.filter(isFieldFilter)
    return days ? [...ofValues, { field, any: [{ op: 'between', ...days }] }] : ofValues
  })
}

const dimensionsOf = ({ columns }: QueryResult): ResultColumn[] => columns.filter(({ kind }) => kind === 'dimension')

/** What the splits of an answer are called: "Country", "Month and country". */
export const splitNames = (result: QueryResult, dimensions?: readonly number[]): string =>
  dimensionsOf(result)
    .filter((_, at) => !dimensions || dimensions.includes(at))
    .map(({ label }) => humanizeLabel(label))
    .join(' and ')

/** A mark in words: "Sweden", "Jan 2026, Sweden". */
export const markLabel = ({ result, row, dimensions }: Omit<AnsweredMark, 'plan'>, format: CellFormatter): string =>
  drillTitle({ result, row, dimensions }, format)

/** The rows of an answer that any of these marks stands for: one of some splits only for every row that shares them. */
export function rowsOfMarks(
  { plan, result }: Omit<AnsweredMark, 'row'>,
  marks: readonly (readonly FieldFilter[])[],
): ReadonlySet<number> {
  const wanted = marks.map((filters) => filters.map((filter) => JSON.stringify(filter)))
  const rows = result.rows.flatMap((_: Cell[], row) => {
    const own = new Set(markFilters({ plan, result, row }).map((filter) => JSON.stringify(filter)))
    return wanted.some((mark) => mark.length > 0 && mark.every((filter) => own.has(filter))) ? [row] : []
  })
  return new Set(rows)
}

/** Whether a mark is what these filters were made of. */
export const isMarkOf = (mark: AnsweredMark, filters: readonly FieldFilter[]): boolean =>
  JSON.stringify(markFilters(mark)) === JSON.stringify(filters)
