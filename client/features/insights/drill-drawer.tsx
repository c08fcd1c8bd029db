import { Drawer, Text } from '@mantine/core'
import type { QueryPlan } from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'
import { groupingIdsOf, metricIdsOf } from '../../../src/shared/plan-fields'
import { useCatalogue } from '../../lib/filters/use-catalogue'
import { TableSkeleton } from '../../ui/skeletons'
import { useCellFormatter } from '../../ui/chart/figure-format'
import type { CellFormatter } from '../../ui/chart/figure-format'
import { isOther } from '../../ui/chart/other-group'
import classes from './insights.module.css'
import { drillPlan } from './drill'
import { RecordsPager } from './records-drawer'

interface DrillDrawerProps {
  plan: QueryPlan
  result: QueryResult
  /** Row of the answer whose records are shown; null closes the drawer. */
  row: number | null
  onClose: () => void
}

/** What a row of the answer is called: "Jan 2026, Sweden". */
export function drillTitle(result: QueryResult, row: number, format: CellFormatter): string {
  const names = result.columns.flatMap((column, at) => {
    if (column.kind !== 'dimension') return []
    return [isOther(result, row, at) ? 'Other' : format.label(result.rows[row]?.[at] ?? null, column)]
  })
  return names.join(', ') || 'All rows'
}

/** Waits for the catalogue where the question names metrics or groupings: it says which rows they count. */
function DrillRecords({ plan, result, row }: Pick<DrillDrawerProps, 'plan' | 'result'> & { row: number }) {
  const isNamed = metricIdsOf(plan.measures).length > 0 || groupingIdsOf(plan).length > 0
  const { catalogue, pending } = useCatalogue({ enabled: isNamed })
  if (isNamed && pending) return <TableSkeleton count={10} />
  return <RecordsPager ask={(offset) => drillPlan({ plan, result, row, offset, catalogue })} />
}

/** The records behind a figure, page by page. */
export function DrillDrawer({ plan, result, row, onClose }: DrillDrawerProps) {
  const format = useCellFormatter()
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
      {row !== null && <DrillRecords key={row} {...{ plan, result, row }} />}
    </Drawer>
  )
}
