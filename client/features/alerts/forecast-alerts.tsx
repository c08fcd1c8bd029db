import { useInfiniteQuery } from '@tanstack/react-query'
import { useMayWrite } from '../../lib/gate'
import { AlertDialog } from './alert-dialog'
import { AlertsCard } from './alerts-card'
import type { ForecastOption } from './band-fields'
import { alertsQuery } from './queries'

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
