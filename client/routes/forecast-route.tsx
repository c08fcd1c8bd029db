import { getRouteApi } from '@tanstack/react-router'
import { ForecastScreen } from '../features/forecasts/forecast-screen'

const route = getRouteApi('/app/forecasts/$id')

export function ForecastRoute() {
  const { id } = route.useParams()
  return <ForecastScreen key={id} id={id} />
}
