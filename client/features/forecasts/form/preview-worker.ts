import { computeForecast, type ComputeOutcome } from '../../../../src/forecasting/compute'
import type { ForecastInput } from '../../../../src/shared/forecasts/result'
import type { ForecastSettings } from '../../../../src/shared/forecasts/forecasts'
import { browserEngines } from '../../../lib/forecast-engines'

/** What a page asks of the worker, once. */
export interface PreviewRequest {
  prepared: ForecastInput
  settings: ForecastSettings
}
export interface PreviewResponse {
  computed: ComputeOutcome
}

const engines = browserEngines()

/** A forecast off the page's thread: what a run on the server would find, by the same code. */
addEventListener('message', (event: MessageEvent<PreviewRequest>) => {
  const { prepared, settings } = event.data
  void engines.then((loaded) => {
    const answer: PreviewResponse = { computed: computeForecast(prepared, settings, loaded) }
    postMessage(answer)
  })
})
