import type { Candidate, Frame } from './frame'
import { dot, residualOf } from './regression'
import type { Column } from './regression'
import { TAILS, tellingOf } from './tails'

/**
 * Parts that add up to a series: the members of its dimensions. Where they vary on their own, their variances add up to
 * that of the series, and what its errors remember and how heavy their tails are is told by them too: many short
 * histories know what one does not.
 */
export interface Kin {
  splits: readonly Split[]
}
interface Part {
  /** What level, trend, season and what is known leave of it, by model; and the sum of squares of that. */
  rests: Column[]
  squares: number[]
  /** How much of the variance of all parts of its split is its own. */
  weight: number
}
interface Split {
  parts: Part[]
  /** As how many parts of one size its parts are. */
  many: number
}
/** What the parts say of the errors of the whole. */
export interface Saying {
  /** Variance of one error of the whole by model, if the parts vary on their own; and how surely. */
  variance: number[]
  df: number[]
  /** Logarithm of how much each model is believed by the parts, what it is given beforehand included. */
  logs: number[]
}
/** Columns of one split that add up to the series but for a constant. */
export type SplitColumns = readonly Column[]

/** As so many parts at most do they tell what errors are like, and how heavy their tails are: all are cut from the same rows. */
const TELLING_MOST = 8
const TELLING_OF_TAILS = 12
/** That variances add up is believed as surely as so many degrees of freedom would say it, no more. */
const DF_MOST = 60
/** Parts that count less than this for their split's variance say nothing of tails. */
const COUNTS_LEAST = 0.05

const squaresOf = (rests: readonly Column[]): number[] => rests.map((rest) => dot(rest, rest))

function splitOf(frame: Frame, columns: SplitColumns): Split[] {
  if (columns.length < 2) return []
  const parts = columns.map((column) => {
    const rests = frame.models.map(({ white, basis }) => residualOf(basis, white.apply(column)))
    return { rests, squares: squaresOf(rests) }
  })
  const sum = parts.reduce((total, { squares }) => total + (squares[0] ?? 0), 0)
  if (!(sum > 0)) return []
  const weighed = parts.map((part) => ({ ...part, weight: (part.squares[0] ?? 0) / sum }))
  return [{ parts: weighed, many: 1 / weighed.reduce((total, { weight }) => total + weight * weight, 0) }]
}

export const kinOf = (frame: Frame, splits: readonly SplitColumns[]): Kin => ({
  splits: splits.flatMap((columns) => splitOf(frame, columns)),
})

function without(rest: Column, unit: Column): Column {
  const along = dot(rest, unit)
  const left = new Float64Array(rest.length)
  for (let i = 0; i < left.length; i += 1) left[i] = (rest[i] ?? 0) - along * (unit[i] ?? 0)
  return left
}

/** The same with one shape more taken as known. */
export const beyond = ({ splits }: Kin, { units }: Candidate): Kin => ({
  splits: splits.map(({ parts, many }) => ({
    many,
    parts: parts.map(({ rests, weight }) => {
      const left = rests.map((rest, m) => without(rest, units[m] ?? rest))
      return { rests: left, squares: squaresOf(left), weight }
    }),
  })),
})

/** What of each part a candidate leaves: who is to be asked, of which candidate (of none: all of it), and how much is free. */
interface Asked {
  one: Candidate | null
  df: number
}

/** Sum of the parts' squares under one model, that of their squares, and how well it tells them. */
function sumsOf({ parts }: Split, { model, one, df }: Asked & { model: number }) {
  let [sum, squares, log] = [0, 0, 0]
  for (const { rests, squares: all, weight } of parts) {
    const rest = rests[model]
    const along = one && rest ? dot(rest, one.units[model] ?? rest) : 0
    const left = Math.max((all[model] ?? 0) - along * along, 1e-300)
    sum += left
    squares += left * left
    log -= weight * (df / 2) * Math.log(left)
  }
  return { sum, squares, log }
}

/**
 * Under one model: the splits' sums of variances, averaged by their degrees of freedom (Satterthwaite 1946), and how well
 * the model tells the parts.
 */
function sayingUnder(kin: Kin, { model, base, asked }: { model: number; base: number; asked: Asked }) {
  let [over, under, most, log] = [0, 0, 0, 0]
  for (const split of kin.splits) {
    const { sum, squares, log: own } = sumsOf(split, { ...asked, model })
    log += split.many * (base + own)
    if (!(squares > 0)) continue
    const df = (asked.df * sum * sum) / squares
    over += (df * sum) / asked.df
    under += df
    most = Math.max(most, df)
  }
  return { variance: under > 0 ? over / under : 0, df: Math.min(DF_MOST, most), log }
}

const manyOf = ({ splits }: Kin): number => splits.reduce((sum, { many }) => sum + many, 0)

/** What parts say once a candidate is taken out of each; of all of them where none is given. */
export function sayingOf(kin: Kin, frame: Frame, asked: Asked): Saying | null {
  if (kin.splits.length === 0 || asked.df < 3) return null
  const told = Math.min(1, TELLING_MOST / manyOf(kin))
  const each = frame.models.map(({ base, white }, model) => {
    const prior = Math.log(white.prior)
    const said = sayingUnder(kin, { model, base: base - prior, asked })
    return { ...said, log: prior + told * said.log }
  })
  const most = Math.max(...each.map(({ log }) => log))
  const all = Math.log(each.reduce((sum, { log }) => sum + Math.exp(log - most), 0)) + most
  return {
    variance: each.map(({ variance }) => variance),
    df: each.map(({ df }) => df),
    logs: each.map(({ log }) => log - all),
  }
}

/** The model that tells the parts best. */
export function likeliestOf(kin: Kin, frame: Frame): number {
  const df = frame.at.length - (frame.models[0]?.basis.length ?? 0)
  const logs = sayingOf(kin, frame, { one: null, df })?.logs ?? [0]
  return logs.indexOf(Math.max(...logs))
}

/** What parts say of each of {@link TAILS}, as logarithms, once a candidate is taken out of each, if one is given. */
export function tailsOf(kin: Kin, { model, one, df }: Asked & { model: number }): number[] {
  const told = Math.min(1, TELLING_OF_TAILS / manyOf(kin))
  const logs = TAILS.map(() => 0)
  for (const { parts, many } of kin.splits)
    for (const { rests, weight } of parts) {
      const rest = rests[model]
      if (!rest || weight * many < COUNTS_LEAST) continue
      const own = tellingOf(one ? without(rest, one.units[model] ?? rest) : rest, df).logs
      for (const [i, log] of own.entries()) logs[i] = (logs[i] ?? 0) + told * weight * many * (log - (own[0] ?? 0))
    }
  return logs
}
