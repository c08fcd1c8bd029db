import { getRouteApi } from '@tanstack/react-router'
import { AlertScreen } from '../features/alerts/alert-screen'

const route = getRouteApi('/app/alerts/$id')

export function AlertRoute() {
  const { id } = route.useParams()
  return <AlertScreen key={id} id={id} />
}
