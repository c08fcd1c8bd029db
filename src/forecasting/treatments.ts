import { mapPath } from '../shared/forecasts/result'
import type { ModelInput, ModelForecast } from './contract'
import { forecast } from './forecast'
import { estimateHolidayEffects, holidayNames, applyHolidayEffects, type EpochDay } from './holidays'
import { detectOutliers, dampenOutliers } from './data-quality'
import { hasSeason, estimateSeasonalIndices, restoreSeason, removeSeason, type SeasonalIndices } from './seasonality'

interface CumulativeSums {
  n: number
  y: number
  yy: number
  ty: number
}

/** Squares left by the least squares line through values `from` … `to`, from running sums. */
function residualSquares(sums: readonly CumulativeSums[], from: number, to: number): number {
  const a = sums[from]
  const b = sums[to]
  if (!a || !b) return Infinity
  const n = b.n - a.n
  const y = b.y - a.y
  // Places are counted from `from`, so that large ones do not cost digits.
  const ty = b.ty - a.ty - from * y
  const t = (n * (n - 1)) / 2
  const tt = ((n - 1) * n * (2 * n - 1)) / 6
  const spread = tt - (t * t) / n
  const shared = ty - (t * y) / n
  return Math.max(0, b.yy - a.yy - (y * y) / n - (spread > 0 ? (shared * shared) / spread : 0))
}

/**
 * The newest place where a line before and another line after tell the series so much better that it is no chance: Schwarz's criterion
 * with the place counted as a figure (Yao 1988), found by splitting what is left again (binary segmentation). 0 when there is none.
 * Both sides keep `fewest` values.
 */
export function latestBreak(values: Float64Array, fewest: number): number {
  const largest = values.reduce((most, v) => Math.max(most, Math.abs(v)), 0)
  if (!(largest > 0)) return 0
  const sums: CumulativeSums[] = [{ n: 0, y: 0, yy: 0, ty: 0 }]
  let s: CumulativeSums = { n: 0, y: 0, yy: 0, ty: 0 }
  values.forEach((given, t) => {
    const v = given / largest
    s = { n: t + 1, y: s.y + v, yy: s.yy + v * v, ty: s.ty + t * v }
    sums.push(s)
  })
  let from = 0
  for (;;) {
    const at = findSplit(sums, from, values.length, fewest)
    if (at === null) return from
    from = at
  }
}

function findSplit(sums: readonly CumulativeSums[], from: number, to: number, fewest: number): number | null {
  const n = to - from
  if (n < 2 * fewest) return null
  let best = Infinity
  let place = -1
  for (let at = from + fewest; at <= to - fewest; at++) {
    const both = residualSquares(sums, from, at) + residualSquares(sums, at, to)
    if (both < best) {
      best = both
      place = at
    }
  }
  const whole = residualSquares(sums, from, to)
  const floor = 1e-9 * n
  // Neighbours resemble each other, so fewer values are counted than there are: penalty doubled.
  const penalty = 2 * 4 * Math.log(n)
  return n * Math.log((whole + floor) / (best + floor)) > penalty ? place : null
}

/** What is done to a series before it is forecast, and undone to the forecast. */
export interface Treatment {
  /** Only the values after the newest break are used. */
  cut: boolean
  holidays: boolean
  /** Values far off are drawn in. */
  dampen: boolean
}

export interface TreatmentContext {
  /** Steps in a season. */
  season: number
  country: string | null
  /** Day of the first value; null where values are no days. */
  firstDay: EpochDay | null
}

const PERIODS_AFTER_BREAK_MIN = 8

/** The season of the whole history; null when there is none, or one that cannot be divided by. */
function robustSeasonalIndices(values: Float64Array, season: number): SeasonalIndices | null {
  if (!hasSeason(values, season)) return null
  const kind = values.every((v) => v > 0) ? 'multiplicative' : 'additive'
  // Medians: a jump within the history must not bend the season.
  const index = estimateSeasonalIndices(values, season, kind, { robust: true })
  return index.kind === 'additive' || index.indices.every((figure) => figure > 0.05) ? index : null
}

/** Where the history would be cut: at the newest break of the values without their season; 0 for not at all. */
export function breakPosition(values: Float64Array, season: number): number {
  const index = robustSeasonalIndices(values, season)
  return latestBreak(index ? removeSeason(values, index) : values, Math.max(PERIODS_AFTER_BREAK_MIN, season))
}

const mapPaths = (made: ModelForecast, change: (path: readonly number[]) => number[]): ModelForecast => ({
  ...made,
  ...mapPath(made, change),
  members: made.members.map(({ name, path }) => ({ name, path: change(path) })),
})

/** From the values after the break alone. Where these are too few to show the season, it is taken from the whole history. */
function forecastAfterBreak(
  input: Omit<ModelInput, 'values'>,
  past: Float64Array,
  season: number,
): ModelForecast | null {
  const from = breakPosition(past, season)
  const index = from > 0 && past.length - from < 3 * season ? robustSeasonalIndices(past, season) : null
  const flat = index ? removeSeason(past, index) : past
  const made = forecastOrNull({
    ...input,
    ...(index ? { season: 'none' } : {}),
    values: Array.from(flat.subarray(from)),
  })
  if (!made || !index) return made
  const seasonal = mapPaths(made, (path) => restoreSeason(path, index, past.length))
  return { ...seasonal, card: { ...made.card, season, seasonKind: index.kind } }
}

/** Forecasts under a treatment that is learnt, each time anew, from nothing but the past it is given. */
export function treatedForecaster(
  input: Omit<ModelInput, 'values' | 'horizon'>,
  treatment: Treatment,
  context: TreatmentContext,
) {
  return (given: readonly number[], steps: number): ModelForecast | null => {
    const dampened = treatment.dampen
      ? dampenOutliers(Float64Array.from(given), detectOutliers(Float64Array.from(given), context.season))
      : Float64Array.from(given)
    const { firstDay, country } = context
    const names =
      treatment.holidays && country !== null && firstDay !== null
        ? holidayNames(country, firstDay, given.length + steps)
        : null
    const effect = names && estimateHolidayEffects(dampened, names)
    const past = effect ? Float64Array.from(applyHolidayEffects(dampened, names, effect, 'off')) : dampened
    const made = treatment.cut
      ? forecastAfterBreak({ ...input, horizon: steps }, past, context.season)
      : forecastOrNull({ ...input, values: Array.from(past), horizon: steps })
    if (!made || !effect) return made
    const ahead = names.slice(given.length)
    return mapPaths(made, (path) => applyHolidayEffects(path, ahead, effect, 'on'))
  }
}

function forecastOrNull(modelInput: ModelInput): ModelForecast | null {
  const made = forecast(modelInput)
  return made.kind === 'forecast' ? made : null
}
