import { compensatedSum } from '../../../lib/compensated-sum'
import jstat from 'jstat'

/** Least squares over few columns, by orthonormal columns (modified Gram–Schmidt, done twice). */

export type ColumnVector = Float64Array

export function dot(a: ColumnVector, b: ColumnVector): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}

/** What of a column no column of the orthonormal `basis` can tell. */
export const residualOf = (basis: readonly ColumnVector[], vector: ColumnVector): ColumnVector =>
  reduceToResidual(basis, new Float64Array(vector))

/** The same of a column that nobody else holds: it is written over. */
export function reduceToResidual(basis: readonly ColumnVector[], rest: ColumnVector): ColumnVector {
  for (let round = 0; round < 2; round += 1)
    for (const unit of basis) {
      const along = dot(unit, rest)
      if (along === 0) continue
      for (let at = 0; at < rest.length; at += 1) rest[at] = (rest[at] ?? 0) - along * (unit[at] ?? 0)
    }
  return rest
}

/** The basis with one column more; the same where the column says nothing new. */
export function extendBasis(basis: readonly ColumnVector[], vector: ColumnVector): ColumnVector[] {
  const rest = residualOf(basis, vector)
  const size = Math.sqrt(dot(rest, rest))
  if (!(size > 1e-7 * Math.sqrt(dot(vector, vector)))) return [...basis]
  return [...basis, rest.map((value) => value / size)]
}

export const orthonormalBasis = (columns: readonly ColumnVector[]): ColumnVector[] =>
  columns.reduce<ColumnVector[]>((basis, column) => extendBasis(basis, column), [])

export const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : compensatedSum(values) / values.length

export function medianOf(values: readonly number[]): number {
  if (values.length === 0) return 0
  const sorted = Float64Array.from(values).sort()
  const half = sorted.length >> 1
  const upper = sorted[half] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2
}

/** Median absolute deviation, scaled so that it estimates the standard deviation of normal values. */
export function robustDeviation(values: readonly number[]): number {
  const middle = medianOf(values)
  return 1.482_602_218_505_602 * medianOf(values.map((value) => Math.abs(value - middle)))
}

export function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values)
  return values.length < 2 ? 0 : compensatedSum(values.map((value) => (value - mean) ** 2)) / (values.length - 1)
}

/** No chance is told as smaller than this: the models are not that good. */
export const P_VALUE_MIN = 1e-15
const clampPValue = (p: number): number => (Number.isFinite(p) ? Math.min(1, Math.max(P_VALUE_MIN, p)) : 1)

/** P(|T| ≥ |t|) of Student's t with `df` degrees of freedom. */
export function studentTPValue(t: number, df: number): number {
  if (!(df > 0) || Number.isNaN(t)) return 1
  if (!Number.isFinite(t)) return P_VALUE_MIN
  const far = (t / df) * t
  return clampPValue(jstat.ibeta(1 / (1 + far), df / 2, 0.5))
}

/** P(F ≥ f). */
export function fPValue(f: number, [over, under]: readonly [number, number]): number {
  if (!(f > 0) || !(under > 0) || !(over > 0)) return 1
  return clampPValue(jstat.ibeta(under / (under + over * f), under / 2, over / 2))
}

/** P(|Z| ≥ |z|) of the normal distribution. */
export const normalPValue = (z: number): number =>
  Number.isNaN(z) ? 1 : clampPValue(jstat.erfc(Math.abs(z) / Math.SQRT2))

/** The z whose two tails hold `p`. */
export const zFromPValue = (p: number): number => {
  const z = Math.SQRT2 * jstat.erfcinv(clampPValue(p))
  return Number.isFinite(z) ? z : 0
}

export const normalDensity = (z: number): number => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)

/** log Γ(x). */
export const logGamma = (x: number): number => jstat.gammaln(x)

/** log of n over k. */
export const logChoose = (n: number, k: number): number =>
  jstat.gammaln(n + 1) - jstat.gammaln(k + 1) - jstat.gammaln(n - k + 1)
export const sumsOfSquares = (vectors: readonly ColumnVector[]): number[] =>
  vectors.map((vector) => dot(vector, vector))

/** Derivatives of log Γ, by recurrence to where their series are exact to nine digits (Abramowitz and Stegun 6.3.18, 6.4.12). */
const SERIES_FROM = 8
export function digamma(x: number): number {
  let [at, sum] = [x, 0]
  for (; at < SERIES_FROM; at += 1) sum -= 1 / at
  const square = 1 / (at * at)
  return sum + Math.log(at) - 1 / (2 * at) - square * (1 / 12 - square * (1 / 120 - square / 252))
}
export function trigamma(x: number): number {
  let [at, sum] = [x, 0]
  for (; at < SERIES_FROM; at += 1) sum += 1 / (at * at)
  const square = 1 / (at * at)
  return sum + 1 / at + square / 2 + (square / at) * (1 / 6 - square * (1 / 30 - square / 42))
}
