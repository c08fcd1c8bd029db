import type { SubjectSeries, SubjectDimension } from '../../../src/features/findings/model/subject'

/** Draws of the planted data sets. Nothing here is shared with the engine. */

export interface RandomSource {
  /** Between 0 and 1. */
  unit(): number
  between(from: number, to: number): number
  whole(from: number, to: number): number
  pick<T>(items: readonly [T, ...T[]]): T
  normal(): number
  poisson(mean: number): number
}

/** xoshiro128**, seeded by splitmix32. */
export function randomFrom(seed: number): RandomSource {
  let mixed = seed >>> 0
  const next32 = (): number => {
    mixed = (mixed + 0x9e3779b9) >>> 0
    let z = mixed
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b)
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
    return (z ^ (z >>> 16)) >>> 0
  }
  let [a, b, c, d] = [next32(), next32(), next32(), next32()]
  const turn = (x: number, by: number): number => (x << by) | (x >>> (32 - by))
  const raw = (): number => {
    const result = Math.imul(turn(Math.imul(b, 5), 7), 9) >>> 0
    const t = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    d = turn(d, 11)
    return result
  }
  const unit = (): number => (raw() + 0.5) / 2 ** 32
  const normal = (): number => Math.sqrt(-2 * Math.log(unit())) * Math.cos(2 * Math.PI * unit())
  const whole = (from: number, to: number): number => from + Math.floor(unit() * (to - from + 1))
  return {
    unit,
    normal,
    whole,
    between: (from, to) => from + unit() * (to - from),
    pick: (items) => items[whole(0, items.length - 1)] ?? items[0],
    poisson(mean) {
      if (mean > 60) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()))
      let [count, product] = [0, unit()]
      const least = Math.exp(-mean)
      while (product > least) {
        count += 1
        product *= unit()
      }
      return count
    },
  }
}

/** Figures over time with season, trend and errors, and their members, before anything is planted. */

export const NOISE_LAWS = ['normal', 'heavy', 'poisson', 'autocorrelated'] as const
export type NoiseLaw = (typeof NOISE_LAWS)[number]
export interface SimulatedSeries {
  random: RandomSource
  n: number
  season: number
  law: NoiseLaw
  /** Expected figure of each bucket. */
  signal: number[]
  isSeasonal: boolean
  /** Errors of a total of this expected figure. */
  errors: (signal: readonly number[]) => number[]
}

/**
 * What a family is made of: scenes like those the engine was worked out with, or few and many members of very unequal size, with
 * errors of heavy tails and skewed ones.
 */
export type SceneKind = 'usual' | 'wide'

export const range = (n: number): number[] => Array.from({ length: n }, (_, t) => t)

/** Errors of standard deviation 1. Skewed ones are mostly a little low and now and then far too high. */
export function whiteErrors(
  source: RandomSource,
  { n, law, phi }: { n: number; law: NoiseLaw | 'skewed'; phi: number },
): number[] {
  if (law === 'skewed') return range(n).map(() => (-Math.log(source.unit()) - Math.log(source.unit()) - 2) / Math.SQRT2)
  if (law === 'heavy')
    return range(n).map(() => {
      const four = range(4).reduce((sum) => sum + source.normal() ** 2, 0)
      return source.normal() / Math.sqrt(four / 4) / Math.SQRT2
    })
  if (law !== 'autocorrelated') return range(n).map(() => source.normal())
  let error = source.normal()
  return range(n).map(() => {
    error = phi * error + Math.sqrt(1 - phi * phi) * source.normal()
    return error
  })
}

