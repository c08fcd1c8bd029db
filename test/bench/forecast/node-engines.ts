import { readFileSync } from 'node:fs'
import { AutoETS, initSync as startEts } from '@bsull/augurs/ets'
import { initSync as startMstl, MSTL } from '@bsull/augurs/mstl'
import { type Engines } from '../../../src/forecast/contract.ts'
import { enginesOver } from '../../../src/forecast/engines/augurs.ts'

/** The engines in Node, from WebAssembly files beside the built module. */
export function nodeEngines(): Engines {
  const compiled = (name: string): WebAssembly.Module =>
    new WebAssembly.Module(readFileSync(new URL(`./${name}_bg.wasm`, import.meta.url)))
  startEts({ module: compiled('ets') })
  startMstl({ module: compiled('mstl') })
  return enginesOver({ AutoETS, MSTL })
}
