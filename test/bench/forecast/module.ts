import { readFileSync } from 'node:fs'
import { AutoETS, initSync as startEts } from '@bsull/augurs/ets'
import { initSync as startMstl, MSTL } from '@bsull/augurs/mstl'
import type { ForecastEngines, Frequency } from '../../../src/forecasting/contract.ts'
import { augursEngines } from '../../../src/forecasting/engines/augurs.ts'
import { forecastWithBacktest } from '../../../src/forecasting/forecast-with-backtest.ts'
import { forecast as ask } from '../../../src/forecasting/forecast.ts'
import { FORECAST_LEVELS, type ForecastLevel } from '../../../src/shared/forecasts/result.ts'

/** The engines in Node, from WebAssembly files beside the built module. */
export function nodeEngines(): ForecastEngines {
  const compiled = (name: string): WebAssembly.Module =>
    new WebAssembly.Module(readFileSync(new URL(`./${name}_bg.wasm`, import.meta.url)))
  startEts({ module: compiled('ets') })
  startMstl({ module: compiled('mstl') })
  return augursEngines({ AutoETS, MSTL })
}

// The forecast model as a module of its own: what `npm run suite -- forecast` builds, and `npm run bench:forecast` measures.

export const engines: ForecastEngines | null = process.env['WITHOUT_WASM'] === '1' ? null : nodeEngines()

interface ForecastCall {
  values: number[]
  period: number
  horizon: number
  frequency: Frequency
  /** Share of future values the band is to hold: 0.5, 0.8 or 0.95. */
  level?: number
}

interface LevelPath {
  mean: number[]
  lower: number[]
  upper: number[]
}

const nearestLevel = (level: number): ForecastLevel =>
  FORECAST_LEVELS.reduce((best, own) => (Math.abs(own - 100 * level) < Math.abs(best - 100 * level) ? own : best))

/** A path with its band, in the shape that evaluation tools ask for. Never refuses a series that has a value. */
export function forecast({ values, horizon, frequency, level = 0.95 }: ForecastCall): LevelPath {
  const answer = ask({ values, frequency, horizon, engines })
  if (answer.kind === 'refused') throw new RangeError(answer.reason)
  return { mean: answer.mean, ...answer.bands[nearestLevel(level)] }
}

/** What people get: data looked after, backtest and its rule included. Throws where the product would say why not. */
export function run({ values, horizon, frequency, level = 0.95 }: ForecastCall): LevelPath {
  const answer = forecastWithBacktest({ values, frequency, horizon, engines })
  if (answer.kind !== 'ready') throw new RangeError(answer.kind === 'refused' ? answer.reason : answer.kind)
  if (answer.mean.length < horizon) throw new RangeError(`reaches ${answer.mean.length} of ${horizon} steps`)
  return { mean: answer.mean, ...answer.bands[nearestLevel(level)] }
}
