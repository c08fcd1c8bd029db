import type { Series, Subject, SubjectDimension } from '../../../src/features/findings/model/subject'
import { errorOf } from './naive'
import { randomFrom } from './random'
import type { Random } from './random'

export const LAWS = ['normal', 'heavy', 'poisson', 'autocorrelated'] as const
export type Law = (typeof LAWS)[number]
export const PLANTS = ['levelShift', 'spike', 'driver', 'lostMember', 'trendBreak', 'mixShift'] as const
export type Plant = (typeof PLANTS)[number]

/** What was put into a data set, and how large it is in standard errors of the statistic that tests it. */
export interface Truth {
  plant: Plant | null
  size: number
  law: Law
  /** Bucket of the effect, and its way. */
  at: number
  sign: number
  dimension: string | null
  member: string | null
  isSeasonal: boolean
}
export interface Planted {
  subject: Subject
  truth: Truth
}
export interface Order {
  seed: number
  plant: Plant | null
  size: number
  law: Law
}

interface Scene {
  random: Random
  n: number
  season: number
  law: Law
  /** Expected figure of each bucket. */
  signal: number[]
  isSeasonal: boolean
  /** Errors of a total of this expected figure. */
  errors: (signal: readonly number[]) => number[]
}

const times = (n: number): number[] => Array.from({ length: n }, (_, t) => t)

/** Errors of standard deviation 1. */
function whiteErrors(random: Random, { n, law, phi }: { n: number; law: Law; phi: number }): number[] {
  if (law === 'heavy')
    return times(n).map(() => {
      const four = times(4).reduce((sum) => sum + random.normal() ** 2, 0)
      return random.normal() / Math.sqrt(four / 4) / Math.SQRT2
    })
  if (law !== 'autocorrelated') return times(n).map(() => random.normal())
  let error = random.normal()
  return times(n).map(() => {
    error = phi * error + Math.sqrt(1 - phi * phi) * random.normal()
    return error
  })
}

function sceneOf(random: Random, law: Law): Scene {
  const isMonthly = random.unit() < 0.6
  const [n, season] = [random.whole(12, 48), isMonthly ? 12 : 52]
  const level = law === 'poisson' ? random.between(150, 3000) : 1000 * Math.exp(random.between(0, 6))
  const isSeasonal = random.unit() < 0.7
  const [height, turn, slope] = [
    isSeasonal ? random.between(0.03, 0.25) : 0,
    random.between(0, 6.28),
    random.between(-0.3, 0.3),
  ]
  const own = times(season).map(() => random.normal() * 0.6)
  const isRough = isMonthly && n >= 30 && random.unit() < 0.5
  const signal = times(n).map((t) => {
    const wave = isRough ? (own[t % season] ?? 0) : Math.sin((2 * Math.PI * t) / season + turn)
    return level * (1 + (slope * t) / n + height * wave)
  })
  const [spread, phi] = [random.between(0.02, 0.08) * level, random.between(0.2, 0.6)]
  const errors = (of: readonly number[]): number[] =>
    law === 'poisson'
      ? of.map((mean) => random.poisson(mean) - mean)
      : whiteErrors(random, { n, law, phi }).map((error) => error * spread)
  return { random, n, season, law, signal, isSeasonal, errors }
}

const names = (count: number): string[] => times(count).map((at) => `m${at}`)
function sharesOf(random: Random, count: number): number[] {
  const steep = random.between(0, 1.2)
  const raw = times(count).map((at) => random.between(0.6, 1.4) / (at + 1) ** steep)
  const sum = raw.reduce((total, one) => total + one, 0)
  return raw.map((one) => one / sum)
}

const rowsFor = (random: Random, values: readonly number[], share: number): number[] =>
  values.map(() => random.poisson(3000 * share))

/** Splits a total so that the members add up to it, each with errors of its own law. */
function split(
  scene: Scene,
  { total, signal, shares }: { total: readonly number[]; signal: readonly number[]; shares: readonly number[] },
): number[][] {
  const { random, law, n } = scene
  if (law === 'poisson') {
    const members = shares.map(() => times(n).map(() => 0))
    total.forEach((count, t) => {
      let [left, share] = [count, 1]
      shares.forEach((own, i) => {
        const part =
          i === shares.length - 1 ? left : binomial(random, { trials: left, chance: Math.min(1, own / share) })
        const row = members[i]
        if (row) row[t] = part
        left -= part
        share -= own
      })
    })
    return members
  }
  const errors = shares.map((share) => scene.errors(signal).map((error) => error * Math.sqrt(share)))
  return shares.map((share, i) =>
    total.map((value, t) => {
      const left = value - (signal[t] ?? 0) - errors.reduce((sum, own) => sum + (own[t] ?? 0), 0)
      return (signal[t] ?? 0) * share + (errors[i]?.[t] ?? 0) + share * left
    }),
  )
}
function binomial(random: Random, { trials, chance }: { trials: number; chance: number }): number {
  if (trials > 100) {
    const spread = Math.sqrt(trials * chance * (1 - chance))
    return Math.min(trials, Math.max(0, Math.round(trials * chance + spread * random.normal())))
  }
  return times(trials).filter(() => random.unit() < chance).length
}

