import { type PredictionIntervals, type ForecastLevel } from './contract'

/**
 * Half-widths in deviations of the changes over a season. A normal distribution would have 0.67, 1.28 and 1.96, which hold too little:
 * the tails of real series are heavier (decision 042).
 */
const NAIVE_HALF_WIDTHS: Record<ForecastLevel, number> = { 50: 0.67, 80: 1.45, 95: 2.6 }

/** The last season again and again; the last value again when the series is shorter than a season. */
export function seasonalNaivePath(values: ArrayLike<number>, horizon: number, season: number): number[] {
  const lag = values.length >= season ? season : 1
  return Array.from({ length: horizon }, (_, step) => values[values.length - lag + (step % lag)] ?? 0)
}

/** Seasonal naive with bands that widen by the square root of the seasons ahead. */
export function seasonalNaiveForecast(
  values: ArrayLike<number>,
  horizon: number,
  season: number,
): { mean: number[]; bands: PredictionIntervals } {
  const lag = values.length > season ? season : 1
  const mean = seasonalNaivePath(values, horizon, lag)
  let unit = 0
  for (let t = lag; t < values.length; t++) unit = Math.max(unit, Math.abs((values[t] ?? 0) - (values[t - lag] ?? 0)))
  let squares = 0
  for (let t = lag; t < values.length; t++) squares += (((values[t] ?? 0) - (values[t - lag] ?? 0)) / (unit || 1)) ** 2
  const deviation = unit * Math.sqrt(squares / Math.max(1, values.length - lag))
  const band = (forecastLevel: ForecastLevel): { lower: number[]; upper: number[] } => {
    const width = (step: number): number =>
      NAIVE_HALF_WIDTHS[forecastLevel] * deviation * Math.sqrt(Math.floor(step / lag) + 1)
    return { lower: mean.map((v, step) => v - width(step)), upper: mean.map((v, step) => v + width(step)) }
  }
  return { mean, bands: { 50: band(50), 80: band(80), 95: band(95) } }
}
