import { getRouteApi } from '@tanstack/react-router'
import { ForecastAlerts } from '../features/alerts/forecast-alerts'
import { EditForecast } from '../features/forecasts/edit-forecast'
import { ForecastScreen } from '../features/forecasts/forecast-screen'

const route = getRouteApi('/app/forecasts/$id')

export function ForecastRoute() {
  const { id } = route.useParams()
  return (
    <ForecastScreen
      key={id}
      id={id}
      ahead={({ forecast }) => <ForecastAlerts forecast={forecast} />}
      edit={(forecast, onDone) => <EditForecast forecast={forecast} onDone={onDone} />}
    />
  )
}
