import jstat from 'jstat'

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
