// The forecast model as a module of its own: what `npm run suite -- forecast` builds, and `npm run bench:forecast` measures.
import { backtest, naiveSeason } from '../../../src/forecast/backtest.ts'
import { LEVELS, type Engines, type Frequency, type Level } from '../../../src/forecast/contract.ts'
import { forecast as ask } from '../../../src/forecast/forecast.ts'
import { naiveForecast } from '../../../src/forecast/naive-forecast.ts'
import { nodeEngines } from './node-engines.ts'

const engines: Engines | null = process.env['WITHOUT_WASM'] === '1' ? null : nodeEngines()

interface Series {
  values: number[]
  period: number
  horizon: number
  frequency: Frequency
  /** Share of future values the band is to hold: 0.5, 0.8 or 0.95. */
  level?: number
}

interface Path {
  mean: number[]
  lower: number[]
  upper: number[]
}

const nearest = (level: number): Level =>
  LEVELS.reduce((best, own) => (Math.abs(own - 100 * level) < Math.abs(best - 100 * level) ? own : best))

/** A path with its band, in the shape that evaluation tools ask for. Never refuses a series that has a value. */
export function forecast({ values, horizon, frequency, level = 0.95 }: Series): Path {
  const answer = ask({ values, frequency, horizon, engines })
  if (answer.kind === 'refused') throw new RangeError(answer.reason)
  return { mean: answer.mean, ...answer.bands[nearest(level)] }
}

/** The same under the product's rule: seasonal naive where the blend does not beat it by 2 % in the backtest. */
export function forecastByRule({ values, horizon, frequency, level = 0.95 }: Series): Path {
  const tried = backtest({ values, frequency, horizon, engines })
  if (tried?.method !== 'seasonal naive') return forecast({ values, period: 1, horizon, frequency, level })
  const { mean, bands } = naiveForecast(values, horizon, naiveSeason({ frequency }))
  return { mean, ...bands[nearest(level)] }
}
