import type { Cell, ResultColumn } from '../../../../src/shared/query/result'
import { neutralizeFormula } from '../../../../src/shared/csv-line'
import { rowsInView } from '../../../../src/shared/query/table-view'
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

/** A pivot as lines for the clipboard, figures unformatted; every split downwards has a column of its own. */
export function pivotLines(model: PivotModel, { decimalMark }: Pick<CellFormatter, 'decimalMark'>): string[][] {
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
  const text = (cell: string | number | null): string => {
    if (cell === null) return ''
    return typeof cell === 'number' ? String(cell).replace('.', decimalMark) : neutralizeFormula(cell)
  }
  return lines.map((line) => line.map(text))
}

/** By which column a pivot is sorted: 0 is that of names, then the figures in the order of their headings. */
export interface PivotSort {
  column: number
  dir: 'asc' | 'desc'
}

/** The rows in another order, inner rows within their outer one. Rows without the figure come last. */
export function sortedPivotRows(model: PivotModel, sort: PivotSort | null): PivotRow[] {
  if (!sort) return [...model.rows]
  const valueOf = (row: PivotRow): Cell =>
    sort.column === 0 ? row.label : (flattenPivotValues(row.figures, model)[sort.column - 1]?.value ?? null)
  const inOrder = (rows: readonly PivotRow[]): PivotRow[] => {
    const view = { sort: { column: 0, dir: sort.dir }, filters: [] }
    const order = rowsInView({ rows: rows.map((row) => [valueOf(row)]), otherRow: null }, view)
    return order.flatMap((at) => rows[at] ?? [])
  }
  const outer = inOrder(model.rows.filter(({ parent }) => parent === null))
  return outer.flatMap((row) => [row, ...inOrder(model.rows.filter(({ parent }) => parent === row.key))])
}
