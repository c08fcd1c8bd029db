import { getRouteApi } from '@tanstack/react-router'
import { InsightScreen } from '../features/insights/insight-screen'

const route = getRouteApi('/app/insights/$id')

export function InsightRoute() {
  const { id } = route.useParams()
  return <InsightScreen key={id} id={id} />
}
