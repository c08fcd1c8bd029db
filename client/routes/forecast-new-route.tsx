import { EventsEditor } from '../features/forecasts/form/events-editor'
import { ForecastNewScreen } from '../features/forecasts/forecast-new-screen'

export function ForecastNewRoute() {
  return <ForecastNewScreen events={(form) => <EventsEditor form={form} />} />
}
