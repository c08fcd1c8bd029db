import { Button, Drawer, Group, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { QueryPlan } from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'
import { useFigureFormat } from '../../ui/chart/figure-format'
import type { FigureFormat } from '../../ui/chart/figure-format'
import { isOther } from '../../ui/chart/other-group'
import { ErrorState } from '../../ui/error-state'
import { TableSkeleton } from '../../ui/skeletons'
import classes from './insights.module.css'
import { drillPlan } from './drill'
import { figuresQuery } from './queries'
import { ResultTable } from './result-table'

interface DrillDrawerProps {
  plan: QueryPlan
  result: QueryResult
  /** Row of the answer whose records are shown; null closes the drawer. */
  row: number | null
  onClose: () => void
}

/** What a row of the answer is called: "Jan 2026, Sweden". */
export function drillTitle(result: QueryResult, row: number, format: FigureFormat): string {
  const names = result.columns.flatMap((column, at) => {
    if (column.kind !== 'dimension') return []
    return [isOther(result, row, at) ? 'Other' : format.label(result.rows[row]?.[at] ?? null, column)]
  })
  return names.join(', ') || 'All rows'
}

/** The records behind a figure, page by page. */
export function DrillDrawer({ plan, result, row, onClose }: DrillDrawerProps) {
  const format = useFigureFormat()
  const title = row === null ? '' : drillTitle(result, row, format)
  return (
    <Drawer
      opened={row !== null}
      onClose={onClose}
      position="right"
      size="min(1120px, 100%)"
      title={<Text fw={600}>Rows behind {title}</Text>}
      classNames={{ body: classes.drawer ?? '' }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {row !== null && <DrillRows key={row} plan={plan} result={result} row={row} format={format} />}
    </Drawer>
  )
}

function DrillRows(props: { plan: QueryPlan; result: QueryResult; row: number; format: FigureFormat }) {
  const { plan, result, row, format } = props
  // Pages may be shorter than asked for, so each page begins where the one before it ended.
  const [starts, setStarts] = useState([0])
  const start = starts.at(-1) ?? 0
  const asked = drillPlan({ plan, result, row, offset: start })
  const rows = useQuery({ ...figuresQuery(asked), placeholderData: keepPreviousData })
  if (rows.isPending) return <TableSkeleton count={10} />
  if (!rows.data) return <ErrorState error={rows.error} onRetry={() => void rows.refetch()} />
  const { rowCount } = rows.data
  const first = start + 1
  const last = start + rows.data.rows.length
  const waiting = rows.isPlaceholderData
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        {rows.data.words}
      </Text>
      <ResultTable result={rows.data} format={format} caption="Rows" />
      <Group justify="space-between" mt="sm">
        <Text size="sm" c="dimmed" role="status">
          {rowCount === 0
            ? 'No rows'
            : `${format.count(first)}–${format.count(last)} of ${format.count(rowCount)} rows`}
        </Text>
        <Group gap="xs">
          <Button variant="default" disabled={start === 0} onClick={() => setStarts(starts.slice(0, -1))}>
            Previous
          </Button>
          <Button variant="default" disabled={waiting || last >= rowCount} onClick={() => setStarts([...starts, last])}>
            Next
          </Button>
        </Group>
      </Group>
    </>
  )
}