function bucketsOf(n: number, season: number): string[] {
  const start = Date.UTC(2021, 0, 4)
  return times(n).map((t) =>
    (season === 12 ? new Date(Date.UTC(2021, t, 1)) : new Date(start + t * 7 * 86_400_000)).toISOString().slice(0, 10),
  )
}
const seriesOf = (random: Random, value: number[], share: number): Series => ({
  value,
  count: rowsFor(random, value, share),
})
const countsOf = (value: number[]): Series => ({ value, count: value })

/** A dimension whose members add up to the total; `fixed` is a member given beforehand. */
function dimensionOf(
  scene: Scene,
  {
    key,
    total,
    signal,
    fixed,
  }: { key: string; total: readonly number[]; signal: readonly number[]; fixed?: { values: number[]; share: number } },
): SubjectDimension {
  const { random, law } = scene
  const count = random.pick([2, 3, 5, 8, 15, 30, 60, 120, 200])
  const shares = sharesOf(random, count)
  const rest = fixed ? total.map((value, t) => value - (fixed.values[t] ?? 0)) : total
  const members = split(scene, { total: rest, signal, shares }).map((values, i) => ({ values, share: shares[i] ?? 0 }))
  const all = fixed ? [...members, fixed] : members
  return {
    key,
    label: key,
    members: all.map(({ values, share }, i) => ({
      member: fixed && i === all.length - 1 ? 'planted' : (names(count)[i] ?? ''),
      series: law === 'poisson' ? countsOf(values) : seriesOf(random, values, share),
    })),
  }
}

const pulseAt = (n: number, at: number): number[] => times(n).map((t) => (t === at ? 1 : 0))
const stepAt = (n: number, at: number): number[] => times(n).map((t) => (t >= at ? 1 : 0))
const bendAt = (n: number, at: number): number[] => times(n).map((t) => Math.max(0, t - at + 1))

