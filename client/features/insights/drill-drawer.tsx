import { Drawer, Text } from '@mantine/core'
import type { QueryPlan } from '../../../src/shared/query'
import type { QueryResult } from '../../../src/shared/query-result'
import { useFigureFormat } from '../../ui/chart/figure-format'
import type { FigureFormat } from '../../ui/chart/figure-format'
import { isOther } from '../../ui/chart/other-group'
import classes from './insights.module.css'
import { drillPlan } from './drill'
import { RecordPages } from './records-drawer'

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
      {row !== null && <RecordPages key={row} ask={(offset) => drillPlan({ plan, result, row, offset })} />}
    </Drawer>
  )
}
