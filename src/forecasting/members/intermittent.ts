import { clamp, median } from '../numerics'

interface DemandHistory {
  sizes: number[]
  gaps: number[]
}

/** Sizes of what is not zero and steps from one to the next; the first gap counts from the beginning. */
function toDemandHistory(values: ArrayLike<number>): DemandHistory {
  const sizes: number[] = []
  const gaps: number[] = []
  let gap = 0
  for (let t = 0; t < values.length; t++) {
    gap++
    if ((values[t] ?? 0) === 0) continue
    sizes.push(values[t] ?? 0)
    gaps.push(gap)
    gap = 0
  }
  return { sizes, gaps }
}

const SMOOTHING_ALPHA = 0.1

/** Exponential smoothing that begins with the mean of the first values. */
function smoothedLevel(values: readonly number[], share: number): number {
  const first = values.slice(0, 4)
  let level = first.reduce((sum, v) => sum + v, 0) / Math.max(1, first.length)
  for (const v of values) level += share * (v - level)
  return level
}

/** Croston (1972): smoothed size over smoothed gap. */
const croston = ({ sizes, gaps }: DemandHistory): number =>
  smoothedLevel(sizes, SMOOTHING_ALPHA) / Math.max(1, smoothedLevel(gaps, SMOOTHING_ALPHA))

/** Syntetos and Boylan (2005): Croston without its upward bias. */
const syntetosBoylan = (history: DemandHistory): number => croston(history) * (1 - SMOOTHING_ALPHA / 2)

/** Teunter, Syntetos and Babai (2011): the chance of demand fades while none comes, so that what ends goes to zero. */
function teunterSyntetosBabai(values: ArrayLike<number>, { sizes, gaps }: DemandHistory): number {
  let chance = clamp(1 / Math.max(1, gaps[0] ?? 1), 0, 1)
  for (let t = 0; t < values.length; t++) chance += SMOOTHING_ALPHA * (((values[t] ?? 0) === 0 ? 0 : 1) - chance)
  return chance * smoothedLevel(sizes, SMOOTHING_ALPHA)
}

export const isIntermittent = (values: ArrayLike<number>): boolean => {
  let zeros = 0
  for (let t = 0; t < values.length; t++) if ((values[t] ?? 0) === 0) zeros++
  return zeros > 0.6 * values.length
}

/** What to expect per step of a series that is mostly zero: three ways, each one figure for all steps. */
export function intermittentMethods(values: ArrayLike<number>): { name: string; value: number }[] {
  const demand = toDemandHistory(values)
  return [
    { name: 'croston', value: croston(demand) },
    { name: 'sba', value: syntetosBoylan(demand) },
    { name: 'tsb', value: teunterSyntetosBabai(values, demand) },
  ]
}

export const intermittentMedian = (ways: readonly { value: number }[]): number => median(ways.map(({ value }) => value))
