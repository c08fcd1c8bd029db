import classes from './import-preview.module.css'
import { useFormat } from '../../lib/format'
import type { Formatter } from '../../lib/format'
import type { Cell, QueryResult, ResultColumn } from '../../../src/shared/query-result'

const isNumericColumn = ({ type, role }: ResultColumn): boolean =>
  role !== 'id' && (type === 'number' || type === 'integer')

function formatResultCell(cell: Cell | undefined, column: ResultColumn, format: Formatter): string {
  if (cell === null || cell === undefined || cell === '') return '–'
  if (typeof cell === 'boolean') return cell ? 'Yes' : 'No'
  if (column.type === 'date') return format.date(String(cell))
  if (column.type === 'datetime') return format.moment(String(cell))
  if (!isNumericColumn(column)) return String(cell)
  if (column.format.style === 'currency') return format.money(cell, column.format.currency)
  if (column.format.style === 'percent') return format.percent(cell, 2)
  if (column.type === 'integer' || column.scale !== undefined) return format.fixed(cell, column.scale ?? 0)
  return format.decimal(cell, 6)
}

/** Rows of an answer, each value in the workspace's notation. */
export function RowsTable({ result }: { result: QueryResult }) {
  const format = useFormat()
  const { columns, rows } = result
  return (
    <section className={classes.scroller} aria-label="First rows" tabIndex={0}>
      <table className={classes.grid} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={isNumericColumn(column) ? classes.number : undefined}>
                <span className={classes.head}>{column.label}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // Rows have no identity but their place.
            <tr key={at}>
              {columns.map((column, index) => {
                const text = formatResultCell(row[index], column, format)
                return (
                  <td
                    key={column.key}
                    className={isNumericColumn(column) ? classes.number : undefined}
                    title={text.length > 30 ? text : undefined}
                  >
                    {text}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
