import etsModule from '#augurs/ets.wasm'
import mstlModule from '#augurs/mstl.wasm'
import { AutoETS, initSync as startEts } from '@bsull/augurs/ets'
import { initSync as startMstl, MSTL } from '@bsull/augurs/mstl'
import { type ForecastEngines } from '../contract'
import { augursEngines } from './augurs'

let cachedEngines: ForecastEngines | null | undefined

/** The engines inside a Worker, started once from compiled modules; null when they cannot start: forecasts then say so. */
export function workerEngines(): ForecastEngines | null {
  if (cachedEngines !== undefined) return cachedEngines
  try {
    startEts({ module: etsModule })
    startMstl({ module: mstlModule })
    cachedEngines = augursEngines({ AutoETS, MSTL })
  } catch {
    cachedEngines = null
  }
  return cachedEngines
}
