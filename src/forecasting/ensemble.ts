import type { Frequency, EnsembleMember } from './contract'
import { temporalAggregation, complexExponentialSmoothing, dampedTrend } from './members/exponential-smoothing'
import { changeAutoregression, levelAutoregression } from './members/autoregression'
import { optimisedTheta, simpleExponentialSmoothing, theta } from './members/theta'
import type { TrainingWindow } from './training-window'
import { mean, median, straightness } from './numerics'
import { weightedMean, weightedMembers } from './member-weights'

/** A path of `horizon` values in units of the series; null when the member does not apply to it. */
type MemberForecast = (window: TrainingWindow, horizon: number) => number[] | null

/** How many values are laid together at most, by frequency (`aggregation.ts`). */
const AGGREGATION_BLOCK_SIZES: Record<Frequency, number[]> = {
  yearly: [1, 2],
  quarterly: [1, 2, 4],
  monthly: [1, 2, 3, 4, 6, 12],
  weekly: [1, 2, 4],
  daily: [1, 7],
  hourly: [1],
}

const onDeseasonalised =
  (member: (values: Float64Array, horizon: number) => number[]): MemberForecast =>
  (view, horizon) =>
    view.reseasonalise(member(view.deseasonalised, horizon))

/** The member over logarithms, where growth is a straight line; over the plain values where there are none. */
const onLogScale =
  (member: (values: Float64Array, horizon: number) => number[]): MemberForecast =>
  (view, horizon) =>
    view.reseasonalise(
      view.logValues ? member(view.logValues, horizon).map(Math.exp) : member(view.deseasonalised, horizon),
    )

const repeatSeason =
  (season: (window: TrainingWindow) => number): MemberForecast =>
  ({ values, ...view }, horizon) => {
    const m = season({ values, ...view })
    if (values.length < m) return null
    return Array.from({ length: horizon }, (_, step) => values[values.length - m + (step % m)] ?? 0)
  }

/** What a season leaves of values that it tells in full: models of WebAssembly seek long for a shape in it. */
const EXACT_SHARE = 1e-6
function hasRest({ values, deseasonalised }: TrainingWindow): boolean {
  const size = values.reduce((large, v) => Math.max(large, Math.abs(v)), 0)
  const [first = 0] = deseasonalised
  return deseasonalised.some((v) => Math.abs(v - first) > EXACT_SHARE * size)
}

const mstlMember =
  (seasons: (window: TrainingWindow) => number[], growth: boolean): MemberForecast =>
  (view, horizon) => {
    const own = seasons(view)
    if (!view.engines || own.length === 0 || (growth && !view.logValues) || !hasRest(view)) return null
    const path = view.engines.mstl(growth ? view.values.map(Math.log) : view.values, horizon, own)
    return growth ? path.map(Math.exp) : path
  }

const dotmPath = (values: Float64Array, horizon: number): number[] => optimisedTheta(values, horizon).path

export const ENSEMBLE_MEMBERS = {
  theta: onDeseasonalised(theta),
  'theta of growth': onLogScale(theta),
  dotm: onDeseasonalised(dotmPath),
  'dotm of growth': onLogScale(dotmPath),
  damped: onDeseasonalised(dampedTrend),
  'damped of growth': onLogScale(dampedTrend),
  ces: onDeseasonalised(complexExponentialSmoothing),
  ses: onDeseasonalised(simpleExponentialSmoothing),
  changes: onDeseasonalised(changeAutoregression),
  levels: onDeseasonalised(levelAutoregression),
  aggregated: (view, horizon) =>
    view.reseasonalise(temporalAggregation(view.deseasonalised, horizon, AGGREGATION_BLOCK_SIZES[view.frequency])),
  naive: repeatSeason(() => 1),
  'seasonal naive': repeatSeason(({ season }) => season),
  'same hour last week': repeatSeason(() => 168),
  ets: (view, horizon) =>
    view.engines && hasRest(view) ? view.reseasonalise(view.engines.ets(view.deseasonalised, horizon)) : null,
  mstl: mstlMember(({ seasons }) => seasons, false),
  'mstl of growth': mstlMember(({ seasons }) => seasons, true),
  'mstl of weeks': mstlMember(({ seasons }) => (seasons.length > 1 ? seasons.slice(-1) : []), false),
} satisfies Record<string, MemberForecast>
export type EnsembleMemberName = keyof typeof ENSEMBLE_MEMBERS

