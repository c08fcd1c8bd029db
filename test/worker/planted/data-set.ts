import type { AnalysisSubject } from '../../../src/features/findings/model/subject'
import {
  randomFrom,
  range,
  whiteErrors,
  simulateSeries,
  randomShares,
  binomial,
  bucketsOf,
  seriesOf,
  countsOf,
  dimensionOf,
} from './simulation'
import type { RandomSource, SimulatedSeries, NoiseLaw } from './simulation'

/** The size of a statistic's error, by trying it out: no formula of the engine is used. */

type NumberRow = number[]

/** Solves the normal equations by elimination: how each figure enters the last column's coefficient. */
export function lastCoefficient(columns: readonly NumberRow[]): NumberRow {
  const k = columns.length
  const n = columns[0]?.length ?? 0
  const system = columns.map((one, i) => [
    ...columns.map((other) => one.reduce((sum, value, t) => sum + value * (other[t] ?? 0), 0)),
    ...Array.from({ length: k }, (_, j) => (i === j ? 1 : 0)),
  ])
  for (let i = 0; i < k; i += 1) {
    let best = i
    for (let r = i + 1; r < k; r += 1) if (Math.abs(system[r]?.[i] ?? 0) > Math.abs(system[best]?.[i] ?? 0)) best = r
    const [a, b] = [system[i], system[best]]
    if (!a || !b) continue
    system[i] = b
    system[best] = a
    const pivot = system[i]?.[i] ?? 1
    system[i] = (system[i] ?? []).map((value) => value / pivot)
    for (let r = 0; r < k; r += 1) {
      const factor = system[r]?.[i] ?? 0
      if (r !== i && factor !== 0)
        system[r] = (system[r] ?? []).map((value, j) => value - factor * (system[i]?.[j] ?? 0))
    }
  }
  const last = (system[k - 1] ?? []).slice(k)
  return Array.from({ length: n }, (_, t) => last.reduce((sum, weight, j) => sum + weight * (columns[j]?.[t] ?? 0), 0))
}

/** What an analyst would put beside the effect: level, trend, and the season the grain has. */
export function baselineColumns(n: number, season: number): NumberRow[] {
  const times = Array.from({ length: n }, (_, t) => t)
  const columns = [times.map(() => 1), times.map((t) => t / n)]
  if (n / season >= 2.5)
    for (let month = 1; month < season; month += 1) columns.push(times.map((t) => (t % season === month ? 1 : 0)))
  else
    for (let wave = 1; wave <= (n >= 2 * season ? 2 : 1); wave += 1)
      for (const turn of [Math.sin, Math.cos]) columns.push(times.map((t) => turn((2 * Math.PI * wave * t) / season)))
  return columns
}

/** Standard deviation, over many draws of the noise, of the effect that is fitted where there is none. */
export function simulatedStandardError(
  effect: NumberRow,
  { season, draw }: { season: number; draw: () => NumberRow },
): number {
  const weights = lastCoefficient([...baselineColumns(effect.length, season), effect])
  let squares = 0
  for (let trial = 0; trial < 200; trial += 1)
    squares += draw().reduce((sum, value, t) => sum + value * (weights[t] ?? 0), 0) ** 2
  return Math.sqrt(squares / 200)
}

export const PLANTED_EFFECTS = ['levelShift', 'spike', 'driver', 'lostMember', 'trendBreak', 'mixShift'] as const
export type PlantedEffect = (typeof PLANTED_EFFECTS)[number]

/** What was put into a data set. */
export interface PlantedTruth {
  plant: PlantedEffect | null
  /**
   * How large it is in standard errors of what was moved: the standard deviation, over draws of the same noise, of the
   * size that least squares fit beside level, trend and season (see {@link simulatedStandardError}), at the place where it is. That is
   * the true error, what is not known of the baseline included; the engine has to estimate it, to find the place and the
   * shape, and to hold all its other tests against it.
   */
  size: number
  law: NoiseLaw
  /** Bucket of the effect, and its way. */
  at: number
  sign: number
  dimension: string | null
  member: string | null
  isSeasonal: boolean
}
export interface PlantedDataSet {
  subject: AnalysisSubject
  truth: PlantedTruth
}
export interface DataSetOrder {
  seed: number
  plant: PlantedEffect | null
  size: number
  law: NoiseLaw
}

const pulseAt = (n: number, at: number): number[] => range(n).map((t) => (t === at ? 1 : 0))
const stepAt = (n: number, at: number): number[] => range(n).map((t) => (t >= at ? 1 : 0))
const bendAt = (n: number, at: number): number[] => range(n).map((t) => Math.max(0, t - at + 1))

