import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { QueryPlan } from '../../../src/shared/query'
import { useFormat } from '../../lib/format'
import { EmptyState } from '../../ui/empty-state'
import { historyOf } from './history'
import { historyPlan } from './queries'
import { figuresQuery } from '../../lib/figures'

interface EmptyPeriodProps {
  plan: QueryPlan
  /** Shows the question over the whole history. */
  onWhole?: () => void
}

/** No rows in this period: says which days the data holds, and offers them. */
export function EmptyPeriod({ plan, onWhole }: EmptyPeriodProps) {
  const field = plan.period?.field
  const format = useFormat()
  const asked = useQuery({
    ...figuresQuery(historyPlan(field?.dataset ?? '', field?.column ?? 'c0')),
    enabled: field !== undefined,
  })
  const history = asked.data ? historyOf(asked.data) : null
  const days = history ? ` The data holds ${format.date(history.from)} to ${format.date(history.to)}.` : ''
  const filtered = plan.filters.length > 0 ? ' Widen the period or remove a filter.' : ' Choose a wider period.'
  return (
    <EmptyState
      picture="search"
      title="No rows in this period"
      sentence={`${days}${filtered}`.trim()}
      action={onWhole && history && <Button onClick={onWhole}>Show the whole history</Button>}
    />
  )
}
