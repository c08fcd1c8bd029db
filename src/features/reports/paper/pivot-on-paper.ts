import type { PaperRow, PaperTable } from '../../../formats/pdf/paper-table'
import { flattenPivotValues, formatPivotCell, hasTotalColumn, TOTAL_LABEL } from '../../../shared/charts/pivot-cells'
import { pivotModel, type PivotModel, type PivotResults, type PivotRow } from '../../../shared/charts/pivot-model'
import { withPercent } from '../../../shared/charts/chart-model'
import type { CellFormatter } from '../../../shared/figures/cell-formatter'
import type { TileContent } from '../../../shared/reports/tiles'
import { humanizeLabel } from '../../../shared/text'

type ChartContent = Extract<TileContent, { kind: 'chart' }>

/** The pivot of a block as it is on the screen; null where the block is drawn otherwise. */
export function pivotOf({ viz, result, pivot = {} }: ChartContent, format: CellFormatter): PivotModel | null {
  if (viz.chart !== 'pivot') return null
  const { rows, across, outer, outerTotal } = pivot
  const shown = (one: PivotResults['rows']) => one && withPercent(one, viz.percent)
  const totals = { rows: shown(rows), across: shown(across), outer: shown(outer), outerTotal: shown(outerTotal) }
  return pivotModel(withPercent(result, viz.percent), totals, format)
}

/** Headings of the columns of figures, a text for each of their lines: what stands across, then which figure. */
export function pivotHeads(model: PivotModel): string[][] {
  const across = model.across.map(({ label, incomplete }) => (incomplete ? `${label} *` : label))
  const labels = [...across, ...(hasTotalColumn(model) ? [TOTAL_LABEL] : [])]
  return labels.flatMap((label) =>
    model.measures.map((measure) => (model.measures.length === 1 ? [label] : [label, measure.label])),
  )
}

/** What stands above the names of the rows. */
export const pivotCorner = (model: PivotModel): string => model.downNames.map(humanizeLabel).join(' / ')

/** Outer rows of a pivot with inner ones hold the sums of these. */
export const isOuter = ({ downNames }: PivotModel, { depth }: PivotRow): boolean => downNames.length > 1 && depth === 0

/** A pivot as a table of a paper: names down, values across, totals last. */
export function pivotTable(model: PivotModel, format: CellFormatter): PaperTable {
  const heads = pivotHeads(model)
  const firstTotal = model.across.length * model.measures.length
  const texts = (figures: PivotRow['figures']): string[] =>
    flattenPivotValues(figures, model).map(({ value }, at) => formatPivotCell(value, at, { model, format }))
  const corner = pivotCorner(model)
  return {
    columns: [
      { heads: model.measures.length === 1 ? [corner] : ['', corner], align: 'left' },
      ...heads.map((lines, at) => ({ heads: lines, align: 'right' as const, bold: at >= firstTotal })),
    ],
    rows: [
      ...model.rows.map((row): PaperRow => ({
        style: isOuter(model, row) ? 'heading' : 'line',
        indent: row.depth,
        cells: [row.label, ...texts(row.figures)],
      })),
      ...(model.totals ? [{ style: 'total' as const, cells: [TOTAL_LABEL, ...texts(model.totals)] }] : []),
    ],
  }
}
