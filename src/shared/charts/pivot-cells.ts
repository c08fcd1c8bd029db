import type { PivotModel, PivotRow, PivotRowValues } from './pivot-model'
import { toNumber, type CellFormatter } from '../figures/cell-formatter'
import type { TableColumn } from '../figures/table-columns'
import type { Cell, ResultColumn } from '../query/result'

export const TOTAL_LABEL = 'Total'

/** Whether the last columns are those of totals. */
export const hasTotalColumn = ({ totals, rows }: PivotModel): boolean =>
  (totals?.total ?? null) !== null || rows.some((row) => row.figures.total !== null)

/** Headings of the columns of figures: the value across, and the measure when there are several. */
export function pivotColumnHeaders(model: PivotModel): string[] {
  const { measures, across } = model
  const name = (label: string, measure: ResultColumn): string =>
    measures.length === 1 ? label : `${label}, ${measure.label}`
  const heads = across.map(({ label, incomplete }) => (incomplete ? `${label} *` : label))
  return [...heads, ...(hasTotalColumn(model) ? [TOTAL_LABEL] : [])].flatMap((label) =>
    measures.map((measure) => name(label, measure)),
  )
}

/** The figures of a row in the order of the headings. */
export function flattenPivotValues(
  { cells, total }: PivotRowValues,
  model: PivotModel,
): { value: Cell; row: number | null }[] {
  const empty = { value: null, row: null }
  const body = model.across.flatMap((_, at) => model.measures.map((_measure, m) => cells[at]?.[m] ?? empty))
  return total ? [...body, ...total.map((value) => ({ value, row: null }))] : body
}

/** The measure of a figure, by its place in a row. */
export const measureAt = (model: PivotModel, at: number): TableColumn | undefined =>
  model.measures[at % model.measures.length]

/** A figure as it stands in a pivot: nothing where a group has no rows. */
export function formatPivotCell(value: Cell, at: number, parts: { model: PivotModel; format: CellFormatter }): string {
  const column = measureAt(parts.model, at)
  return value === null || !column ? '' : parts.format.full(value, column)
}

const csvValue = (value: Cell): string | number | null =>
  typeof value === 'string' ? (toNumber(value) ?? value) : csvPrimitive(value)
const csvPrimitive = (value: Exclude<Cell, string>): number | string | null =>
  typeof value === 'boolean' ? String(value) : value

/** A pivot as lines of bare values for a table, its headings first. */
export const pivotLines = (model: PivotModel): (string | number | null)[][] =>
  pivotRecords(model).map((line) => line.map(csvValue))

/** A pivot as lines of its values, headings first and totals last; every split downwards has a column of its own. */
export function pivotRecords(model: PivotModel): Cell[][] {
  const outerOf = (row: PivotRow): string => model.rows.find((one) => one.key === row.parent)?.label ?? ''
  const names = (row: PivotRow): string[] => {
    if (model.downNames.length === 1) return [row.label]
    return row.depth === 0 ? [row.label, TOTAL_LABEL] : [outerOf(row), row.label]
  }
  const figures = (of: PivotRowValues): Cell[] => flattenPivotValues(of, model).map(({ value }) => value)
  return [
    [...model.downNames, ...pivotColumnHeaders(model)],
    ...model.rows.map((row) => [...names(row), ...figures(row.figures)]),
    ...(model.totals ? [[TOTAL_LABEL, ...model.downNames.slice(1).map(() => ''), ...figures(model.totals)]] : []),
  ]
}