interface MemberPool {
  members: EnsembleMemberName[]
  combine: 'median' | 'trimmed mean'
  /** Under a trend as straight as this, half the weight is that of the steady members' median. */
  steadyFrom?: number
}

/** Members whose median follows a straight trend better than the pool does (Petropoulos and Svetunkov 2020). */
const STEADY_MEMBERS: readonly EnsembleMemberName[] = ['ces', 'ets', 'dotm']

/** Members by frequency, chosen on one half of competition series and checked on the other (decision 042). */
const MEMBER_POOLS: Record<Frequency, MemberPool> = {
  yearly: { members: ['theta', 'dotm', 'ets', 'ces', 'naive'], combine: 'median', steadyFrom: 0.8 },
  quarterly: {
    members: ['theta', 'dotm', 'ces', 'ses', 'ets', 'damped', 'aggregated', 'changes'],
    combine: 'median',
  },
  monthly: {
    members: ['theta of growth', 'dotm of growth', 'dotm', 'aggregated', 'damped of growth', 'changes', 'mstl'],
    combine: 'trimmed mean',
  },
  weekly: { members: ['ets', 'levels', 'aggregated', 'mstl', 'mstl of growth'], combine: 'trimmed mean' },
  daily: { members: ['damped', 'ces', 'dotm', 'mstl', 'mstl of growth'], combine: 'trimmed mean' },
  hourly: {
    members: ['mstl of growth', 'mstl of weeks', 'seasonal naive', 'same hour last week', 'levels'],
    combine: 'median',
  },
}

/**
 * A member whose errors are those of the blend and larger has a weight below nothing (Bates and Granger 1969): what comes lies on the other
 * side of the blend, by this part of how far the member is from it (decision 220).
 */
const AWAY_FROM: Partial<Record<Frequency, { name: EnsembleMemberName; part: number }>> = {
  yearly: { name: 'dotm of growth', part: 0.1 },
  quarterly: { name: 'dotm of growth', part: 0.1 },
  monthly: { name: 'ses', part: 0.2 },
}

/** The same without WebAssembly. */
const MEMBER_POOLS_WITHOUT_WASM: Record<Frequency, MemberPool> = {
  yearly: { members: ['theta', 'dotm', 'ses', 'ces', 'naive'], combine: 'median' },
  quarterly: { members: ['theta', 'dotm', 'ces', 'ses', 'damped', 'aggregated', 'changes'], combine: 'median' },
  monthly: {
    members: ['theta of growth', 'dotm of growth', 'dotm', 'aggregated', 'damped of growth', 'changes'],
    combine: 'trimmed mean',
  },
  weekly: { members: ['levels', 'aggregated', 'dotm', 'damped', 'ces'], combine: 'trimmed mean' },
  daily: { members: ['damped', 'ces', 'ses', 'dotm'], combine: 'trimmed mean' },
  hourly: { members: ['seasonal naive', 'same hour last week', 'levels', 'dotm'], combine: 'median' },
}

/** A member that passes so many times the largest value seen, and what steady growth makes of it, has run away. */
const RUNAWAY_FACTOR = 10
const STEADY_GROWTH = 0.95
/** What growth may lift the limit by: e to this power, so that figures stay finite. */
const GROWTH_EXPONENT_MAX = 100
const TRIM_DIVISOR = 4

