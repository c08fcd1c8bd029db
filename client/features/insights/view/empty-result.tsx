import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { QueryPlan } from '../../../../src/shared/query/plan'
import { useFormat } from '../../../lib/format'
import { EmptyState } from '../../../ui/empty-state'
import { dataRangeOf, dataRangePlan, type DataRange } from '../../../lib/query-builder/time-column'
import { planResultQuery } from '../../../lib/plan-result'

export const withAllTime = (plan: QueryPlan): QueryPlan =>
  plan.period
    ? {
        ...plan,
        period: {
          ...plan.period,
          range: { kind: 'relative', span: 'all', unit: 'year', n: 1, includeCurrent: false },
          compare: 'none',
        },
      }
    : plan

interface EmptyPeriodProps {
  plan: QueryPlan
  onShowAll?: (() => void) | undefined
}

/** No rows in this period: says which days the data holds, and offers them. */
/** "Data covers 1 Dec 2023 to 14 Nov 2026." */
const describeHistory = ({ from, to }: DataRange, day: (iso: string) => string): string =>
  from === to ? `All data is of ${day(from)}.` : `Data covers ${day(from)} to ${day(to)}.`

export function EmptyPeriod({ plan, onShowAll }: EmptyPeriodProps) {
  const field = plan.period?.field
  const format = useFormat()
  const rangeQuery = useQuery({
    ...planResultQuery(
      dataRangePlan(field?.dataset ?? '', { dataset: field?.dataset ?? '', column: field?.column ?? 'c0' }),
    ),
    enabled: field !== undefined,
  })
  const history = rangeQuery.data ? dataRangeOf(rangeQuery.data) : null
  const days = history ? ` ${describeHistory(history, format.date)}` : ''
  const filtered = plan.filters.length > 0 ? ' Widen the period or remove a filter.' : ' Choose a wider period.'
  return (
    <EmptyState
      picture="search"
      title="No rows in this period"
      sentence={`${days}${filtered}`.trim()}
      action={onShowAll && history && <Button onClick={onShowAll}>Show all time</Button>}
    />
  )
}