export function simulateSeries(source: RandomSource, noiseLaw: NoiseLaw): SimulatedSeries {
  const isMonthly = source.unit() < 0.6
  const [n, season] = [source.whole(12, 48), isMonthly ? 12 : 52]
  const level = noiseLaw === 'poisson' ? source.between(150, 3000) : 1000 * Math.exp(source.between(0, 6))
  const isSeasonal = source.unit() < 0.7
  const [height, turn, slope] = [
    isSeasonal ? source.between(0.03, 0.25) : 0,
    source.between(0, 6.28),
    source.between(-0.3, 0.3),
  ]
  const own = range(season).map(() => source.normal() * 0.6)
  const isRough = isMonthly && n >= 30 && source.unit() < 0.5
  const signal = range(n).map((t) => {
    const wave = isRough ? (own[t % season] ?? 0) : Math.sin((2 * Math.PI * t) / season + turn)
    return level * (1 + (slope * t) / n + height * wave)
  })
  const [spread, phi] = [source.between(0.02, 0.08) * level, source.between(0.2, 0.6)]
  const errors = (of: readonly number[]): number[] =>
    noiseLaw === 'poisson'
      ? of.map((mean) => source.poisson(mean) - mean)
      : whiteErrors(source, { n, law: noiseLaw, phi }).map((error) => error * spread)
  return { random: source, n, season, law: noiseLaw, signal, isSeasonal, errors }
}

const names = (count: number): string[] => range(count).map((at) => `m${at}`)
export function randomShares(source: RandomSource, count: number, steepest = 1.2): number[] {
  const steep = source.between(0, steepest)
  const raw = range(count).map((at) => source.between(0.6, 1.4) / (at + 1) ** steep)
  const sum = raw.reduce((total, one) => total + one, 0)
  return raw.map((one) => one / sum)
}

/** Rows behind figures, so many in the mean; none behind nothing. */
const rowsFor = (source: RandomSource, values: readonly number[], rows: number): number[] =>
  values.map((value) => (value === 0 ? 0 : source.poisson(rows)))

/** Splits a total so that the members add up to it, each with errors of its own law. */
function splitIntoMembers(
  series: SimulatedSeries,
  { total, signal, shares }: { total: readonly number[]; signal: readonly number[]; shares: readonly number[] },
): number[][] {
  const { random, law, n } = series
  if (law === 'poisson') {
    const members = shares.map(() => range(n).map(() => 0))
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
  const errors = shares.map((share) => series.errors(signal).map((error) => error * Math.sqrt(share)))
  return shares.map((share, i) =>
    total.map((value, t) => {
      const left = value - (signal[t] ?? 0) - errors.reduce((sum, own) => sum + (own[t] ?? 0), 0)
      return (signal[t] ?? 0) * share + (errors[i]?.[t] ?? 0) + share * left
    }),
  )
}
export function binomial(source: RandomSource, { trials, chance }: { trials: number; chance: number }): number {
  if (trials > 100) {
    const spread = Math.sqrt(trials * chance * (1 - chance))
    return Math.min(trials, Math.max(0, Math.round(trials * chance + spread * source.normal())))
  }
  return range(trials).filter(() => source.unit() < chance).length
}

export function bucketsOf(n: number, season: number): string[] {
  const start = Date.UTC(2021, 0, 4)
  return range(n).map((t) =>
    (season === 12 ? new Date(Date.UTC(2021, t, 1)) : new Date(start + t * 7 * 86_400_000)).toISOString().slice(0, 10),
  )
}
export const seriesOf = (source: RandomSource, value: number[], rows: number): SubjectSeries => ({
  value,
  count: rowsFor(source, value, rows),
})
export const countsOf = (value: number[]): SubjectSeries => ({ value, count: value })

/** A dimension whose members add up to the total; `fixed` is a member given beforehand. */
export function dimensionOf(
  simulatedSeries: SimulatedSeries,
  {
    key,
    total,
    signal,
    fixed,
  }: { key: string; total: readonly number[]; signal: readonly number[]; fixed?: { values: number[]; rows: number } },
): SubjectDimension {
  const { random, law } = simulatedSeries
  const count = random.pick([2, 3, 5, 8, 15, 30, 60, 120, 200])
  const shares = randomShares(random, count)
  const rest = fixed ? total.map((value, t) => value - (fixed.values[t] ?? 0)) : total
  const members = splitIntoMembers(simulatedSeries, { total: rest, signal, shares }).map((values, i) => ({
    values,
    rows: 3000 * (shares[i] ?? 0),
  }))
  const all = fixed ? [...members, fixed] : members
  return {
    key,
    label: key,
    members: all.map(({ values, rows }, i) => ({
      member: fixed && i === all.length - 1 ? 'planted' : (names(count)[i] ?? ''),
      series: law === 'poisson' ? countsOf(values) : seriesOf(random, values, rows),
    })),
  }
}
