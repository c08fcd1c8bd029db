import { readFileSync } from 'node:fs'
import { AutoETS, initSync as startEts } from '@bsull/augurs/ets'
import { initSync as startMstl, MSTL } from '@bsull/augurs/mstl'
import { type ForecastEngines } from '../../../src/forecast/contract.ts'
import { augursEngines } from '../../../src/forecast/engines/augurs.ts'

/** The engines in Node, from WebAssembly files beside the built module. */
export function nodeEngines(): ForecastEngines {
  const compiled = (name: string): WebAssembly.Module =>
    new WebAssembly.Module(readFileSync(new URL(`./${name}_bg.wasm`, import.meta.url)))
  startEts({ module: compiled('ets') })
  startMstl({ module: compiled('mstl') })
  return augursEngines({ AutoETS, MSTL })
}
