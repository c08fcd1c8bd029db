import { getRouteApi } from '@tanstack/react-router'
import { ForecastAlerts } from '../features/alerts/alerts-card'
import { EditForecast } from '../features/forecasts/form/edit-forecast'
import { EventsEditor } from '../features/forecasts/form/events-editor'
import { ForecastScreen } from '../features/forecasts/forecast-screen'
import { ScenariosPanel } from '../features/forecasts/scenarios/scenarios-panel'

const route = getRouteApi('/app/forecasts/$id')

export function ForecastRoute() {
  const { id } = route.useParams()
  return (
    <ForecastScreen
      key={id}
      id={id}
      ahead={(props) => <ScenariosPanel {...props} />}
      renderAlerts={(forecast) => <ForecastAlerts forecast={forecast} />}
      edit={(forecast, onDone) => (
        <EditForecast forecast={forecast} onDone={onDone} events={(form) => <EventsEditor form={form} />} />
      )}
    />
  )
}
