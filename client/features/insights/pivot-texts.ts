import type { Cell, ResultColumn } from '../../../src/shared/query-result'
import { csvLine } from '../../../src/shared/csv-line'
import { numeric } from '../../ui/chart/figure-format'
import type { FigureFormat } from '../../ui/chart/figure-format'
import type { PivotFigures, PivotModel, PivotRow } from '../../ui/chart/pivot-model'
import type { TextTable } from '../../ui/chart/sheet-bodies'

export const TOTAL = 'Total'

/** Headings of the columns of figures: the value across, and the measure when there are several. */
export function pivotHeads(model: PivotModel): string[] {
  const { measures, across, totals, rows } = model
  const name = (label: string, measure: ResultColumn): string =>
    measures.length === 1 ? label : `${label}, ${measure.label}`
  const hasTotals = totals !== null || rows.some((row) => row.figures.total !== null)
  const heads = across.map(({ label, incomplete }) => (incomplete ? `${label} *` : label))
  return [...heads, ...(hasTotals ? [TOTAL] : [])].flatMap((label) => measures.map((measure) => name(label, measure)))
}

/** The figures of a row in the order of the headings. */
export function flatFigures({ cells, total }: PivotFigures, model: PivotModel): { value: Cell; row: number | null }[] {
  const empty = { value: null, row: null }
  const body = model.across.flatMap((_, at) => model.measures.map((_measure, m) => cells[at]?.[m] ?? empty))
  return total ? [...body, ...total.map((value) => ({ value, row: null }))] : body
}

const measureAt = (model: PivotModel, at: number): ResultColumn | undefined =>
  model.measures[at % model.measures.length]

/** A figure as it stands in a pivot: nothing where a group has no rows. */
export function pivotText(value: Cell, at: number, parts: { model: PivotModel; format: FigureFormat }): string {
  const column = measureAt(parts.model, at)
  return value === null || !column ? '' : parts.format.full(value, column)
}

/** A pivot as the texts of a table, totals last. */
export function pivotTable(model: PivotModel, format: FigureFormat): TextTable {
  const texts = (figures: PivotFigures): string[] =>
    flatFigures(figures, model).map(({ value }, at) => pivotText(value, at, { model, format }))
  const heads = pivotHeads(model)
  const nested = model.downNames.length > 1
  return {
    head: [model.downNames.join(' / '), ...heads],
    rows: [
      ...model.rows.map((row) => ({
        cells: [`${row.depth > 0 ? '    ' : ''}${row.label}`, ...texts(row.figures)],
        strong: nested && row.depth === 0,
      })),
      ...(model.totals ? [{ cells: [TOTAL, ...texts(model.totals)], strong: true }] : []),
    ],
    figures: [false, ...heads.map(() => true)],
  }
}

const raw = (value: Cell): string | number | null =>
  typeof value === 'string' ? (numeric(value) ?? value) : bare(value)
const bare = (value: Exclude<Cell, string>): number | string | null =>
  typeof value === 'boolean' ? String(value) : value

/** A pivot as CSV, figures unformatted; every split downwards has a column of its own. */
export function pivotCsv(model: PivotModel): string {
  const outerOf = (row: PivotRow): string => model.rows.find((one) => one.key === row.parent)?.label ?? ''
  const names = (row: PivotRow): string[] => {
    if (model.downNames.length === 1) return [row.label]
    return row.depth === 0 ? [row.label, TOTAL] : [outerOf(row), row.label]
  }
  const figures = (of: PivotFigures): (string | number | null)[] =>
    flatFigures(of, model).map(({ value }) => raw(value))
  const lines = [
    [...model.downNames, ...pivotHeads(model)],
    ...model.rows.map((row) => [...names(row), ...figures(row.figures)]),
    ...(model.totals ? [[TOTAL, ...model.downNames.slice(1).map(() => ''), ...figures(model.totals)]] : []),
  ]
  return lines.map(csvLine).join('')
}
