import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { formatNumericCell, isRightAligned } from './import/cell-parsing'
import { useCellFormatter } from '../../lib/cell-formatter'
import { useFormat, type Formatter } from '../../lib/format'
import { useMay } from '../../lib/gate'
import { useSourceStatus } from '../../lib/queries/data-source-queries'
import { EmptyState } from '../../ui/empty-state'
import { ErrorState } from '../../ui/error-state'
import { PagedTable, pageQuery } from '../../ui/data-table/paged-table'
import { FreshnessStrip } from '../../ui/freshness'
import { MutedText } from '../../ui/muted-text'
import { TableSkeleton } from '../../ui/skeletons'
import type { Dataset } from '../../../src/shared/data-sources/data-sources'
import classes from './preview-grid.module.css'
import type { QueryPlan } from '../../../src/shared/query/plan'
import type { Cell, QueryResult, ResultColumn } from '../../../src/shared/query/result'

/** Every row, in the order of loading. */
const rowsPlan = (dataset: string): QueryPlan => ({
  ...{ v: 2, kind: 'rows', dataset, measures: [], dimensions: [], filters: [] },
})

/** The rows as they lie in the warehouse. */
export function RowsTab({ dataset }: { dataset: Dataset }) {
  const format = useFormat()
  const may = useMay('view:data')
  const filled = dataset.dataVersion > 0
  const cells = useCellFormatter()
  const plan = rowsPlan(dataset.id)
  const preview = useQuery({ ...pageQuery(plan, 0), enabled: may && filled })
  const sources = useSourceStatus([dataset.id])
  const { data, error, refetch } = preview
  if (!may) return <Text c="dimmed">Your role can view insights, not rows.</Text>
  if (!filled)
    return <EmptyState picture="sources" title="No rows yet" sentence="Rows appear after the first import." />
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <TableSkeleton count={10} />
  const columns = data.columns.length
  const hidden = dataset.columns.filter((column) => !column.hidden).length - columns
  return (
    <Stack gap="xs">
      <FreshnessStrip asOf={data.dataAsOf} loading={preview.isRefetching} failed={error !== null} sources={sources} />
      {hidden > 0 && (
        <MutedText>
          Showing {format.count(columns)} of {format.count(columns + hidden)} columns
        </MutedText>
      )}
      <PagedTable plan={plan} first={data} format={cells} caption={`Rows of ${dataset.name}`} name={dataset.name} />
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
