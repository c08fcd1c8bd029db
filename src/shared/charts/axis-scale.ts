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

/** Figures of one unit, for axes that share their lines. */
export interface SharedAxis {
  reach: AxisReach | null
  whole: boolean
}

/** The least and greatest that an axis standing on zero has to hold. */
const heldBy = ({ reach }: SharedAxis): AxisReach =>
  reach ? { low: Math.min(0, reach.low), high: Math.max(0, reach.high) } : { low: 0, high: 1 }

/** An axis with so many steps below zero and above it. */
function scaleAround(axis: SharedAxis, below: number, above: number): AxisScale {
  const { low, high } = heldBy(axis)
  const size = Math.max(above > 0 ? high / above : 0, below > 0 ? -low / below : 0)
  // Nothing but zeros, or too small to draw.
  const step = size <= SMALLEST ? 1 : niceStep(size, axis.whole)
  return { min: below === 0 ? 0 : multiple(-below, step), max: multiple(above, step), step }
}

/** Marks that are more would be read more slowly; fewer say too little. */
const SHARED_STEPS_MIN = 3

/**
 * Axes that share their lines, zero among them: as many steps below and above it on each, `isMarked` or not. Of all
 * ways the one where figures fill most of their axes.
 */
export function sharedScales(axes: readonly SharedAxis[], steps: number = STEPS_MAX): AxisScale[] {
  const isBelow = axes.some((axis) => heldBy(axis).low < 0)
  const isAbove = axes.some((axis) => heldBy(axis).high > 0) || !isBelow
  const sides = Number(isBelow) + Number(isAbove)
  const most = Math.max(steps, sides)
  const least = Math.min(SHARED_STEPS_MIN, most)
  let best: { fill: number; scales: AxisScale[] } | null = null
  for (let below = isBelow ? 1 : 0; below <= (isBelow ? most : 0); below += 1)
    for (let above = isAbove ? 1 : 0; above <= (isAbove ? most - below : 0); above += 1) {
      if (below + above < least) continue
      const scales = axes.map((axis) => scaleAround(axis, below, above))
      const fill = axes.reduce((sum, axis, at) => sum + fillOf(heldBy(axis), scales[at]), 0)
      if (!best || fill > best.fill + 1e-9) best = { fill, scales }
    }
  return best?.scales ?? axes.map(({ reach, whole }) => axisScale(reach, { whole, steps }))
}

const fillOf = ({ low, high }: AxisReach, scale: AxisScale | undefined): number =>
  scale ? (high - low) / (scale.max - scale.min) : 0

/** Whether a mark of an axis that shares its lines says anything of its figures: below zero only where some are, above it unless all are below. */
export const isMarked = (mark: number, reach: AxisReach | null): boolean =>
  mark < 0 ? reach !== null && reach.low < 0 : mark === 0 || reach === null || reach.high > 0 || reach.low === 0

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
