import type { QueryResult } from '../../../src/shared/query-result'
import type { FigureFormat } from '../../ui/chart/figure-format'
import type { TextTable } from '../../ui/chart/sheet-bodies'
import { cellText, evenColumns, headerText, isFigure } from './result-cells'

/** An answer as the texts of a table, totals last. */
export function textTable(result: QueryResult, format: FigureFormat): TextTable {
  const { rows, totals } = result
  const columns = evenColumns(result)
  const texts = (row: QueryResult['rows'][number]): string[] =>
    columns.map((column, at) => cellText(row[at] ?? null, column, format))
  const last = totals && rows.length > 1 ? texts(totals).map((text, at) => totalText(text, at, result)) : null
  return {
    head: columns.map((column) => headerText(column, result)),
    rows: [
      ...rows.map((row) => ({ cells: texts(row), strong: false })),
      ...(last ? [{ cells: last, strong: true }] : []),
    ],
    figures: columns.map(isFigure),
  }
}

const totalText = (text: string, at: number, { columns }: QueryResult): string =>
  columns[at]?.kind === 'dimension' ? (at === 0 ? 'Total' : '') : text
