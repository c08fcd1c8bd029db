import { logGamma, tailOfNormal, tailOfT } from './distributions'
import type { Candidate, Frame } from './frame'
import { dot, residualOf } from './regression'
import type { Column } from './regression'

/** What is believed of the size of one error, in the figure's own terms. */
export interface Believed {
  /** Smallest standard deviation of one error that is believed. */
  floor: number
  /** Of counts: the standard deviation that they have when they come one by one (Poisson). */
  counted?: number | undefined
}
/** A series beside trend and season, under every model of its frame. */
export interface Beside {
  rests: Column[]
  squares: number[]
  df: number
  believed: Believed
  /** What of the likelihood depends on the degrees of freedom alone. */
  gamma: number
}
export interface Strongest {
  one: Candidate
  /** Length of the series along the candidate, by model. */
  along: number[]
}
/** A candidate under one model: how much the model is believed once the candidate is taken out, and what it is then. */
export interface Reading {
  model: number
  weight: number
  /** Fitted size in the figure's own terms. */
  size: number
  t: number
  /** Degrees of freedom of t; infinite where the size of an error is known. */
  df: number
}

/** Counts may vary by up to so many times what they would one by one, any of it alike (by its logarithm). */
const BUNCHED_MOST = 30
/** What a count that comes one by one is given beforehand, over what unlike errors that do not remember are. */
const KNOWN = -Math.log(0.5)

export function besideOf(frame: Frame, { y, believed }: { y: Column; believed: Believed }): Beside {
  const rests = frame.models.map(({ white, basis }) => residualOf(basis, white.apply(y)))
  const df = frame.at.length - (frame.models[0]?.basis.length ?? 0) - 1
  const gamma = df > 0 ? logGamma(df / 2) - (believed.counted ? Math.log(Math.log(BUNCHED_MOST)) : 0) : 0
  return { rests, squares: rests.map((rest) => dot(rest, rest)), df, believed, gamma }
}

/**
 * How well one model tells what a candidate of length `along` leaves over, as a logarithm: the REML likelihood, with the
 * size of an error integrated out over all sizes alike by their logarithm.
 */
function logOf(frame: Frame, beside: Beside, { model, along }: { model: number; along: number }): number {
  const { df, believed, gamma } = beside
  const left = Math.max((beside.squares[model] ?? 0) - along * along, df * believed.floor * believed.floor, 1e-300)
  return (frame.models[model]?.base ?? 0) + gamma - (df / 2) * Math.log(left / 2)
}

/** The same of a count that comes one by one: its errors do not remember, and their size is known. */
function logOfCounted(frame: Frame, beside: Beside, { model, along }: { model: number; along: number }): number {
  const { counted } = beside.believed
  const of = frame.models[model]
  if (!counted || !of || of.white.phi > 0) return -Infinity
  const left = (beside.squares[model] ?? 0) - along * along
  return of.base + KNOWN - left / (2 * counted * counted) - beside.df * Math.log(counted)
}

/** The candidate that explains most under the model that tells the series best with it. */
export function strongestOf(frame: Frame, beside: Beside, candidates: readonly Candidate[]): Strongest | null {
  let [best, most]: [Candidate | null, number] = [null, -Infinity]
  for (const one of candidates)
    for (const [model, unit] of one.units.entries()) {
      const at = { model, along: dot(unit, beside.rests[model] ?? unit) }
      const score = Math.max(logOf(frame, beside, at), logOfCounted(frame, beside, at))
      if (score <= most) continue
      best = one
      most = score
    }
  return best && { one: best, along: best.units.map((unit, model) => dot(unit, beside.rests[model] ?? unit)) }
}

/**
 * The candidate under each model, weighed by what the figures say of the model once the candidate is taken out: a
 * chance averaged with these weights is the partial posterior predictive one (Bayarri and Berger 2000).
 */
export function readingsOf(frame: Frame, beside: Beside, { one, along }: Strongest): Reading[] {
  const { df, squares, believed } = beside
  const all = along.flatMap((length, model): Reading[] => {
    const left = Math.max(0, (squares[model] ?? 0) - length * length)
    const sigma = Math.max(Math.sqrt(left / df), believed.floor)
    const unit = one.sizes[model] ?? 1
    const at = { model, along: length }
    const own = logOf(frame, beside, at) - Math.log(unit)
    const known = logOfCounted(frame, beside, at) - Math.log(unit)
    const size = length / unit
    return [
      { model, weight: own, size, t: sigma > 0 ? length / sigma : 0, df },
      ...(known > -Infinity
        ? [{ model, weight: known, size, t: length / (believed.counted ?? 1), df: Number.POSITIVE_INFINITY }]
        : []),
    ]
  })
  const most = Math.max(...all.map(({ weight }) => weight))
  const weights = all.map(({ weight }) => Math.exp(weight - most))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return all.map((each, i) => ({ ...each, weight: (weights[i] ?? 0) / sum }))
}

/** Chance of one shape at one place under one model. */
export const chanceAlone = ({ t, df }: Reading): number =>
  df === Number.POSITIVE_INFINITY ? tailOfNormal(t) : tailOfT(t, df)

export interface Errors {
  /** Standard deviation of one. */
  sigma: number
  /** Correlation of neighbours. */
  phi: number
  df: number
}

/** Errors as all models together see them beside what the frame knows; their correlation one deviation to the safe side. */
export function errorsOf({ models }: Frame, { squares, df: beyond, believed }: Beside): Errors {
  const df = beyond + 1
  const logs = models.map(({ base }, m) => base - (df / 2) * Math.log(Math.max(squares[m] ?? 0, 1e-300)))
  const most = Math.max(...logs)
  const weights = logs.map((log) => Math.exp(log - most))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const mean = (of: (model: number) => number): number =>
    weights.reduce((total, weight, m) => total + weight * of(m), 0) / sum
  const phiOf = (m: number): number => models[m]?.white.phi ?? 0
  const middle = mean(phiOf)
  const apart = Math.sqrt(mean((m) => (phiOf(m) - middle) ** 2))
  const variance = df > 0 ? mean((m) => squares[m] ?? 0) / df : 0
  return { sigma: Math.max(believed.floor, Math.sqrt(variance)), phi: Math.min(0.9, middle + apart), df }
}
