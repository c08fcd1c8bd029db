import { mean } from '../numbers'
import { dampedTrend } from './linear-state'

const BLOCKS_MIN = 8

/** Damped trend over means of `size` values, laid on the grid of single ones by straight lines between the middles of blocks. */
function forecastFromBlocks(values: Float64Array, horizon: number, size: number): number[] {
  const count = Math.floor(values.length / size)
  const from = values.length - count * size
  const blocks = Float64Array.from({ length: count }, (_, i) =>
    mean(values.subarray(from + i * size, from + (i + 1) * size)),
  )
  const ahead = dampedTrend(blocks, Math.ceil(horizon / size) + 1)
  const at = (i: number): number => ahead[i] ?? 0
  return Array.from({ length: horizon }, (_, step) => {
    const place = (step + 1 - (size + 1) / 2) / size
    const left = Math.min(Math.max(0, Math.floor(place)), ahead.length - 2)
    return at(left) + (at(left + 1) - at(left)) * (place - left)
  })
}

/**
 * Multiple temporal aggregation (Kourentzes, Petropoulos and Trapero 2014): the same model over the values and over means of several
 * at a time, averaged. The coarse ones see trends that noise hides from the fine ones.
 */
export function temporalAggregation(values: Float64Array, horizon: number, sizes: readonly number[]): number[] {
  const paths = sizes
    .filter((size) => size === 1 || Math.floor(values.length / size) >= BLOCKS_MIN)
    .map((size) => (size === 1 ? dampedTrend(values, horizon) : forecastFromBlocks(values, horizon, size)))
  return Array.from({ length: horizon }, (_, step) => mean(paths.map((path) => path[step] ?? 0)))
}
