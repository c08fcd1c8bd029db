import { getRouteApi } from '@tanstack/react-router'
import { MetricScreen, NewMetricScreen } from '../features/metrics/metric-screen'

const route = getRouteApi('/app/metrics/$id')

/** `/metrics/new` makes one. */
export function MetricRoute() {
  const { id } = route.useParams()
  return id === 'new' ? <NewMetricScreen /> : <MetricScreen key={id} id={id} />
}
