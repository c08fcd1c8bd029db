import { neutralizeFormula } from '../../../src/shared/csv-line'
import { columnKind, isCode, viewedPlan, type ColumnFilter, type TableView } from '../../../src/shared/query/table-view'
import { columnLabel } from '../../../src/shared/query/column-label'
import type { ColumnMask } from '../../../src/shared/data-access/rules'
import type { QueryPlan } from '../../../src/shared/query/plan'
import type { Cell, QueryResult, ResultColumn } from '../../../src/shared/query/result'
import { toNumber, type CellFormatter } from '../../../src/shared/figures/cell-formatter'
import { MISSING_VALUE } from '../../../src/shared/figures/figures'
import { humanizeLabel } from '../../../src/shared/text'
import { isIncompleteBucket } from '../../../src/shared/charts/chart-model'
import type { TableColumn } from '../../../src/shared/figures/table-columns'
import type { DataColumn } from './data-column'

export function tableCell(cell: Cell, column: TableColumn, format: CellFormatter): string {
  if (column.kind === 'changePercent') {
    const share = toNumber(cell)
    return share === null ? MISSING_VALUE : format.share(share, true)
  }
  if (column.kind === 'change') return cell === null ? MISSING_VALUE : format.signed(cell, column)
  if (column.kind !== 'dimension' && !isCode(column)) return format.full(cell, column)
  const star = isIncompleteBucket(cell, column, column.period ?? null) ? ' *' : ''
  return `${format.label(cell, column)}${star}`
}

/** A cell for the clipboard: figures as spreadsheets of the same locale read them, everything else as it is shown. */
export function copiedCell(cell: Cell, column: TableColumn, format: CellFormatter): string {
  if (cell === null) return ''
  // Pasted, a text must not become a formula.
  if (column.grain) return format.label(cell, column)
  if (columnKind(column) !== 'number') return neutralizeFormula(tableCell(cell, column, format))
  const shown = tableCell(cell, column, format)
  if (column.kind === 'changePercent' || column.format.style === 'percent')
    return shown.replace(/[\s\u00a0\u202f+]/g, '').replace('−', '-')
  return String(cell).replace('.', format.decimalMark)
}

/** A heading as a person reads it. */
const columnHeader = (column: ResultColumn, result: QueryResult): string => {
  const label = columnLabel(column, result)
  return column.kind === 'column' ? label : humanizeLabel(label)
}

const SAMPLE_FILTERS: Record<DataColumn['kind'], (column: number) => ColumnFilter> = {
  text: (column) => ({ column, op: 'contains', value: 'a' }),
  number: (column) => ({ column, op: 'range', from: 0, to: null }),
  date: (column) => ({ column, op: 'range', from: '2000-01-01', to: null }),
  boolean: (column) => ({ column, op: 'is', value: true }),
}

/**
 * What can be done with each column. Where all rows are here, everything; else what the server can be asked for with
 * `plan`.
 */
export function dataColumns(
  result: QueryResult,
  plan: QueryPlan | null,
  masks: readonly (ColumnMask | undefined)[] = [],
): DataColumn[] {
  const { columns } = result
  const canBeAsked = (view: TableView): boolean => plan === null || viewedPlan({ plan, columns }, view) !== null
  return columns.map((column, at) => {
    const kind = columnKind(column)
    const mask = masks[at]
    return {
      ...(mask === undefined ? {} : { mask }),
      ...{ key: column.key, label: columnHeader(column, result), kind },
      percent: column.kind === 'changePercent' || column.format.style === 'percent',
      exact: plan !== null && kind === 'text' && column.type !== 'text',
      sortable: canBeAsked({ sort: { column: at, dir: 'asc' }, filters: [] }),
      filterable: canBeAsked({ sort: null, filters: [SAMPLE_FILTERS[kind](at)] }),
    }
  })
}

/** The line of totals: the first column says what it is. */
export const totalCell = (text: string, at: number, column: ResultColumn): string =>
  column.kind === 'dimension' ? (at === 0 ? 'Total' : '') : text
