import { getRouteApi } from '@tanstack/react-router'
import { AlertScreen } from '../features/alerts/alert-screen'
import { AlertsScreen } from '../features/alerts/alerts-screen'
import { BlockSubscriptionsCard } from '../features/reports/subscriptions/subscriptions-card'

const route = getRouteApi('/app/alerts/$id')

export function AlertRoute() {
  const { id } = route.useParams()
  return <AlertScreen key={id} id={id} />
}

export const AlertsRoute = () => <AlertsScreen more={<BlockSubscriptionsCard />} />
