/** Where an axis of figures begins and ends, and how far apart its marks lie. */
export interface AxisScale {
  min: number
  max: number
  step: number
}

export interface AxisReach {
  low: number
  high: number
}

/** The least and the greatest of some figures; null without any. */
export function reachOf(values: readonly number[]): AxisReach | null {
  if (values.length === 0) return null
  return { low: Math.min(...values), high: Math.max(...values) }
}

const STEPS = [1, 2, 2.5, 5, 10] as const
const STEPS_MAX = 5
/** Beside points that all lie at one place, so much of their size. */
const ALONE_SHARE = 0.1
/** Below this a figure is drawn as zero. */
const SMALLEST = 1e-12

/** The least of 1, 2, 2.5 and 5 times a power of ten that is not below `size`; of whole figures a whole one. */
function niceStep(size: number, whole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(size))
  const step = (STEPS.find((one) => one * power >= size * (1 - 1e-9)) ?? 10) * power
  if (!whole) return step
  return step <= 1 ? 1 : step === 2.5 ? 5 : step
}

/** Sums of steps without the noise of binary fractions. */
const multiple = (count: number, step: number): number => Number((count * step).toPrecision(12))

interface AxisScaleOptions {
  /** Bars and areas stand on zero; points do not. */
  fromZero?: boolean
  /** Counts have no halves. */
  whole?: boolean
  /** Steps between its ends, about: fewer where marks have little room. */
  steps?: number | undefined
}

/** An axis that begins and ends on a mark, over all of these figures; from 0 to 1 where there are none. */
export function axisScale(
  reach: AxisReach | null,
  { fromZero = true, whole = false, steps = STEPS_MAX }: AxisScaleOptions = {},
): AxisScale {
  if (!reach) return { min: 0, max: 1, step: 1 }
  const low = fromZero ? Math.min(0, reach.low) : reach.low
  const high = fromZero ? Math.max(0, reach.high) : reach.high
  // Nearer than numbers can tell apart is one place.
  if (high - low <= Math.max(SMALLEST, Math.abs(high) * 1e-9)) return alonePointScale(low, { whole, steps })
  const step = niceStep((high - low) / steps, whole)
  const min = multiple(Math.floor(low / step + 1e-9), step)
  return { min, max: multiple(Math.ceil(high / step - 1e-9), step), step }
}

function alonePointScale(value: number, { whole, steps }: { whole: boolean; steps: number }): AxisScale {
  if (Math.abs(value) <= SMALLEST * 100) return { min: 0, max: 1, step: 1 }
  const aside = Math.max(Math.abs(value) * ALONE_SHARE, whole ? 1 : 0)
  return axisScale({ low: value - aside, high: value + aside }, { fromZero: false, whole, steps })
}

/** An axis of points: begins near the least and ends near the greatest of them, none on its edge unless that is zero. */
export function pointScale(reach: AxisReach | null, options: Omit<AxisScaleOptions, 'fromZero'> = {}): AxisScale {
  if (!reach || reach.low === reach.high) return axisScale(reach, { ...options, fromZero: false })
  const room = (reach.high - reach.low) * 0.04
  const low = reach.low >= 0 ? Math.max(0, reach.low - room) : reach.low - room
  const high = reach.high <= 0 ? Math.min(0, reach.high + room) : reach.high + room
  return axisScale({ low, high }, { ...options, fromZero: false })
}

/** The same axis with as many steps as another, so that both share their lines. */
export function alignScale(scale: AxisScale, other: AxisScale): AxisScale {
  const steps = Math.max(1, Math.round((other.max - other.min) / other.step))
  let step = scale.step
  let start = scale.min
  while (start + step * steps < scale.max - step * 1e-9) {
    step = niceStep(step * 1.01, false)
    start = multiple(Math.floor(scale.min / step + 1e-9), step)
  }
  return { min: start, max: multiple(Math.round(start / step) + steps, step), step }
}

/** An axis by how many steps it has, about. */
export type ScaleMaker = (steps?: number) => AxisScale

/** How many steps there is room for: fewer and fewer until they fit, at the least one. */
export function stepsThatFit(fits: (steps: number) => boolean): number {
  for (let steps = STEPS_MAX; steps > 1; steps -= 1) if (fits(steps)) return steps
  return 1
}

/** The marks of an axis, in order. */
export const marksOf = ({ min, max, step }: AxisScale): number[] =>
  Array.from({ length: Math.round((max - min) / step) + 1 }, (_, at) => multiple(Math.round(min / step) + at, step))
