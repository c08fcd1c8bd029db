import type { Cell, ResultColumn } from '../../../src/shared/query/result'
import { neutralizeFormula } from '../../../src/shared/csv-line'
import { rowsInView, type TableView } from '../../../src/shared/query/table-view'
import { toNumber, type CellFormatter } from '../../../src/shared/figures/cell-formatter'
import type { PivotRowValues, PivotModel, PivotRow } from '../chart/pivot-model'
import type { TextTable } from '../chart/export-page'
import { humanizeLabel } from '../../lib/query-builder/catalogue'
import type { DataColumn } from '../data-table/data-column'
import type { TableColumn } from '../data-table/result-cells'

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

const measureAt = (model: PivotModel, at: number): TableColumn | undefined => model.measures[at % model.measures.length]

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

/** A pivot as lines of bare values, totals last; every split downwards has a column of its own. */
export function pivotLines(model: PivotModel): (string | number | null)[][] {
  const outerOf = (row: PivotRow): string => model.rows.find((one) => one.key === row.parent)?.label ?? ''
  const names = (row: PivotRow): string[] => {
    if (model.downNames.length === 1) return [row.label]
    return row.depth === 0 ? [row.label, TOTAL_LABEL] : [outerOf(row), row.label]
  }
  const figures = (of: PivotRowValues): (string | number | null)[] =>
    flattenPivotValues(of, model).map(({ value }) => csvValue(value))
  return [
    [...model.downNames, ...pivotColumnHeaders(model)],
    ...model.rows.map((row) => [...names(row), ...figures(row.figures)]),
    ...(model.totals ? [[TOTAL_LABEL, ...model.downNames.slice(1).map(() => ''), ...figures(model.totals)]] : []),
  ]
}

/** A value for the clipboard: figures as spreadsheets of the same locale read them, texts that become no formula. */
export function pivotCellText(
  cell: string | number | null,
  { decimalMark }: Pick<CellFormatter, 'decimalMark'>,
): string {
  if (cell === null) return ''
  return typeof cell === 'number' ? String(cell).replace('.', decimalMark) : neutralizeFormula(cell)
}

/** The columns as they are sorted and filtered: that of names, then the figures. */
export const pivotColumns = (model: PivotModel): DataColumn[] =>
  [model.downNames.map(humanizeLabel).join(' / '), ...pivotColumnHeaders(model)].map((label, at) => ({
    ...{ key: `${at}/${label}`, label, kind: at === 0 ? 'text' : 'number', sortable: true, filterable: true },
    percent: at > 0 && measureAt(model, at - 1)?.format.style === 'percent',
  }))

/** What a row is found by: its own name and that of the row it is in. */
const pathOf = (row: PivotRow, rows: readonly PivotRow[]): string =>
  [rows.find(({ key }) => key === row.parent)?.label, row.label].filter((label) => label !== undefined).join(' / ')

/**
 * The rows as they are looked at, inner rows within their outer one. Filters choose among the innermost rows; an outer
 * row is there as long as one of its own is. Rows without the figure come last.
 */
export function pivotRowsInView(model: PivotModel, { sort, filters }: TableView): PivotRow[] {
  const { rows } = model
  const cellsOf = (row: PivotRow, name: string): Cell[] => [
    name,
    ...flattenPivotValues(row.figures, model).map(({ value }) => value),
  ]
  const inView = (of: readonly PivotRow[], view: TableView, nameOf: (row: PivotRow) => string): PivotRow[] =>
    rowsInView({ rows: of.map((row) => cellsOf(row, nameOf(row))), otherRow: null }, view).flatMap((at) => of[at] ?? [])
  const innermost = rows.filter(({ depth }) => depth === model.downNames.length - 1)
  const kept = new Set(inView(innermost, { sort: null, filters }, (row) => pathOf(row, rows)))
  const inOrder = (of: readonly PivotRow[]): PivotRow[] => inView(of, { sort, filters: [] }, ({ label }) => label)
  const isShown = (row: PivotRow): boolean => kept.has(row) || [...kept].some(({ parent }) => parent === row.key)
  return inOrder(rows.filter((row) => row.parent === null && isShown(row))).flatMap((row) => [
    row,
    ...inOrder(rows.filter((inner) => inner.parent === row.key && kept.has(inner))),
  ])
}
