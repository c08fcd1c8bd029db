import { Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBellPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Hint } from '../../ui/hint'
import type { Alert } from '../../../src/shared/alerts'
import { SectionCard } from '../../ui/section-card'
import { AlertListItem } from './alert-list-item'
import classes from './alerts.module.css'
import type { Insight } from '../../../src/shared/insights'
import type { Metric } from '../../../src/shared/metrics'
import { timeFieldOf } from '../../../src/shared/monitored-metric'
import { useMayWrite } from '../../lib/gate'
import { AlertDialog } from './alert-dialog'
import type { NewAlertSubject } from './alert-dialog'
import { alertsQuery } from './queries'
import type { ForecastOption } from './condition-fields'

interface AlertsCardProps {
  items: readonly Alert[]
  /** What the list is called. */
  label: string
  /** What is said while there are none. */
  emptyText: string
  canEdit: boolean
  /** The dialog of a new one. */
  renderDialog: (onClose: () => void) => ReactNode
}

/** The alerts of one thing on its page, and the way to a new one. */
export function AlertsCard({ items, label, emptyText, canEdit, renderDialog }: AlertsCardProps) {
  const [isDialogOpen, dialog] = useDisclosure(false)
  return (
    <SectionCard title="Alerts">
      <Stack gap="sm">
        {items.length === 0 ? (
          <Hint>{emptyText}</Hint>
        ) : (
          <ul className={classes.list} aria-label={label}>
            {items.map((alert) => (
              <AlertListItem key={alert.id} alert={alert} />
            ))}
          </ul>
        )}
        {canEdit && (
          <Group>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconBellPlus size={14} aria-hidden />}
              onClick={dialog.open}
            >
              Alert me
            </Button>
          </Group>
        )}
      </Stack>
      {isDialogOpen && renderDialog(dialog.close)}
    </SectionCard>
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

/** The alerts on the band of one forecast, on its page. */
export function ForecastAlerts({ forecast }: { forecast: ForecastOption }) {
  const { subject } = forecast
  const alerts = useInfiniteQuery(
    alertsQuery(subject.kind === 'insight' ? { insight: subject.id } : { metric: subject.id }),
  )
  const canEdit = useMayWrite('edit:alert')
  const items = (alerts.data?.pages ?? [])
    .flatMap((page) => page.items)
    .filter(({ condition }) => condition.kind === 'band' && condition.forecastId === forecast.id)
  if (!alerts.data || (items.length === 0 && !canEdit)) return null
  return (
    <AlertsCard
      {...{ items, canEdit }}
      label="Alerts on this forecast"
      emptyText="Nobody is told when what comes leaves the band."
      renderDialog={(onClose) => <AlertDialog alert={null} forecast={forecast} onClose={onClose} />}
    />
  )
}