/** Where and in what shape an effect goes in. */
function shapeOf({ random, n }: SimulatedSeries, plant: PlantedEffect | null): { at: number; shape: number[] } {
  if (plant === 'levelShift') {
    const at = random.whole(Math.max(4, Math.floor(n / 2)), n - 4)
    return { at, shape: stepAt(n, at) }
  }
  if (plant === 'trendBreak') {
    const at = random.whole(Math.max(5, Math.floor(n / 3)), Math.max(5, Math.min(n - 5, Math.ceil((2 * n) / 3))))
    return { at, shape: bendAt(n, at) }
  }
  const at = plant === 'spike' && random.unit() < 0.4 ? random.whole(3, n - 4) : n - 1
  return { at, shape: pulseAt(n, at) }
}

function generateSumData(source: RandomSource, order: DataSetOrder): PlantedDataSet {
  const scene = simulateSeries(source, order.law)
  const { n, season, law, signal } = scene
  const { at, shape } = shapeOf(scene, order.plant)
  const isEffect = order.plant !== null && order.plant !== 'lostMember'
  const error = isEffect ? simulatedStandardError(shape, { season, draw: () => scene.errors(signal) }) : 0
  const isTooDeep = order.size * error * Math.max(...shape) > 0.7 * Math.min(...signal)
  const sign = isTooDeep || source.unit() < 0.5 ? 1 : -1
  const effect = shape.map((value) => sign * order.size * error * value)
  const round = (value: number): number => (law === 'poisson' ? Math.max(0, Math.round(value)) : value)
  const base = scene.errors(signal).map((one, t) => round((signal[t] ?? 0) + one))
  const lost = order.plant === 'lostMember' ? generateLostMember(scene, order.size) : null
  const own = lost?.values ?? generateDriver(scene, base).map((value, t) => round(value + (effect[t] ?? 0)))
  const hasMember = order.plant === 'driver' || order.plant === 'lostMember'
  const total = base.map((value, t) => (lost ? value + (own[t] ?? 0) : round(value + (effect[t] ?? 0))))
  const count = source.whole(1, 8)
  const chosen = source.whole(0, count - 1)
  const dimensions = range(count).map((i) =>
    dimensionOf(scene, {
      key: `d${i}`,
      total,
      signal:
        i === chosen && hasMember
          ? signal
          : signal.map((value, t) => value + (hasMember ? (own[t] ?? 0) : (effect[t] ?? 0))),
      ...(i === chosen && hasMember ? { fixed: { values: own, rows: lost?.rows ?? 600 } } : {}),
    }),
  )
  return {
    subject: {
      key: `s${order.seed}`,
      label: 'Figure',
      grain: season === 12 ? 'month' : 'week',
      buckets: bucketsOf(n, season),
      additive: true,
      counts: law === 'poisson',
      total: law === 'poisson' ? countsOf(total) : seriesOf(source, total, 3000),
      dimensions,
      direction: 'up',
    },
    truth: {
      plant: order.plant,
      size: lost?.size ?? order.size,
      law,
      at: lost?.at ?? at,
      sign: lost ? -1 : sign,
      dimension: hasMember ? `d${chosen}` : null,
      member: hasMember ? 'planted' : null,
      isSeasonal: scene.isSeasonal,
    },
  }
}

/** A member of a fifth of the total, with a fifth of its errors and some of its own. */
function generateDriver(series: SimulatedSeries, base: readonly number[]): number[] {
  const { random, law, signal } = series
  if (law === 'poisson') return base.map((count) => binomial(random, { trials: count, chance: 0.2 }))
  const errors = series.errors(signal)
  return base.map((value, t) => value * 0.2 + (errors[t] ?? 0) * 0.3)
}

/**
 * A member that is gone from some bucket on, whose mean was `size` standard errors of the difference between the buckets
 * before and those after. Its rows vary as its figures do, so that both tell the same.
 */
function generateLostMember(
  series: SimulatedSeries,
  size: number,
): { at: number; values: number[]; rows: number; size: number } {
  const { random, n, law, signal } = series
  const length = random.whole(1, Math.min(6, Math.floor(n / 4)))
  const at = n - length
  const apart = Math.sqrt(1 / length + 1 / at)
  const rows = (size * apart) ** 2
  const level =
    law === 'poisson' ? Math.max(0.02 * (signal[0] ?? 0), rows) : (signal[0] ?? 0) * random.between(0.03, 0.2)
  const spread = level / (size * apart)
  const errors = whiteErrors(random, { n, law, phi: 0.4 })
  const values = range(n).map((t) => {
    if (t >= at) return 0
    return law === 'poisson' ? random.poisson(level) : Math.max(level * 0.02, level + spread * (errors[t] ?? 0))
  })
  return { at, values, rows, size: law === 'poisson' ? Math.sqrt(level) / apart : size }
}

