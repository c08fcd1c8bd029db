import { logGamma } from './distributions'
import type { ColumnVector } from './regression'

/**
 * How heavy the tails of errors may be, as degrees of freedom of a Student distribution, and what each is given
 * beforehand: a series that is looked at for its farthest bucket, less this bucket, always looks lighter than it is.
 */
export const TAIL_MODELS: readonly (readonly [df: number, prior: number])[] = [
  [Number.POSITIVE_INFINITY, 0.1],
  [8, 0.3],
  [4, 0.6],
]
/** What errors say of each of {@link TAIL_MODELS}: a logarithm of how well it tells them, and their scale under it. */
export interface TailEvidence {
  logs: number[]
  scales: number[]
}
/** Rounds in which a scale is worked out, and how near two of them are when it is. */
const ITERATIONS_MAX = 20
const CONVERGENCE_TOLERANCE = 1e-3

function sumOverSquares(values: ColumnVector, of: (square: number) => number): number {
  let sum = 0
  for (const value of values) sum += of(value * value)
  return sum
}

/** Square of the scale of Student errors where their likelihood is highest; `left` of them are free. */
function studentScaleSquared(values: ColumnVector, { df, left }: { df: number; left: number }): number {
  let square = sumOverSquares(values, (one) => one) / left
  for (let round = 0; df < Number.POSITIVE_INFINITY && round < ITERATIONS_MAX && square > 0; round += 1) {
    const before = square
    square = sumOverSquares(values, (one) => ((df + 1) * one) / (df + one / before)) / left
    if (Math.abs(square - before) < CONVERGENCE_TOLERANCE * before) break
  }
  return square
}

/** Log-likelihood of `left` of n errors by the scale that the n have by themselves. */
function studentLogLikelihood(
  values: ColumnVector,
  { df, left, square }: { df: number; left: number; square: number },
): number {
  const n = values.length
  const own = (square * left) / n
  const all =
    df === Number.POSITIVE_INFINITY
      ? (-n / 2) * Math.log(2 * Math.PI * own) - sumOverSquares(values, (one) => one) / (2 * own)
      : n * (logGamma((df + 1) / 2) - logGamma(df / 2) - Math.log(Math.PI * df * own) / 2) -
        ((df + 1) / 2) * sumOverSquares(values, (one) => Math.log1p(one / (df * own)))
  return (left / n) * all
}

/** What errors say of their tails; `left` of them are free. */
export function tailEvidenceOf(values: ColumnVector, left: number): TailEvidence {
  const squares = TAIL_MODELS.map(([df]) => studentScaleSquared(values, { df, left }))
  const logs = TAIL_MODELS.map(([df], i) => {
    const square = squares[i] ?? 0
    return square > 0 ? studentLogLikelihood(values, { df, left, square }) : 0
  })
  return { scales: squares.map(Math.sqrt), logs }
}

/** How much each of {@link TAIL_MODELS} is believed, by what all these say together. */
export function tailWeights(...all: readonly (readonly number[])[]): number[] {
  const logs = TAIL_MODELS.map(([, prior], i) => all.reduce((sum, one) => sum + (one[i] ?? 0), Math.log(prior)))
  const most = Math.max(...logs)
  const weights = logs.map((log) => Math.exp(log - most))
  const sum = weights.reduce((total, one) => total + one, 0)
  return weights.map((one) => one / sum)
}
