import { toNumber, type FormattedColumn } from './cell-formatter'
import { columnDecimals } from '../query/column-decimals'
import type { QueryResult, ResultColumn } from '../query/result'
import { columnKind } from '../query/table-view'

export const isFigureColumn = (column: ResultColumn): boolean => columnKind(column) === 'number'

/** A column of a table with the decimals that all of its figures show, and the period its buckets of time are of. */
export type TableColumn = ResultColumn &
  Pick<FormattedColumn, 'minor' | 'decimals'> & { period?: QueryResult['period'] }

/** The columns of a table: amounts show minor units in all of its cells or in none, figures as many decimals each. */
export const tableColumns = ({ columns, rows, totals, period }: QueryResult): TableColumn[] =>
  columns.map((column, at) => {
    if (column.grain) return { ...column, period }
    if (!isFigureColumn(column) || column.kind === 'changePercent' || column.format.style === 'percent') return column
    const values = [...rows, ...(totals ? [totals] : [])].flatMap((row) => toNumber(row[at] ?? null) ?? [])
    if (column.format.style === 'currency')
      return { ...column, minor: values.some((value) => !Number.isInteger(value)) }
    return { ...column, decimals: columnDecimals(column, values) }
  })
