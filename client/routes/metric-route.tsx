import { getRouteApi } from '@tanstack/react-router'
import { MetricAlerts } from '../features/alerts/alerts-card'
import { MetricForecasts } from '../features/forecasts/subject-forecasts'
import { MetricScreen, NewMetricScreen } from '../features/metrics/metric-screen'
import { MetricTargets } from '../features/targets/targets-card'

const route = getRouteApi('/app/metrics/$id')

/** `/metrics/new` makes one. */
export function MetricRoute() {
  const { id } = route.useParams()
  return id === 'new' ? (
    <NewMetricScreen />
  ) : (
    <MetricScreen
      key={id}
      id={id}
      renderMonitoring={(metric) => [
        <MetricTargets key="targets" metric={metric} />,
        <MetricAlerts key="alerts" metric={metric} />,
        <MetricForecasts key="forecasts" metric={metric} />,
      ]}
    />
  )
}
