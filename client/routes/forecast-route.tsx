import { getRouteApi } from '@tanstack/react-router'
import { ForecastAlerts } from '../features/alerts/forecast-alerts'
import { EditForecast } from '../features/forecasts/edit-forecast'
import { EventsEditor } from '../features/forecasts/events-editor'
import { ForecastScreen } from '../features/forecasts/forecast-screen'
import { ScenariosPanel } from '../features/forecasts/scenarios-panel'

const route = getRouteApi('/app/forecasts/$id')

export function ForecastRoute() {
  const { id } = route.useParams()
  return (
    <ForecastScreen
      key={id}
      id={id}
      ahead={(props) => (
        <>
          <ScenariosPanel {...props} />
          <ForecastAlerts forecast={props.forecast} />
        </>
      )}
      edit={(forecast, onDone) => (
        <EditForecast forecast={forecast} onDone={onDone} events={(form) => <EventsEditor form={form} />} />
      )}
    />
  )
}
