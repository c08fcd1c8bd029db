import { QueryError } from '../../../ui/query-view'
import { Button, Drawer, Group, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { QueryPlan } from '../../../../src/shared/query/plan'
import { useCellFormatter, type CellFormatter } from '../../../lib/cell-formatter'
import { TableSkeleton } from '../../../ui/skeletons'
import { ConversionNote, UnconvertedNote } from './currency-conversion'
import classes from '../insights.module.css'
import { ResultTable } from './result-table'
import { planResultQuery } from '../../../lib/plan-result'
import type { QueryResult } from '../../../../src/shared/query/result'
import { groupingIdsOf, metricIdsOf } from '../../../../src/shared/query/plan-fields'
import { useCatalogue } from '../../../lib/query-builder/catalogue'
import { columnsOfKind, isOther } from '../../../ui/chart/chart-model'
import { drillPlan } from './drill-plan'
import { MutedText } from '../../../ui/muted-text'

export interface RecordsRequest {
  plan: QueryPlan
  title: string
}
const RECORDS_PAGE_ROWS = 50

/** Slides in from the right with the records behind something; closed without a title. */
function RowsDrawer({ title, onClose, children }: { title: string | null; onClose: () => void; children: ReactNode }) {
  return (
    <Drawer
      opened={title !== null}
      onClose={onClose}
      position="right"
      size="min(1120px, 100%)"
      title={<Text fw={600}>Rows behind {title ?? ''}</Text>}
      classNames={{ body: classes.drawer ?? '' }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {children}
    </Drawer>
  )
}

export function RecordsDrawer({ records, onClose }: { records: RecordsRequest | null; onClose: () => void }) {
  return (
    <RowsDrawer title={records && records.title} onClose={onClose}>
      {records && <RecordsPager ask={(offset) => ({ ...records.plan, limit: RECORDS_PAGE_ROWS, offset })} />}
    </RowsDrawer>
  )
}

function RecordsPager({ ask }: { ask: (offset: number) => QueryPlan }) {
  const format = useCellFormatter()
  // Pages may be shorter than asked for, so each page begins where the one before it ended.
  const [starts, setStarts] = useState([0])
  const start = starts.at(-1) ?? 0
  const rows = useQuery({ ...planResultQuery(ask(start)), placeholderData: keepPreviousData })
  if (rows.isPending) return <TableSkeleton count={10} />
  if (!rows.data) return <QueryError query={rows} />
  const { rowCount } = rows.data
  const first = start + 1
  const last = start + rows.data.rows.length
  const waiting = rows.isPlaceholderData
  return (
    <>
      <MutedText mb="xs">{rows.data.words}</MutedText>
      <ConversionNote conversion={rows.data.conversion} />
      <UnconvertedNote unconverted={rows.data.unconverted} />
      <ResultTable result={rows.data} format={format} caption="Rows" />
      <Group justify="space-between" mt="sm">
        <MutedText role="status">
          {rowCount === 0
            ? 'No rows'
            : `${format.count(first)}–${format.count(last)} of ${format.count(rowCount)} rows`}
        </MutedText>
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

interface DrillDrawerProps {
  plan: QueryPlan
  result: QueryResult
  /** Row of the answer whose records are shown; null closes the drawer. */
  row: number | null
  onClose: () => void
}

/** What a row of the answer is called: "Jan 2026, Sweden". */
export function drillTitle(result: QueryResult, row: number, format: CellFormatter): string {
  const names = columnsOfKind(result, 'dimension').map(({ column, at }) =>
    isOther(result, row, at) ? 'Other' : format.label(result.rows[row]?.[at] ?? null, column),
  )
  return names.join(', ') || 'All rows'
}

/** Waits for the catalogue where the question names metrics or groupings: it says which rows they count. */
function DrillRecords({ plan, result, row }: Pick<DrillDrawerProps, 'plan' | 'result'> & { row: number }) {
  const isNamed = metricIdsOf(plan.measures).length > 0 || groupingIdsOf(plan).length > 0
  const { catalogue, pending } = useCatalogue({ enabled: isNamed })
  if (isNamed && pending) return <TableSkeleton count={10} />
  return <RecordsPager ask={(offset) => drillPlan({ plan, result, row, offset, catalogue })} />
}

export function DrillDrawer({ plan, result, row, onClose }: DrillDrawerProps) {
  const format = useCellFormatter()
  return (
    <RowsDrawer title={row === null ? null : drillTitle(result, row, format)} onClose={onClose}>
      {row !== null && <DrillRecords key={row} plan={plan} result={result} row={row} />}
    </RowsDrawer>
  )
}
