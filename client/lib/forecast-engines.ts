import etsUrl from '#augurs/ets.wasm?url'
import mstlUrl from '#augurs/mstl.wasm?url'
import startEts, { AutoETS } from '@bsull/augurs/ets'
import startMstl, { MSTL } from '@bsull/augurs/mstl'
import { type ForecastEngines } from '../../src/forecasting/contract'
import { augursEngines } from '../../src/forecasting/engines/augurs'

/** The engines of forecasts in a browser, for a web worker; null where WebAssembly cannot start: forecasts then say so. */
export async function browserEngines(): Promise<ForecastEngines | null> {
  try {
    await Promise.all([startEts({ module_or_path: etsUrl }), startMstl({ module_or_path: mstlUrl })])
    return augursEngines({ AutoETS, MSTL })
  } catch {
    return null
  }
}
