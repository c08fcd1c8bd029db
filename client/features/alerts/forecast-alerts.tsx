import { useInfiniteQuery } from '@tanstack/react-query'
import { useMayNow } from '../../lib/gate'
import { AlertDialog } from './alert-dialog'
import { AlertsCard } from './alerts-card'
import type { BandChoice } from './band-fields'
import { alertsQuery } from './queries'

/** The alerts on the band of one forecast, on its page. */
export function ForecastAlerts({ forecast }: { forecast: BandChoice }) {
  const { subject } = forecast
  const alerts = useInfiniteQuery(
    alertsQuery(subject.kind === 'insight' ? { insight: subject.id } : { metric: subject.id }),
  )
  const may = useMayNow('edit:alert')
  const items = (alerts.data?.pages ?? [])
    .flatMap((page) => page.items)
    .filter(({ condition }) => condition.kind === 'band' && condition.forecastId === forecast.id)
  if (!alerts.data || (items.length === 0 && !may)) return null
  return (
    <AlertsCard
      {...{ items, may }}
      label="Alerts on this forecast"
      nobody="Nobody is told when what comes leaves the band."
      making={(onClose) => <AlertDialog alert={null} forecast={forecast} onClose={onClose} />}
    />
  )
}
