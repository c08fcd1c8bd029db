import { normalDensity, normalPValue, studentTPValue, zFromPValue } from './distributions'
import type { ColumnVector } from './regression'
import { TAIL_MODELS } from './tails'
import { singleModelPValue } from './weighing'
import type { ModelEstimate } from './weighing'

/** What is believed of each of {@link TAIL_MODELS}, and the scale of errors under it. */
export interface TailPosterior {
  believed: readonly number[]
  scales: readonly number[]
}
/** A bucket that carries less than this of a shape cannot make it by itself. */
const COLUMN_SHARE_MIN = 0.15
/** Tails that are believed less than this say nothing. */
const TAIL_WEIGHT_MIN = 1e-4

/** Chance of the largest of neighbouring |z| being as large, from that of one (Efron 1997, the length heuristic). */
export function pValueOfMaximum(p: number, angles: readonly number[]): number {
  const c = zFromPValue(p)
  if (c < 0.5) return 1
  let paths = 0
  for (const angle of angles) paths += 1 - normalPValue((c * angle) / 2)
  return Math.min(1, p + ((2 * normalDensity(c)) / c) * paths, p * (angles.length + 1))
}

/**
 * Chance of one shape at one place, `shares` being how much of it each bucket carries. A sum of errors with heavy tails
 * is far out because all of them are, as normal ones would be, or because one of them is, by as much as it counts in the
 * sum.
 */
export function heavyTailPValue(
  modelEstimate: ModelEstimate,
  { shares, tails }: { shares: readonly number[]; tails: TailPosterior },
): number {
  const plain = singleModelPValue(modelEstimate)
  if (modelEstimate.df === Number.POSITIVE_INFINITY) return plain
  return TAIL_MODELS.reduce((sum, [df], i) => {
    const [weight, scale] = [tails.believed[i] ?? 0, tails.scales[i] ?? 0]
    if (df === Number.POSITIVE_INFINITY || weight < TAIL_WEIGHT_MIN) return sum + weight * plain
    const t =
      modelEstimate.isPooled || !(scale > 0) ? modelEstimate.t * Math.sqrt(df / (df - 2)) : modelEstimate.length / scale
    const byOne = shares.reduce((total, share) => total + studentTPValue(t / share, df), 0)
    return sum + weight * Math.min(1, Math.max(plain, byOne))
  }, 0)
}

/** How much of a shape each bucket carries that could make it by itself. */
export const columnShares = (unit: ColumnVector): number[] =>
  [...unit].map(Math.abs).filter((share) => share > COLUMN_SHARE_MIN)
