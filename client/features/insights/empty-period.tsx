import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { QueryPlan } from '../../../src/shared/query'
import { useFormat } from '../../lib/format'
import { EmptyState } from '../../ui/empty-state'
import { dataRangeOf } from './history'
import { dataRangePlan } from './queries'
import { planResultQuery } from '../../lib/figures'

interface EmptyPeriodProps {
  plan: QueryPlan
  /** Shows the question over the whole history. */
  onShowAll?: () => void
}

/** No rows in this period: says which days the data holds, and offers them. */
export function EmptyPeriod({ plan, onShowAll }: EmptyPeriodProps) {
  const field = plan.period?.field
  const format = useFormat()
  const rangeQuery = useQuery({
    ...planResultQuery(dataRangePlan(field?.dataset ?? '', field?.column ?? 'c0')),
    enabled: field !== undefined,
  })
  const history = rangeQuery.data ? dataRangeOf(rangeQuery.data) : null
  const days = history ? ` The data holds ${format.date(history.from)} to ${format.date(history.to)}.` : ''
  const filtered = plan.filters.length > 0 ? ' Widen the period or remove a filter.' : ' Choose a wider period.'
  return (
    <EmptyState
      picture="search"
      title="No rows in this period"
      sentence={`${days}${filtered}`.trim()}
      action={onShowAll && history && <Button onClick={onShowAll}>Show the whole history</Button>}
    />
  )
}
