import { QueryError } from '../../../ui/query-view'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ChosenMark } from '../../../../src/shared/charts/chart-model'
import type { ReactNode } from 'react'
import type { QueryPlan } from '../../../../src/shared/query/plan'
import { useCellFormatter } from '../../../lib/cell-formatter'
import { TableSkeleton } from '../../../ui/skeletons'
import { ConversionNote, UnconvertedNote } from './currency-conversion'
import classes from '../insights.module.css'
import { PagedTable, pageQuery } from '../../../ui/data-table/paged-table'
import type { QueryResult } from '../../../../src/shared/query/result'
import { groupingIdsOf, metricIdsOf } from '../../../../src/shared/query/plan-fields'
import { useCatalogue } from '../../../lib/query-builder/catalogue'
import { drillPlan } from '../../../lib/marks/drill-plan'
import { drillTitle } from '../../../lib/marks/drill-title'
import { MutedText } from '../../../ui/muted-text'
import { SideDrawer } from '../../../ui/dialog'

export interface RecordsRequest {
  plan: QueryPlan
  title: string
}

/** Slides in from the right with the records behind something; closed without a title. */
function RowsDrawer({ title, onClose, children }: { title: string | null; onClose: () => void; children: ReactNode }) {
  return (
    <SideDrawer
      opened={title !== null}
      onClose={onClose}
      position="right"
      size="min(1120px, 100%)"
      title={<Text fw={600}>Records: {title ?? ''}</Text>}
      classNames={{ body: classes.drawer ?? '' }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {children}
    </SideDrawer>
  )
}

export function RecordsDrawer({ records, onClose }: { records: RecordsRequest | null; onClose: () => void }) {
  return (
    <RowsDrawer title={records && records.title} onClose={onClose}>
      {records && <RecordsTable plan={records.plan} title={records.title} />}
    </RowsDrawer>
  )
}

/** The records of a plan, every one of them: further rows come while somebody scrolls. */
function RecordsTable({ plan, title }: RecordsRequest) {
  const format = useCellFormatter()
  const rows = useQuery(pageQuery(plan, 0))
  if (rows.isPending) return <TableSkeleton count={10} />
  if (!rows.data) return <QueryError query={rows} />
  const { data } = rows
  return (
    <>
      <MutedText mb="xs">{data.words}</MutedText>
      <ConversionNote conversion={data.conversion} />
      <UnconvertedNote unconverted={data.unconverted} />
      <PagedTable plan={plan} first={data} format={format} caption="Records" name={`${title} records`} />
    </>
  )
}

interface DrillDrawerProps {
  plan: QueryPlan
  result: QueryResult
  /** What of the answer the records are shown of; null closes the drawer. */
  mark: ChosenMark | null
  onClose: () => void
}

/** Waits for the catalogue where the question names metrics or groupings: it says which rows they count. */
function DrillRecords({ plan, result, mark }: Pick<DrillDrawerProps, 'plan' | 'result'> & { mark: ChosenMark }) {
  const isNamed = metricIdsOf(plan.measures).length > 0 || groupingIdsOf(plan).length > 0
  const { catalogue, pending } = useCatalogue({ enabled: isNamed })
  const format = useCellFormatter()
  if (isNamed && pending) return <TableSkeleton count={10} />
  const title = drillTitle({ result, ...mark }, format)
  return <RecordsTable plan={drillPlan({ plan, result, catalogue, ...mark })} title={title} />
}

export function DrillDrawer({ plan, result, mark, onClose }: DrillDrawerProps) {
  const format = useCellFormatter()
  return (
    <RowsDrawer title={mark && drillTitle({ result, ...mark }, format)} onClose={onClose}>
      {mark && <DrillRecords key={JSON.stringify(mark)} {...{ plan, result, mark }} />}
    </RowsDrawer>
  )
}