/** Shares of which the first two are large enough for a shift from one to the other. */
function withLargeShares(shares: readonly number[]): number[] {
  const raised = shares.map((share, i) => (i < 2 ? Math.max(share, 0.15) : share))
  const sum = raised.reduce((total, one) => total + one, 0)
  return raised.map((share) => share / sum)
}

/** A ratio whose members keep their own while their weights move. */
function generateRatioData(source: RandomSource, order: DataSetOrder): PlantedDataSet {
  const scene = simulateSeries(source, order.law === 'poisson' ? 'normal' : order.law)
  const { n, season, signal } = scene
  const count = source.pick([2, 3, 5, 10, 30])
  const shares = withLargeShares(randomShares(source, count))
  const rates = shares.map(() => source.between(0.1, 0.6))
  rates[0] = 0.65
  rates[1] = 0.15
  const drawWeights = (): number[][] =>
    shares.map((share) =>
      scene.errors(signal).map((error, t) => Math.max(1, ((signal[t] ?? 0) + error / Math.sqrt(share) / 2) * share)),
    )
  const ratioAt = (weights: readonly number[][], t: number): number => {
    const below = weights.reduce((sum, row) => sum + (row[t] ?? 0), 0)
    return weights.reduce((sum, row, i) => sum + (row[t] ?? 0) * (rates[i] ?? 0), 0) / below
  }
  const at = source.unit() < 0.5 ? n - 1 : source.whole(Math.max(4, Math.floor(n / 2)), n - 4)
  const shape = at === n - 1 ? pulseAt(n, at) : stepAt(n, at)
  const usual = shares.reduce((sum, share, i) => sum + share * (rates[i] ?? 0), 0)
  const error =
    order.plant === null
      ? 0
      : simulatedStandardError(shape, { season, draw: () => drawRatioNoise(drawWeights(), ratioAt, usual) })
  const weights = drawWeights()
  const sign = source.unit() < 0.5 ? -1 : 1
  const moved = (sign * order.size * error) / 0.5
  let carried = 1
  for (const t of range(n).filter((one) => (shape[one] ?? 0) > 0)) {
    const below = weights.reduce((sum, row) => sum + (row[t] ?? 0), 0)
    const [first, second] = [weights[0] ?? [], weights[1] ?? []]
    const shift = Math.max(-(first[t] ?? 0), Math.min(second[t] ?? 0, moved * below))
    if (moved !== 0) carried = Math.min(carried, shift / (moved * below))
    first[t] = (first[t] ?? 0) + shift
    second[t] = (second[t] ?? 0) - shift
  }
  const noise = source.between(0.01, 0.03)
  const overs = weights.map((row, i) => row.map((weight) => weight * (rates[i] ?? 0) * (1 + noise * source.normal())))
  const totalOf = (rows: readonly number[][]): number[] =>
    range(n).map((t) => rows.reduce((sum, row) => sum + (row[t] ?? 0), 0))
  return {
    subject: {
      key: `s${order.seed}`,
      label: 'Margin',
      grain: season === 12 ? 'month' : 'week',
      buckets: bucketsOf(n, season),
      additive: true,
      total: seriesOf(source, totalOf(overs), 3000),
      under: seriesOf(source, totalOf(weights), 3000),
      dimensions: [
        {
          key: 'd0',
          label: 'd0',
          members: shares.map((share, i) => ({
            member: `m${i}`,
            series: seriesOf(source, overs[i] ?? [], 3000 * share),
            under: seriesOf(source, weights[i] ?? [], 3000 * share),
          })),
        },
      ],
      direction: 'up',
    },
    truth: {
      plant: order.plant,
      size: order.size * carried,
      law: order.law,
      at,
      sign,
      dimension: 'd0',
      member: null,
      isSeasonal: scene.isSeasonal,
    },
  }
}
const drawRatioNoise = (
  weights: number[][],
  ratioAt: (weights: readonly number[][], t: number) => number,
  usual: number,
): number[] => range(weights[0]?.length ?? 0).map((t) => ratioAt(weights, t) - usual)

/** One data set; the same for the same order. */
export function generateDataSet(order: DataSetOrder): PlantedDataSet {
  const random = randomFrom(order.seed)
  const isRatio = order.plant === 'mixShift' || (order.plant === null && order.seed % 5 === 0)
  return isRatio ? generateRatioData(random, order) : generateSumData(random, order)
}
