import { compute } from '../../../src/forecast/compute'
import type { Computed } from '../../../src/forecast/compute'
import type { Prepared } from '../../../src/shared/forecast-result'
import type { ForecastSettings } from '../../../src/shared/forecasts'
import { browserEngines } from '../../lib/forecast-engines'

/** What a page asks of the worker, once. */
export interface PreviewAsk {
  prepared: Prepared
  settings: ForecastSettings
}
export interface PreviewAnswer {
  computed: Computed
}

const engines = browserEngines()

/** A forecast off the page's thread: what a run on the server would find, by the same code. */
addEventListener('message', (event: MessageEvent<PreviewAsk>) => {
  const { prepared, settings } = event.data
  void engines.then((loaded) => {
    const answer: PreviewAnswer = { computed: compute(prepared, settings, loaded) }
    postMessage(answer)
  })
})
