import { useInfiniteQuery } from '@tanstack/react-query'
import type { Insight } from '../../../src/shared/insights'
import type { Metric } from '../../../src/shared/metrics'
import { timeFieldOf } from '../../../src/shared/tracked'
import { useMayWrite } from '../../lib/gate'
import { AlertDialog } from './alert-dialog'
import type { NewAlertSubject } from './alert-dialog'
import { AlertsCard } from './alerts-card'
import { alertsQuery } from './queries'

/** The alerts of one insight, on its page. Nothing where it has no date to be followed over. */
export function InsightAlerts({ insight }: { insight: Insight }) {
  const canBeMonitored = timeFieldOf(insight.plan) !== null && insight.plan.measures.length > 0
  return canBeMonitored ? <SubjectAlerts subject={{ insight }} /> : null
}

/** The alerts of one metric, on its page. Nothing where it has no date. */
export const MetricAlerts = ({ metric }: { metric: Metric }) =>
  metric.time === null ? null : <SubjectAlerts subject={{ metric }} />

function SubjectAlerts({ subject }: { subject: NewAlertSubject }) {
  const subjectFilter = subject.insight ? { insight: subject.insight.id } : { metric: subject.metric.id }
  const alerts = useInfiniteQuery(alertsQuery(subjectFilter))
  const canEdit = useMayWrite('edit:alert')
  const items = alerts.data?.pages.flatMap((page) => page.items) ?? []
  if (!alerts.data || (items.length === 0 && !canEdit)) return null
  return (
    <AlertsCard
      {...{ items, canEdit }}
      label={subject.insight ? 'Alerts of this insight' : 'Alerts of this metric'}
      emptyText="Nobody is told when this figure leaves its limits."
      renderDialog={(onClose) => <AlertDialog alert={null} {...subject} onClose={onClose} />}
    />
  )
}
