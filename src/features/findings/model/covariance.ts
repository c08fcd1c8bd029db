import type { Column } from './regression'
import { isWholeSeason } from './season'

/**
 * What errors may look like: correlated as φ to the power of their distance (AR(1)), and, where there are seasons enough,
 * places in the season that differ from the smooth wave by τ standard deviations of one error. Which of these a series
 * has is never known: statistics are averaged over all of them by how well each tells the series.
 */
interface Supposed {
  phi: number
  tau: number
  prior: number
}
/** Correlations of neighbouring errors, and what each is given beforehand: most figures of a business remember little. */
const PHIS: readonly (readonly [phi: number, prior: number])[] = [
  [0, 0.5],
  [0.25, 0.26],
  [0.5, 0.16],
  [0.75, 0.08],
]
/** Roughness of the season beside its waves; the last leaves each place a level of its own. */
const TAUS: readonly number[] = [0, 1, 40]
/** Seasons of more places than this have waves and, where they may, a roughness; shorter ones a column for each place. */
const PLACES_MOST = 7

/** Whether the season of these places is waves with a roughness, not a column for each place. */
export const isRough = (n: number, season: number): boolean => season > PLACES_MOST && isWholeSeason(n, season)

const supposed = (n: number, season: number): Supposed[] => {
  const taus = isRough(n, season) ? TAUS : [0]
  return PHIS.flatMap(([phi, prior]) => taus.map((tau) => ({ phi, tau, prior: prior / taus.length })))
}

/** One supposition about the errors: how a column looks when its errors are made alike and independent. */
export interface Whitening extends Supposed {
  /** Half the logarithm of the determinant of the errors' covariance. */
  halfLog: number
  apply: (column: Column) => Column
}

/** AR(1) alone: each error less what the one before says of it. Gaps count. */
function ofNeighbours(at: readonly number[], one: Supposed): Whitening {
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
function rootOf(rows: readonly Column[]): Column[] {
  const root: Column[] = []
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

function ofSeason(at: readonly number[], { season, one }: { season: number; one: Supposed }): Whitening {
  const rows = at.map((t) =>
    Float64Array.from(at, (u) => one.phi ** Math.abs(t - u) + ((t - u) % season === 0 ? one.tau * one.tau : 0)),
  )
  const root = rootOf(rows)
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

export const whiteningsOf = (at: readonly number[], season: number): Whitening[] =>
  supposed(at.length, season).map((one) => (one.tau === 0 ? ofNeighbours(at, one) : ofSeason(at, { season, one })))
