import { useInfiniteQuery } from '@tanstack/react-query'
import type { Insight } from '../../../src/shared/insights'
import type { Metric } from '../../../src/shared/metrics'
import { timeOf } from '../../../src/shared/tracked'
import { useMayNow } from '../../lib/gate'
import { AlertDialog } from './alert-dialog'
import type { NewSubject } from './alert-dialog'
import { AlertsCard } from './alerts-card'
import { alertsQuery } from './queries'

/** The alerts of one insight, on its page. Nothing where it has no date to be followed over. */
export function InsightAlerts({ insight }: { insight: Insight }) {
  const isFollowed = timeOf(insight.plan) !== null && insight.plan.measures.length > 0
  return isFollowed ? <AlertsOf subject={{ insight }} /> : null
}

/** The alerts of one metric, on its page. Nothing where it has no date. */
export const MetricAlerts = ({ metric }: { metric: Metric }) =>
  metric.time === null ? null : <AlertsOf subject={{ metric }} />

function AlertsOf({ subject }: { subject: NewSubject }) {
  const of = subject.insight ? { insight: subject.insight.id } : { metric: subject.metric.id }
  const alerts = useInfiniteQuery(alertsQuery(of))
  const may = useMayNow('edit:alert')
  const items = alerts.data?.pages.flatMap((page) => page.items) ?? []
  if (!alerts.data || (items.length === 0 && !may)) return null
  return (
    <AlertsCard
      {...{ items, may }}
      label={subject.insight ? 'Alerts of this insight' : 'Alerts of this metric'}
      nobody="Nobody is told when this figure leaves its limits."
      making={(onClose) => <AlertDialog alert={null} {...subject} onClose={onClose} />}
    />
  )
}
