import type { Cell } from '../../../src/shared/query/result'
import { neutralizeFormula } from '../../../src/shared/csv-line'
import { rowsInView, type TableView } from '../../../src/shared/query/table-view'
import type { CellFormatter } from '../../../src/shared/figures/cell-formatter'
import type { PivotHead, PivotRowValues, PivotModel, PivotRow } from '../../../src/shared/charts/pivot-model'
import {
  flattenPivotValues,
  formatPivotCell,
  measureAt,
  pivotColumnHeaders,
  TOTAL_LABEL,
} from '../../../src/shared/charts/pivot-cells'
import type { TextTable } from '../chart/export-page'
import { humanizeLabel } from '../../../src/shared/text'
import type { DataColumn } from '../data-table/data-column'

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

/** A value for the clipboard: figures as spreadsheets of the same locale read them, texts that become no formula. */
export function pivotCellText(
  cell: string | number | null,
  { decimalMark }: Pick<CellFormatter, 'decimalMark'>,
): string {
  if (cell === null) return ''
  return typeof cell === 'number' ? String(cell).replace('.', decimalMark) : neutralizeFormula(cell)
}

/** What the headings of figures stand for, one after the other; null for those of totals. */
export const columnHeads = ({ across, measures }: PivotModel): (PivotHead | null)[] =>
  across.flatMap(({ head }) => measures.map(() => head))

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