export interface EnsembleForecast {
  mean: number[]
  /** All that were asked, those beside the pool too. */
  members: EnsembleMember[]
  dropped: EnsembleMemberName[]
  combined: MemberPool['combine'] | 'single'
}

/** Mean without the outermost quarter on either side; of fewer than four, the mean. */
function trimmedMean(values: readonly number[]): number {
  const cut = values.length >= TRIM_DIVISOR ? Math.floor(values.length / TRIM_DIVISOR) : 0
  const sorted = Float64Array.from(values).sort()
  return mean(sorted.subarray(cut, sorted.length - cut))
}

/** The largest size that a path may reach. */
function runawayLimit(window: TrainingWindow, horizon: number): number {
  const largest = window.values.reduce((large, v) => Math.max(large, Math.abs(v)), 0)
  const { slope, share } = window.logValues ? straightness(window.logValues) : { slope: 0, share: 0 }
  const growth = share >= STEADY_GROWTH ? Math.exp(Math.min(Math.max(0, slope) * horizon, GROWTH_EXPONENT_MAX)) : 1
  return RUNAWAY_FACTOR * largest * growth
}

function memberPath(
  window: TrainingWindow,
  { name, horizon, limit }: { name: EnsembleMemberName; horizon: number; limit: number },
): number[] | null | undefined {
  try {
    const path = ENSEMBLE_MEMBERS[name](window, horizon)
    if (path === null) return null
    return path.length === horizon && path.every((v) => Number.isFinite(v) && Math.abs(v) <= limit) ? path : undefined
  } catch {
    return undefined
  }
}

const combineSteps = (
  members: readonly EnsembleMember[],
  horizon: number,
  combine: (values: readonly number[]) => number,
): number[] => Array.from({ length: horizon }, (_, step) => combine(members.map(({ path }) => path[step] ?? 0)))

const isMember = (name: string): name is EnsembleMemberName => name in ENSEMBLE_MEMBERS

/** Runs a pool: members that do not apply are left out, those that fail or run away are named; none left makes it naive. */
export function combineMembers(window: TrainingWindow, horizon: number): EnsembleForecast {
  const pool = (window.engines ? MEMBER_POOLS : MEMBER_POOLS_WITHOUT_WASM)[window.frequency]
  const limit = runawayLimit(window, horizon)
  const isStraight = pool.steadyFrom !== undefined && straightness(window.deseasonalised).share >= pool.steadyFrom
  const beside = isStraight ? STEADY_MEMBERS : weightedMembers(window.frequency).filter(isMember)
  const members: EnsembleMember[] = []
  const dropped: EnsembleMemberName[] = []
  const away = AWAY_FROM[window.frequency]
  for (const name of new Set([...pool.members, ...beside, ...(away ? [away.name] : [])])) {
    const path = memberPath(window, { name, horizon, limit })
    if (path) members.push({ name, path })
    else if (path === undefined) dropped.push(name)
  }
  if (members.length === 0) {
    const last = window.values.at(-1) ?? 0
    members.push({ name: 'naive', path: new Array<number>(horizon).fill(last) })
  }
  const among = (names: readonly string[]) => members.filter(({ name }) => names.includes(name))
  const own = among(pool.members)
  const mean = combineSteps(own.length > 0 ? own : members, horizon, pool.combine === 'median' ? median : trimmedMean)
  const steady = isStraight ? among(STEADY_MEMBERS) : []
  const other = steady.length > 0 ? combineSteps(steady, horizon, median) : weightedMean(window, members)
  const blend = other ? mean.map((v, step) => (v + (other[step] ?? v)) / 2) : mean
  const from = members.find(({ name }) => name === away?.name)?.path
  return {
    mean: from && away ? blend.map((v, step) => v + away.part * (v - (from[step] ?? v))) : blend,
    members,
    dropped,
    combined: members.length === 1 ? 'single' : pool.combine,
  }
}
