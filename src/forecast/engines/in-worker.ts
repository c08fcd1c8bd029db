import etsModule from '#augurs/ets.wasm'
import mstlModule from '#augurs/mstl.wasm'
import { AutoETS, initSync as startEts } from '@bsull/augurs/ets'
import { initSync as startMstl, MSTL } from '@bsull/augurs/mstl'
import { type Engines } from '../contract'
import { enginesOver } from './augurs'

let started: Engines | null | undefined

/** The engines inside a Worker, started once from compiled modules; null when they cannot start: forecasts then say so. */
export function workerEngines(): Engines | null {
  if (started !== undefined) return started
  try {
    startEts({ module: etsModule })
    startMstl({ module: mstlModule })
    started = enginesOver({ AutoETS, MSTL })
  } catch {
    started = null
  }
  return started
}
