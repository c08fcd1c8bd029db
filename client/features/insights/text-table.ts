import type { QueryResult } from '../../../src/shared/query-result'
import type { CellFormatter } from '../../ui/chart/figure-format'
import type { TextTable } from '../../ui/chart/sheet-bodies'
import { formatResultCell, withEvenMinorUnits, columnHeader, isNumericResultColumn } from './result-cells'

/** An answer as the texts of a table, totals last. */
export function resultTextTable(result: QueryResult, format: CellFormatter): TextTable {
  const { rows, totals } = result
  const columns = withEvenMinorUnits(result)
  const texts = (row: QueryResult['rows'][number]): string[] =>
    columns.map((column, at) => formatResultCell(row[at] ?? null, column, format))
  const last = totals && rows.length > 1 ? texts(totals).map((text, at) => totalText(text, at, result)) : null
  return {
    head: columns.map((column) => columnHeader(column, result)),
    rows: [
      ...rows.map((row) => ({ cells: texts(row), strong: false })),
      ...(last ? [{ cells: last, strong: true }] : []),
    ],
    figures: columns.map(isNumericResultColumn),
  }
}

const totalText = (text: string, at: number, { columns }: QueryResult): string =>
  columns[at]?.kind === 'dimension' ? (at === 0 ? 'Total' : '') : text
