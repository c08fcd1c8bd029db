import { logGamma, type ColumnVector } from './statistics'
import { hasFullSeasons } from './season'

/**
 * What errors may look like: correlated as φ to the power of their distance (AR(1)), and, where there are seasons enough,
 * places in the season that differ from the smooth wave by τ standard deviations of one error. Which of these a series
 * has is never known: statistics are averaged over all of them by how well each tells the series.
 */
interface ErrorModel {
  phi: number
  tau: number
  prior: number
}
/** Correlations of neighbouring errors, and what each is given beforehand: most figures of a business remember little. */
const AR1_PRIORS: readonly (readonly [phi: number, prior: number])[] = [
  [0, 0.5],
  [0.25, 0.26],
  [0.5, 0.16],
  [0.75, 0.08],
]
/** Roughness of the season beside its waves; the last leaves each place a level of its own. */
const SEASON_ROUGHNESS_LEVELS: readonly number[] = [0, 1, 40]
/** Seasons of more places than this have waves and, where they may, a roughness; shorter ones a column for each place. */
const SEASON_DUMMIES_MAX = 7

/** Whether the season of these places is waves with a roughness, not a column for each place. */
export const hasRoughSeason = (n: number, season: number): boolean =>
  season > SEASON_DUMMIES_MAX && hasFullSeasons(n, season)

const errorModels = (n: number, season: number): ErrorModel[] => {
  const taus = hasRoughSeason(n, season) ? SEASON_ROUGHNESS_LEVELS : [0]
  return AR1_PRIORS.flatMap(([phi, prior]) => taus.map((tau) => ({ phi, tau, prior: prior / taus.length })))
}

/** One supposition about the errors: how a column looks when its errors are made alike and independent. */
export interface Whitening extends ErrorModel {
  /** Half the logarithm of the determinant of the errors' covariance. */
  halfLog: number
  apply: (vector: ColumnVector) => ColumnVector
}

/** AR(1) alone: each error less what the one before says of it. Gaps count. */
function ar1Whitening(at: readonly number[], one: ErrorModel): Whitening {
  const carried = at.map((t, i) => (i === 0 ? 0 : one.phi ** (t - (at[i - 1] ?? 0))))
  const left = carried.map((rho) => Math.sqrt(1 - rho * rho))
  return {
    ...one,
    halfLog: left.reduce((sum, own) => sum + Math.log(own), 0),
    apply: (column) => {
      const white = new Float64Array(column.length)
      for (let i = 0; i < white.length; i += 1)
        white[i] = ((column[i] ?? 0) - (carried[i] ?? 0) * (column[i - 1] ?? 0)) / (left[i] ?? 1)
      return white
    },
  }
}

/** Lower Cholesky factor of a symmetric positive matrix, row by row. */
function choleskyFactor(rows: readonly ColumnVector[]): ColumnVector[] {
  const root: ColumnVector[] = []
  for (const [i, row] of rows.entries()) {
    const own = new Float64Array(rows.length)
    for (let j = 0; j <= i; j += 1) {
      const other = j === i ? own : (root[j] ?? own)
      let sum = row[j] ?? 0
      for (let k = 0; k < j; k += 1) sum -= (own[k] ?? 0) * (other[k] ?? 0)
      own[j] = j === i ? Math.sqrt(Math.max(sum, 1e-12)) : sum / (other[j] ?? 1)
    }
    root.push(own)
  }
  return root
}

function seasonalWhitening(at: readonly number[], { season, one }: { season: number; one: ErrorModel }): Whitening {
  const rows = at.map((t) =>
    Float64Array.from(at, (u) => one.phi ** Math.abs(t - u) + ((t - u) % season === 0 ? one.tau * one.tau : 0)),
  )
  const root = choleskyFactor(rows)
  return {
    ...one,
    halfLog: root.reduce((sum, row, i) => sum + Math.log(row[i] ?? 1), 0),
    apply: (column) => {
      const white = new Float64Array(column.length)
      for (const [i, row] of root.entries()) {
        let sum = column[i] ?? 0
        for (let k = 0; k < i; k += 1) sum -= (row[k] ?? 0) * (white[k] ?? 0)
        white[i] = sum / (row[i] ?? 1)
      }
      return white
    },
  }
}

export const whiteningsFor = (at: readonly number[], season: number): Whitening[] =>
  errorModels(at.length, season).map((one) =>
    one.tau === 0 ? ar1Whitening(at, one) : seasonalWhitening(at, { season, one }),
  )

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
interface TailEvidence {
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