/** Where and in what shape an effect goes in. */
function shapeOf({ random, n }: Scene, plant: Plant | null): { at: number; shape: number[] } {
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

function sumSet(random: Random, order: Order): Planted {
  const scene = sceneOf(random, order.law)
  const { n, season, law, signal } = scene
  const { at, shape } = shapeOf(scene, order.plant)
  const isEffect = order.plant !== null && order.plant !== 'lostMember'
  const error = isEffect ? errorOf(shape, { season, draw: () => scene.errors(signal) }) : 0
  const isTooDeep = order.size * error * Math.max(...shape) > 0.7 * Math.min(...signal)
  const sign = isTooDeep || random.unit() < 0.5 ? 1 : -1
  const effect = shape.map((value) => sign * order.size * error * value)
  const round = (value: number): number => (law === 'poisson' ? Math.max(0, Math.round(value)) : value)
  const base = scene.errors(signal).map((one, t) => round((signal[t] ?? 0) + one))
  const lost = order.plant === 'lostMember' ? lostOf(scene, order.size) : null
  const own = lost?.values ?? driverOf(scene, base).map((value, t) => round(value + (effect[t] ?? 0)))
  const hasMember = order.plant === 'driver' || order.plant === 'lostMember'
  const total = base.map((value, t) => (lost ? value + (own[t] ?? 0) : round(value + (effect[t] ?? 0))))
  const count = random.whole(1, 8)
  const chosen = random.whole(0, count - 1)
  const dimensions = times(count).map((i) =>
    dimensionOf(scene, {
      key: `d${i}`,
      total,
      signal:
        i === chosen && hasMember
          ? signal
          : signal.map((value, t) => value + (hasMember ? (own[t] ?? 0) : (effect[t] ?? 0))),
      ...(i === chosen && hasMember ? { fixed: { values: own, share: 0.2 } } : {}),
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
      total: law === 'poisson' ? countsOf(total) : seriesOf(random, total, 1),
      dimensions,
      direction: 'up',
    },
    truth: {
      plant: order.plant,
      size: order.size,
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
function driverOf(scene: Scene, base: readonly number[]): number[] {
  const { random, law, signal } = scene
  if (law === 'poisson') return base.map((count) => binomial(random, { trials: count, chance: 0.2 }))
  const errors = scene.errors(signal)
  return base.map((value, t) => value * 0.2 + (errors[t] ?? 0) * 0.3)
}

/** A member that is gone from some bucket on, whose mean was `size` standard errors of the difference it makes. */
function lostOf(scene: Scene, size: number): { at: number; values: number[] } {
  const { random, n, law, signal } = scene
  const length = random.whole(1, Math.min(6, Math.floor(n / 4)))
  const at = n - length
  const apart = Math.sqrt(1 / length + 1 / at)
  const level =
    law === 'poisson'
      ? Math.max(0.02 * (signal[0] ?? 0), (size * apart) ** 2)
      : (signal[0] ?? 0) * random.between(0.03, 0.2)
  const spread = level / (size * apart)
  const errors = whiteErrors(random, { n, law, phi: 0.4 })
  const values = times(n).map((t) => {
    if (t >= at) return 0
    return law === 'poisson' ? random.poisson(level) : Math.max(level * 0.02, level + spread * (errors[t] ?? 0))
  })
  return { at, values }
}

/** A ratio whose members keep their own while their weights move. */
function ratioSet(random: Random, order: Order): Planted {
  const scene = sceneOf(random, order.law === 'poisson' ? 'normal' : order.law)
  const { n, season, signal } = scene
  const count = random.pick([2, 3, 5, 10, 30])
  const shares = sharesOf(random, count)
  const rates = shares.map(() => random.between(0.1, 0.6))
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
  const at = random.unit() < 0.5 ? n - 1 : random.whole(Math.max(4, Math.floor(n / 2)), n - 4)
  const shape = at === n - 1 ? pulseAt(n, at) : stepAt(n, at)
  const usual = shares.reduce((sum, share, i) => sum + share * (rates[i] ?? 0), 0)
  const error = order.plant === null ? 0 : errorOf(shape, { season, draw: () => drawn(drawWeights(), ratioAt, usual) })
  const weights = drawWeights()
  const sign = random.unit() < 0.5 ? -1 : 1
  const moved = (sign * order.size * error) / 0.5
  for (const t of times(n).filter((one) => (shape[one] ?? 0) > 0)) {
    const below = weights.reduce((sum, row) => sum + (row[t] ?? 0), 0)
    const [first, second] = [weights[0] ?? [], weights[1] ?? []]
    const shift = Math.max(-(first[t] ?? 0), Math.min(second[t] ?? 0, moved * below))
    first[t] = (first[t] ?? 0) + shift
    second[t] = (second[t] ?? 0) - shift
  }
  const noise = random.between(0.01, 0.03)
  const overs = weights.map((row, i) => row.map((weight) => weight * (rates[i] ?? 0) * (1 + noise * random.normal())))
  const totalOf = (rows: readonly number[][]): number[] =>
    times(n).map((t) => rows.reduce((sum, row) => sum + (row[t] ?? 0), 0))
  return {
    subject: {
      key: `s${order.seed}`,
      label: 'Margin',
      grain: season === 12 ? 'month' : 'week',
      buckets: bucketsOf(n, season),
      additive: true,
      total: seriesOf(random, totalOf(overs), 1),
      under: seriesOf(random, totalOf(weights), 1),
      dimensions: [
        {
          key: 'd0',
          label: 'd0',
          members: shares.map((share, i) => ({
            member: `m${i}`,
            series: seriesOf(random, overs[i] ?? [], share),
            under: seriesOf(random, weights[i] ?? [], share),
          })),
        },
      ],
      direction: 'up',
    },
    truth: {
      plant: order.plant,
      size: order.size,
      law: order.law,
      at,
      sign,
      dimension: 'd0',
      member: null,
      isSeasonal: scene.isSeasonal,
    },
  }
}
const drawn = (
  weights: number[][],
  ratioAt: (weights: readonly number[][], t: number) => number,
  usual: number,
): number[] => times(weights[0]?.length ?? 0).map((t) => ratioAt(weights, t) - usual)

/** One data set; the same for the same order. */
export function plantedSet(order: Order): Planted {
  const random = randomFrom(order.seed)
  const isRatio = order.plant === 'mixShift' || (order.plant === null && order.seed % 5 === 0)
  return isRatio ? ratioSet(random, order) : sumSet(random, order)
}
