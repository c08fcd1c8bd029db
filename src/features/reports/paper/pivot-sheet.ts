import { isOuter, pivotCorner, pivotHeads } from './pivot-on-paper'
import type { CellLook } from '../../../formats/workbook/xlsx-parts'
import type { XlsxCell, XlsxLookedRow, XlsxSheet } from '../../../formats/workbook/xlsx-writer'
import { figureFormat, type FileTable } from '../../../http/files/table-download'
import {
  flattenPivotValues,
  measureAt,
  pivotColumnHeaders,
  pivotRecords,
  TOTAL_LABEL,
} from '../../../shared/charts/pivot-cells'
import type { PivotModel, PivotRowValues } from '../../../shared/charts/pivot-model'
import { toNumber } from '../../../shared/figures/cell-formatter'
import type { Cell } from '../../../shared/query/result'

const NAME_WIDTH = 34
const FIGURE_WIDTH = 16
/** More columns of figures than these are printed across. */
const PORTRAIT_COLUMNS = 5
/** A pivot that is wider than a page can be reads better over several of them. */
const FITTED_COLUMNS = 16

const numberOf = (value: Cell): XlsxCell => (typeof value === 'string' ? (toNumber(value) ?? value) : value)
const valuesOf = (figures: PivotRowValues, model: PivotModel): Cell[] =>
  flattenPivotValues(figures, model).map(({ value }) => value)

/**
 * A pivot as a sheet, in the shape that it has on the screen: its headings and names stay in sight, inner rows can be
 * folded away below theirs, totals are last.
 */
export function pivotSheet(model: PivotModel, { name, locale }: { name: string; locale: string }): XlsxSheet {
  const looks = new Looks()
  const heads = pivotHeads(model)
  const lines = Math.max(1, ...heads.map((own) => own.length))
  const firstTotal = model.across.length * model.measures.length
  const formats = formatsOf(model, locale)
  const line = (row: { label: string; figures: PivotRowValues }, look: CellLook, indent = 0): XlsxLookedRow => ({
    cells: [row.label, ...valuesOf(row.figures, model).map(numberOf)],
    looks: [
      looks.of(indent > 0 ? { ...look, indent } : look),
      ...heads.map((_, at) => {
        const numberFormat = formats[at % formats.length]
        return looks.of({
          ...{ ...look, ...(at >= firstTotal ? { bold: true } : {}) },
          ...(numberFormat === undefined ? {} : { numberFormat }),
        })
      }),
    ],
  })
  const headRows = Array.from({ length: lines }, (_, at): XlsxLookedRow => ({
    cells: [
      at === lines - 1 ? pivotCorner(model) : null,
      ...heads.map((own, column) => (at < lines - 1 && heads[column - 1]?.[at] === own[at] ? null : (own[at] ?? null))),
    ],
    looks: [looks.of({ bold: true }), ...heads.map(() => looks.of({ bold: true, align: 'right' }))],
  }))
  const rows = [
    ...headRows,
    ...model.rows.map((row) => ({
      ...line(row, isOuter(model, row) ? { bold: true } : {}, row.depth),
      ...(row.depth > 0 ? { outline: row.depth } : {}),
    })),
    ...(model.totals ? [line({ label: TOTAL_LABEL, figures: model.totals }, { bold: true, border: 'sum' })] : []),
  ]
  return {
    ...{ name, rows, looks: looks.all() },
    columns: [{ width: NAME_WIDTH }, ...heads.map((own) => ({ width: widthOf(own) }))],
    frozen: { rows: lines, columns: 1 },
    ...(heads.length > FITTED_COLUMNS ? {} : { page: heads.length > PORTRAIT_COLUMNS ? 'landscape' : 'portrait' }),
  }
}

const widthOf = (heads: readonly string[]): number =>
  Math.min(30, Math.max(FIGURE_WIDTH, ...heads.map((head) => head.length + 2)))

/** By measure. */
const formatsOf = (model: PivotModel, locale: string) =>
  model.measures.map((measure, at) => {
    const all = [...model.rows.map(({ figures }) => figures), ...(model.totals ? [model.totals] : [])]
    const cells = all.flatMap((figures) => valuesOf(figures, model).filter((_, i) => i % model.measures.length === at))
    return figureFormat(measure, cells, locale)
  })

/** Equal looks are one style of the workbook. */
class Looks {
  readonly #known = new Map<string, CellLook>()
  of(look: CellLook): CellLook {
    const key = JSON.stringify(look)
    const known = this.#known.get(key) ?? look
    this.#known.set(key, known)
    return known
  }
  all(): CellLook[] {
    return [...this.#known.values()]
  }
}

const TEXT = { type: 'text', format: { style: 'plain' }, kind: 'dimension' } as const

/** A pivot as lines of values: every split downwards has a column of its own, so that the file can be filtered. */
export function pivotFileTable(model: PivotModel): FileTable {
  const [heads = [], ...rows] = pivotRecords(model)
  const figures = pivotColumnHeaders(model).flatMap((_, at) => measureAt(model, at) ?? [])
  return {
    columns: [...model.downNames.map(() => TEXT), ...figures],
    heads: heads.map(String),
    sample: rows,
    rows: async function* () {
      yield* await Promise.resolve(rows)
    },
    totals: null,
  }
}
