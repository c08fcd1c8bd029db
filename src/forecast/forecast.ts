import { blend } from './blend'
import { APART_WEIGHT, GROWTH_POWER, HALF_WIDTHS } from './calibration'
import {
  SEASONS,
  type Ask,
  type Band,
  type Bands,
  type Forecast,
  type Frequency,
  type Level,
  type ModelCard,
  type Refusal,
} from './contract'
import { withoutGaps } from './gaps'
import { withLong, withoutLong, yearOfDays } from './long-season'
import { intermittent, intermittentMean, isIntermittent } from './members/intermittent'
import { mean as meanOf } from './numbers'
import { spreadParts } from './spread'
import { viewOf } from './view'

export const MOST_STEPS = 1_000
const MOST_VALUES = 20_000
/** Fewer than so many have no shape to blend. */
const FEWEST_BLENDED = 4

type Answer = Omit<Forecast, 'kind' | 'card'> & { card: Omit<ModelCard, 'used' | 'filled' | 'withoutEngines'> }

/**
 * What comes after a series, with bands that are calibrated to hold 50, 80 and 95 % of what comes. Always answers: refused is only what
 * is no question. Deterministic. Whether the forecast is good enough to show is said by the backtest.
 */
export function forecast({ values: given, frequency, horizon, season = 'auto', engines }: Ask): Forecast | Refusal {
  if (!Number.isInteger(horizon) || horizon < 1 || horizon > MOST_STEPS)
    return { kind: 'refused', reason: 'bad_horizon' }
  if (given.length > MOST_VALUES) return { kind: 'refused', reason: 'too_many_values' }
  const length = season === 'none' ? 1 : season === 'auto' ? SEASONS[frequency] : season
  const { values, filled, after } = withoutGaps(given, length)
  if (values.length === 0) return { kind: 'refused', reason: 'no_values' }
  const unit = unitOf(values)
  const scaled = values.map((v) => v / unit)
  const steps = horizon + after
  const answer = routed(scaled, steps, { frequency, season, engines })
  const back = (path: readonly number[]): number[] => path.slice(after).map((v) => held(v, unit))
  return {
    kind: 'forecast',
    mean: back(answer.mean),
    bands: bandsOf((level) => ({ lower: back(answer.bands[level].lower), upper: back(answer.bands[level].upper) })),
    members: answer.members.map(({ name, path }) => ({ name, path: back(path) })),
    card: { ...answer.card, used: values.length, filled, withoutEngines: engines === null },
  }
}

/** A power of two near the largest value: dividing by it loses nothing, and squares of what remains stay finite. */
function unitOf(values: Float64Array): number {
  const largest = values.reduce((most, v) => Math.max(most, Math.abs(v)), 0)
  return largest > 0 ? 2 ** Math.max(-1_020, Math.min(1_020, Math.round(Math.log2(largest)))) : 1
}

const held = (value: number, unit: number): number =>
  Math.min(Number.MAX_VALUE, Math.max(-Number.MAX_VALUE, value * unit))

const bandsOf = (band: (level: Level) => Band): Bands => ({
  50: band(50),
  80: band(80),
  95: band(95),
})

type Way = Pick<Ask, 'engines'> & { frequency: Frequency; season: 'auto' | 'none' | number }

function routed(values: Float64Array, steps: number, way: Way): Answer {
  const [first = 0] = values
  if (values.every((v) => v === first))
    return level({ route: 'constant', name: 'naive', value: first }, steps, () => ({ lower: first, upper: first }))
  if (isIntermittent(values) && values.every((v) => v >= 0)) return mostlyZero(values, steps)
  if (values.length < FEWEST_BLENDED) return fromFew(values, steps, way.frequency)
  return blended(values, steps, way)
}

/** One figure for all steps. */
function level(
  { route, name, value }: { route: ModelCard['route']; name: string; value: number },
  steps: number,
  band: (level: Level, step: number) => { lower: number; upper: number },
): Answer {
  const path = new Array<number>(steps).fill(value)
  return {
    mean: path,
    bands: bandsOf((share) => ({
      lower: path.map((_, step) => band(share, step).lower),
      upper: path.map((_, step) => band(share, step).upper),
    })),
    members: [{ name, path }],
    card: { route, members: [name], dropped: [], combined: 'single', season: null, seasonKind: null, longSeason: null },
  }
}

/** Croston's kind; bands are quantiles of the last hundred values, zeros among them. */
function mostlyZero(values: Float64Array, steps: number): Answer {
  const ways = intermittent(values)
  const value = intermittentMean(ways)
  const sorted = values.slice(-100).sort()
  const quantile = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  const answer = level({ route: 'intermittent', name: 'median', value }, steps, (share) => ({
    lower: Math.min(value, quantile((100 - share) / 200)),
    upper: Math.max(value, quantile((100 + share) / 200)),
  }))
  return {
    ...answer,
    members: ways.map(({ name, value: own }) => ({ name, path: new Array<number>(steps).fill(own) })),
    card: { ...answer.card, members: ways.map(({ name }) => name), combined: 'median' },
  }
}

/** The last value, as wide as a random walk of the changes seen. */
function fromFew(values: Float64Array, steps: number, frequency: Frequency): Answer {
  const changes = Float64Array.from({ length: values.length - 1 }, (_, i) =>
    Math.abs((values[i + 1] ?? 0) - (values[i] ?? 0)),
  )
  const last = values.at(-1) ?? 0
  return level({ route: 'short', name: 'naive', value: last }, steps, (share, step) => {
    const width = 2 * HALF_WIDTHS[frequency][share] * meanOf(changes) * Math.sqrt(step + 1)
    return { lower: last - width, upper: last + width }
  })
}

function blended(all: Float64Array, steps: number, way: Way): Answer {
  const year = way.frequency === 'daily' && way.season !== 'none' ? yearOfDays(all) : null
  const view = viewOf(year ? withoutLong(all, year) : all, way)
  const made = blend(view, steps)
  const parts = spreadParts(view, steps, made)
  const long = (path: readonly number[], isWidth = false): number[] => withLong(path, year, all.length, isWidth)
  const widths = long(
    parts.fitted.map(
      (fitted, step) =>
        (parts.lift[step] ?? 1) *
        (parts.growth[step] ?? 1) ** GROWTH_POWER *
        Math.hypot(fitted, parts.probed[step] ?? 0, APART_WEIGHT * (parts.apart[step] ?? 0)),
    ),
    true,
  )
  const mean = long(made.mean)
  return {
    mean,
    bands: bandsOf((share) => {
      const factor = HALF_WIDTHS[way.frequency][share]
      return {
        lower: mean.map((v, step) => v - factor * (widths[step] ?? 0)),
        upper: mean.map((v, step) => v + factor * (widths[step] ?? 0)),
      }
    }),
    members: made.members.map(({ name, path }) => ({ name, path: long(path) })),
    card: {
      route: 'blend',
      members: made.members.map(({ name }) => name),
      dropped: made.dropped,
      combined: made.combined,
      season: view.index ? view.season : null,
      seasonKind: view.index?.kind ?? null,
      longSeason: year?.length ?? null,
    },
  }
}
