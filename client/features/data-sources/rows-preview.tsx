import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatNumericCell, isRightAligned } from './import/cell-parsing'
import { previewQuery } from './queries'
import { useFormat, type Formatter } from '../../lib/format'
import { useMay } from '../../lib/gate'
import { useSourceStatus } from '../../lib/queries/data-source-queries'
import { EmptyState } from '../../ui/empty-state'
import { ErrorState } from '../../ui/error-state'
import { FreshnessStrip } from '../../ui/freshness'
import { TableSkeleton } from '../../ui/skeletons'
import type { Dataset } from '../../../src/shared/data-sources/data-sources'
import classes from './preview-grid.module.css'
import type { Cell, QueryResult, ResultColumn } from '../../../src/shared/query/result'

/** The first rows as they lie in the warehouse. */
export function RowsTab({ dataset }: { dataset: Dataset }) {
  const format = useFormat()
  const may = useMay('view:data')
  const filled = dataset.dataVersion > 0
  const preview = useQuery({ ...previewQuery(dataset), enabled: may && filled })
  const sources = useSourceStatus([dataset.id])
  const { data, error, refetch } = preview
  if (!may) return <Text c="dimmed">Your role sees insights, not single rows.</Text>
  if (!filled)
    return <EmptyState picture="sources" title="No rows yet" sentence="They appear here when the first load is done." />
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <TableSkeleton count={10} />
  const columns = data.columns.length
  const hidden = dataset.columns.filter((column) => !column.hidden).length - columns
  return (
    <Stack gap="xs">
      <FreshnessStrip
        asOf={data.dataAsOf}
        loading={preview.isPlaceholderData}
        failed={error !== null}
        sources={sources}
      />
      <Text size="sm" c="dimmed">
        The first {format.count(data.rows.length)} of {format.count(dataset.rowCount)} rows
        {hidden > 0 && `, ${format.count(columns)} of ${format.count(columns + hidden)} columns`}.
      </Text>
      <RowsTable result={data} />
    </Stack>
  )
}

function formatResultCell(cell: Cell | undefined, column: ResultColumn, format: Formatter): string {
  if (cell === null || cell === undefined || cell === '') return '–'
  if (typeof cell === 'boolean') return cell ? 'Yes' : 'No'
  if (column.type === 'date') return format.date(String(cell))
  if (column.type === 'datetime') return format.moment(String(cell))
  return isRightAligned(column) ? formatNumericCell(cell, column, format) : String(cell)
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
              <th key={column.key} scope="col" className={isRightAligned(column) ? classes.number : undefined}>
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
                    className={isRightAligned(column) ? classes.number : undefined}
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
