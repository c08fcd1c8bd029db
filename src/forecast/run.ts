import { backtest, naiveSeason, type Backtest, type BacktestAsk } from './backtest'
import { type Ask, type Bands, type Forecast, type Level, type ModelCard } from './contract'
import { careFor, horizonCap, type Care } from './data-care'
import { decompose, type Decomposition } from './decompose'
import { dayOfIso } from './holidays'
import { naiveForecast } from './naive-forecast'
import { cutOf, treated, type Surroundings, type Treatment } from './treatment'

export interface RunAsk extends Ask {
  /** ISO date of the first value: wanted for holidays only. */
  start?: string
  /** Country whose public holidays are tried on daily values; null or left out for none. */
  country?: string | null
  /** Draws values in that lie far off. */
  dampen?: boolean
  /** Bounds a person has set; nothing is bounded by itself. */
  floor?: number | null
  ceiling?: number | null
}

/** What was tried beyond the plain blend, and what the backtest said. */
export interface Trial {
  what: 'cut' | 'holidays'
  /** Share of the scaled error that it saved; below zero it cost. */
  gain: number
  kept: boolean
}

export type Method = 'blend' | 'seasonal naive' | 'intermittent' | 'constant'

export interface Run {
  kind: 'ready'
  method: Method
  mean: number[]
  bands: Bands
  card: ModelCard
  members: Forecast['members']
  /** Null when the history has no room for a fold. */
  backtest: Backtest | null
  trials: Trial[]
  care: Extract<Care, { kind: 'ready' }>
  horizon: { asked: number; used: number }
  /** Place in what was given of the first value that the forecast was made from. */
  from: number
  decomposition: Decomposition
}

/** Sums and differences of larger values are no numbers any more. */
const LARGEST = 1e301

export type Ran =
  Run | Exclude<Care, { kind: 'ready' }> | { kind: 'refused'; reason: 'bad_horizon' | 'too_large' | 'no_values' }

/** Shares of the scaled error that a treatment must save to be kept: cutting history costs sureness, holidays hardly. */
const FEWEST_SAVED = { cut: 0.02, holidays: 0.005 }

/**
 * A forecast as people get it: data looked after, treatments tried and kept only if the backtest gains, the blend used only if it beats
 * seasonal naive, every figure of the card measured on forecasts of the past.
 */
export function run(ask: RunAsk): Ran {
  const { frequency, season = 'auto', engines } = ask
  const care = careFor({ values: ask.values, frequency, season })
  if (care.kind !== 'ready') return care
  if (!Number.isInteger(ask.horizon) || ask.horizon < 1) return { kind: 'refused', reason: 'bad_horizon' }
  if (care.values.some((v) => Math.abs(v) > LARGEST)) return { kind: 'refused', reason: 'too_large' }
  const used = Math.min(ask.horizon, horizonCap(care.values.length))
  const around: Surroundings = {
    season: naiveSeason({ frequency, season }),
    country: frequency === 'daily' ? (ask.country ?? null) : null,
    firstDay: ask.start === undefined ? null : dayOfIso(ask.start) + care.first,
  }
  const plain = { frequency, season, engines }
  const values = Array.from(care.values)
  const { tried, treatment, trials } = tryAll({ ...plain, values, horizon: used }, around, {
    isVaried: care.shape === 'varied',
    dampen: ask.dampen === true,
  })
  const steps = used + care.after
  const made = treated(plain, treatment, around)(values, steps)
  if (!made) return { kind: 'refused', reason: 'no_values' }
  const method = methodOf(care.shape, tried)
  const path = method === 'seasonal naive' ? naiveForecast(values, steps, around.season) : made
  return {
    kind: 'ready',
    method,
    ...bounded({ mean: path.mean.slice(care.after), bands: later(path.bands, care.after) }, ask),
    card: made.card,
    members: made.members.map(({ name, path: own }) => ({ name, path: own.slice(care.after) })),
    backtest: tried,
    trials,
    care,
    horizon: { asked: ask.horizon, used },
    from: care.first + (treatment.cut ? cutOf(care.values, around.season) : 0),
    decomposition: decompose(care.values, around.season),
  }
}

function methodOf(shape: 'varied' | 'constant' | 'mostly_zero', tried: Backtest | null): Method {
  if (shape === 'constant') return 'constant'
  if (shape === 'mostly_zero') return 'intermittent'
  return tried?.method ?? 'blend'
}

/** The plain blend, then each treatment that has something to treat; a kept one stays on while the next is tried. */
function tryAll(
  ask: BacktestAsk,
  around: Surroundings,
  { isVaried, dampen }: { isVaried: boolean; dampen: boolean },
): { tried: Backtest | null; treatment: Treatment; trials: Trial[] } {
  const test = (treatment: Treatment): Backtest | null => backtest({ ...ask, make: treated(ask, treatment, around) })
  let treatment: Treatment = { cut: false, holidays: false, dampen }
  let tried = test(treatment)
  const trials: Trial[] = []
  const wanted = {
    cut: isVaried && cutOf(Float64Array.from(ask.values), around.season) > 0,
    holidays: isVaried && around.country !== null && around.firstDay !== null,
  }
  for (const what of ['cut', 'holidays'] as const) {
    const before = tried?.blend.mase
    if (!wanted[what] || before === null || before === undefined) continue
    const next = { ...treatment, [what]: true }
    const after = test(next)
    const mase = after?.blend.mase ?? Infinity
    const gain = before > 0 ? 1 - mase / before : 0
    const kept = gain >= FEWEST_SAVED[what]
    trials.push({ what, gain, kept })
    if (kept) [treatment, tried] = [next, after]
  }
  return { tried, treatment, trials }
}

const mapped = (bands: Bands, change: (path: number[]) => number[]): Bands => {
  const of = (level: Level) => ({
    lower: change(bands[level].lower),
    upper: change(bands[level].upper),
  })
  return { 50: of(50), 80: of(80), 95: of(95) }
}

const later = (bands: Bands, after: number): Bands => mapped(bands, (path) => path.slice(after))

function bounded({ mean, bands }: { mean: number[]; bands: Bands }, { floor, ceiling }: RunAsk) {
  const hold = (path: number[]): number[] =>
    path.map((v) => Math.min(ceiling ?? Infinity, Math.max(floor ?? -Infinity, v)))
  return { mean: hold(mean), bands: mapped(bands, hold) }
}
