import type { Cell, ResultColumn } from '../../../../src/shared/query/result'
import { csvLine } from '../../../../src/shared/csv-line'
import { toNumber, type CellFormatter } from '../../../lib/cell-formatter'
import type { PivotRowValues, PivotModel, PivotRow } from '../../../ui/chart/pivot-model'
import type { TextTable } from '../../../ui/chart/export-page'

export const TOTAL_LABEL = 'Total'

/** Headings of the columns of figures: the value across, and the measure when there are several. */
export function pivotColumnHeaders(model: PivotModel): string[] {
  const { measures, across, totals, rows } = model
  const name = (label: string, measure: ResultColumn): string =>
    measures.length === 1 ? label : `${label}, ${measure.label}`
  const hasTotals = totals !== null || rows.some((row) => row.figures.total !== null)
  const heads = across.map(({ label, incomplete }) => (incomplete ? `${label} *` : label))
  return [...heads, ...(hasTotals ? [TOTAL_LABEL] : [])].flatMap((label) =>
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

const measureAt = (model: PivotModel, at: number): ResultColumn | undefined =>
  model.measures[at % model.measures.length]

/** A figure as it stands in a pivot: nothing where a group has no rows. */
export function formatPivotCell(value: Cell, at: number, parts: { model: PivotModel; format: CellFormatter }): string {
  const column = measureAt(parts.model, at)
  return value === null || !column ? '' : parts.format.full(value, column)
}

/** A pivot as the texts of a table, totals last. */
export function pivotTextTable(model: PivotModel, format: CellFormatter): TextTable {
  const texts = (figures: PivotRowValues): string[] =>
    flattenPivotValues(figures, model).map(({ value }, at) => formatPivotCell(value, at, { model, format }))
  const heads = pivotColumnHeaders(model)
  const nested = model.downNames.length > 1
  return {
    head: [model.downNames.join(' / '), ...heads],
    rows: [
      ...model.rows.map((row) => ({
        cells: [`${row.depth > 0 ? '    ' : ''}${row.label}`, ...texts(row.figures)],
        strong: nested && row.depth === 0,
      })),
      ...(model.totals ? [{ cells: [TOTAL_LABEL, ...texts(model.totals)], strong: true }] : []),
    ],
    figures: [false, ...heads.map(() => true)],
  }
}

const csvValue = (value: Cell): string | number | null =>
  typeof value === 'string' ? (toNumber(value) ?? value) : csvPrimitive(value)
const csvPrimitive = (value: Exclude<Cell, string>): number | string | null =>
  typeof value === 'boolean' ? String(value) : value

/** A pivot as CSV, figures unformatted; every split downwards has a column of its own. */
export function pivotCsv(model: PivotModel): string {
  const outerOf = (row: PivotRow): string => model.rows.find((one) => one.key === row.parent)?.label ?? ''
  const names = (row: PivotRow): string[] => {
    if (model.downNames.length === 1) return [row.label]
    return row.depth === 0 ? [row.label, TOTAL_LABEL] : [outerOf(row), row.label]
  }
  const figures = (of: PivotRowValues): (string | number | null)[] =>
    flattenPivotValues(of, model).map(({ value }) => csvValue(value))
  const lines = [
    [...model.downNames, ...pivotColumnHeaders(model)],
    ...model.rows.map((row) => [...names(row), ...figures(row.figures)]),
    ...(model.totals ? [[TOTAL_LABEL, ...model.downNames.slice(1).map(() => ''), ...figures(model.totals)]] : []),
  ]
  return lines.map((line) => csvLine(line)).join('')
}
