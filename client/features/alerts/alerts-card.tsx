import { useInfiniteQuery } from '@tanstack/react-query'
import { alertsQuery } from './queries'
import { useMayWrite } from '../../lib/gate'
import { useDisclosure } from '@mantine/hooks'
import { IconBellPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Alert } from '../../../src/shared/alerts'
import { SideButton, SideSection } from '../../ui/page-rail'
import { AlertListItem } from './alert-list-item'
import classes from './alerts.module.css'
import type { Insight } from '../../../src/shared/insights'
import type { Metric } from '../../../src/shared/metrics'
import { timeFieldOf } from '../../../src/shared/monitored-metric'
import { AlertDialog, type NewAlertSubject } from './alert-dialog'
import type { ForecastOption } from './alert-form-values'

interface AlertsCardProps {
  about: { insight: string } | { metric: string }
  /** Which of its alerts are listed. */
  isListed?: (alert: Alert) => boolean
  label: string
  renderDialog: (onClose: () => void) => ReactNode
}

/** Alerts of one subject. Nothing where there are none and the person may not create one. */
function AlertsCard({ about, isListed = () => true, label, renderDialog }: AlertsCardProps) {
  const alerts = useInfiniteQuery(alertsQuery(about))
  const canEdit = useMayWrite('edit:alert')
  const items = (alerts.data?.pages ?? []).flatMap((page) => page.items).filter(isListed)
  const [isDialogOpen, dialog] = useDisclosure(false)
  if (!alerts.data) return null
  return (
    <>
      <SideSection
        title="Alerts"
        isEmpty={items.length === 0}
        action={
          canEdit && (
            <SideButton icon={IconBellPlus} onClick={dialog.open}>
              Add alert
            </SideButton>
          )
        }
      >
        <ul className={`${classes.list} ${classes.beside}`} aria-label={label}>
          {items.map((alert) => (
            <AlertListItem key={alert.id} alert={alert} />
          ))}
        </ul>
      </SideSection>
      {isDialogOpen && renderDialog(dialog.close)}
    </>
  )
}

/** The alerts of one insight, on its page. Nothing where it has no date to be followed over. */
export function InsightAlerts({ insight }: { insight: Insight }) {
  const canBeMonitored = timeFieldOf(insight.plan) !== null && insight.plan.measures.length > 0
  return canBeMonitored ? <SubjectAlerts subject={{ insight }} /> : null
}

/** The alerts of one metric, on its page. Nothing where it has no date. */
export const MetricAlerts = ({ metric }: { metric: Metric }) =>
  metric.time === null ? null : <SubjectAlerts subject={{ metric }} />

function SubjectAlerts({ subject }: { subject: NewAlertSubject }) {
  return (
    <AlertsCard
      about={subject.insight ? { insight: subject.insight.id } : { metric: subject.metric.id }}
      label={subject.insight ? 'Alerts of this insight' : 'Alerts of this metric'}
      renderDialog={(onClose) => <AlertDialog alert={null} {...subject} onClose={onClose} />}
    />
  )
}

/** The alerts on the prediction interval of one forecast. */
export function ForecastAlerts({ forecast }: { forecast: ForecastOption }) {
  const { subject } = forecast
  return (
    <AlertsCard
      about={subject.kind === 'insight' ? { insight: subject.id } : { metric: subject.id }}
      isListed={({ condition }) => condition.kind === 'band' && condition.forecastId === forecast.id}
      label="Alerts on this forecast"
      renderDialog={(onClose) => <AlertDialog alert={null} forecast={forecast} onClose={onClose} />}
    />
  )
}
