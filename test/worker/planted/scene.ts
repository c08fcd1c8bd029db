import type { Series, SubjectDimension } from '../../../src/features/findings/model/subject'
import type { Random } from './random'

/** Figures over time with season, trend and errors, and their members, before anything is planted. */

export const LAWS = ['normal', 'heavy', 'poisson', 'autocorrelated'] as const
export type Law = (typeof LAWS)[number]
export interface Scene {
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

export const times = (n: number): number[] => Array.from({ length: n }, (_, t) => t)

/** Errors of standard deviation 1. */
export function whiteErrors(random: Random, { n, law, phi }: { n: number; law: Law; phi: number }): number[] {
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

export function sceneOf(random: Random, law: Law): Scene {
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
export function sharesOf(random: Random, count: number): number[] {
  const steep = random.between(0, 1.2)
  const raw = times(count).map((at) => random.between(0.6, 1.4) / (at + 1) ** steep)
  const sum = raw.reduce((total, one) => total + one, 0)
  return raw.map((one) => one / sum)
}

/** Rows behind figures, so many in the mean; none behind nothing. */
const rowsFor = (random: Random, values: readonly number[], rows: number): number[] =>
  values.map((value) => (value === 0 ? 0 : random.poisson(rows)))

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
export function binomial(random: Random, { trials, chance }: { trials: number; chance: number }): number {
  if (trials > 100) {
    const spread = Math.sqrt(trials * chance * (1 - chance))
    return Math.min(trials, Math.max(0, Math.round(trials * chance + spread * random.normal())))
  }
  return times(trials).filter(() => random.unit() < chance).length
}

export function bucketsOf(n: number, season: number): string[] {
  const start = Date.UTC(2021, 0, 4)
  return times(n).map((t) =>
    (season === 12 ? new Date(Date.UTC(2021, t, 1)) : new Date(start + t * 7 * 86_400_000)).toISOString().slice(0, 10),
  )
}
export const seriesOf = (random: Random, value: number[], rows: number): Series => ({
  value,
  count: rowsFor(random, value, rows),
})
export const countsOf = (value: number[]): Series => ({ value, count: value })

/** A dimension whose members add up to the total; `fixed` is a member given beforehand. */
export function dimensionOf(
  scene: Scene,
  {
    key,
    total,
    signal,
    fixed,
  }: { key: string; total: readonly number[]; signal: readonly number[]; fixed?: { values: number[]; rows: number } },
): SubjectDimension {
  const { random, law } = scene
  const count = random.pick([2, 3, 5, 8, 15, 30, 60, 120, 200])
  const shares = sharesOf(random, count)
  const rest = fixed ? total.map((value, t) => value - (fixed.values[t] ?? 0)) : total
  const members = split(scene, { total: rest, signal, shares }).map((values, i) => ({
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
