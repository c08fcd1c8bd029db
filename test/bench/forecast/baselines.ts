import { theta } from '../../../src/forecasting/members/theta.ts'
import { minimise, fitLine } from '../../../src/forecasting/numerics.ts'
import {
  isSeasonal,
  estimateSeasonalIndices,
  removeSeason,
  restoreSeason,
} from '../../../src/forecasting/seasonality.ts'

// What a forecast is measured beside: reference methods of the M competitions, and what spreadsheets and dashboards draw.

export interface BaselinePath {
  mean: number[]
  lower?: number[]
  upper?: number[]
}
export interface BaselineTask {
  values: number[]
  period: number
  horizon: number
}

const NORMAL = 1.959964

const withInterval = (mean: number[], width: (step: number) => number): BaselinePath => ({
  mean,
  lower: mean.map((v, step) => v - width(step)),
  upper: mean.map((v, step) => v + width(step)),
})

/** Season by classical decomposition where the competition's test finds one, as its benchmarks do. */
function deseasonalise({ values, period }: BaselineTask): { flat: Float64Array; back: (path: number[]) => number[] } {
  if (!isSeasonal(values, period)) return { flat: Float64Array.from(values), back: (path) => path }
  const index = estimateSeasonalIndices(values, period, 'multiplicative', { shrink: false })
  return { flat: removeSeason(values, index), back: (path) => restoreSeason(path, index, values.length) }
}

export function naive2(task: BaselineTask): BaselinePath {
  const { flat, back } = deseasonalise(task)
  return { mean: back(new Array<number>(task.horizon).fill(flat.at(-1) ?? 0)) }
}

export function thetaMethod(task: BaselineTask): BaselinePath {
  const { flat, back } = deseasonalise(task)
  return { mean: back(theta(flat, task.horizon).map((v) => Math.max(0, v))) }
}

export function seasonalNaive({ values, period, horizon }: BaselineTask): BaselinePath {
  const lag = values.length > period ? period : 1
  let squares = 0
  for (let t = lag; t < values.length; t++) squares += ((values[t] ?? 0) - (values[t - lag] ?? 0)) ** 2
  const deviation = Math.sqrt(squares / (values.length - lag))
  const mean = Array.from({ length: horizon }, (_, step) => values[values.length - lag + (step % lag)] ?? 0)
  return withInterval(mean, (step) => NORMAL * deviation * Math.sqrt(Math.floor(step / lag) + 1))
}

/** Least squares line with the band of a new value around it. */
export function trendLine({ values, horizon }: BaselineTask): BaselinePath {
  const n = values.length
  const { intercept, slope } = fitLine(values)
  const squares = values.reduce((sum, v, t) => sum + (v - intercept - slope * (t + 1)) ** 2, 0)
  const deviation = Math.sqrt(squares / Math.max(1, n - 2))
  const spread = (n * (n * n - 1)) / 12
  const mean = Array.from({ length: horizon }, (_, step) => intercept + slope * (n + step + 1))
  return withInterval(
    mean,
    (step) => NORMAL * deviation * Math.sqrt(1 + 1 / n + (n + step + 1 - (n + 1) / 2) ** 2 / spread),
  )
}

interface HoltWintersState {
  squares: number
  level: number
  trend: number
  seasons: number[]
}

function holtWinters({ values, period }: BaselineTask, at: readonly number[]): HoltWintersState {
  const [a = 0.5, b = 0.1, c = 0.1] = at.map((x) => 1 / (1 + Math.exp(-x)))
  const m = values.length >= 2 * period ? period : 1
  const first = values.slice(0, m)
  let level = first.reduce((sum, v) => sum + v, 0) / m
  let trend = m > 1 ? (values.slice(m, 2 * m).reduce((sum, v) => sum + v, 0) / m - level) / m : (values[1] ?? 0) - level
  const seasons = first.map((v) => (m > 1 ? v - level : 0))
  let squares = 0
  for (let t = m; t < values.length; t++) {
    const season = seasons[t % m] ?? 0
    const error = (values[t] ?? 0) - level - trend - season
    squares += error * error
    level += trend + a * error
    trend += a * b * error
    if (m > 1) seasons[t % m] = season + c * (1 - a) * error
  }
  return { squares, level, trend, seasons }
}

/** Additive trend and season, errors of one step spread as the model says: what spreadsheets call a forecast sheet. */
export function holtWintersAdditive(task: BaselineTask): BaselinePath {
  const { at } = minimise((x) => holtWinters(task, x).squares, [-0.5, -2, -1.5], {
    steps: [1, 1, 1],
    most: 120,
  })
  const { squares, level, trend, seasons } = holtWinters(task, at)
  const m = seasons.length
  const n = task.values.length
  const [a = 0.5, b = 0.1] = at.map((x) => 1 / (1 + Math.exp(-x)))
  const deviation = Math.sqrt(squares / Math.max(1, n - m - 3))
  const mean = Array.from(
    { length: task.horizon },
    (_, step) => level + (step + 1) * trend + (seasons[(n + step) % m] ?? 0),
  )
  return withInterval(mean, (step) => {
    let spread = 1
    for (let j = 1; j <= step; j++) spread += (a * (1 + j * b)) ** 2
    return NORMAL * deviation * Math.sqrt(spread)
  })
}
