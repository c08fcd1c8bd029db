import type { ColumnVector } from './regression'
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
  apply: (columnVector: ColumnVector) => ColumnVector
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
