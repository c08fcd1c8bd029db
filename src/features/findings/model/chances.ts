import { densityOfNormal, tailOfNormal, tailOfT, zOfTail } from './distributions'
import type { Column } from './regression'
import { TAILS } from './tails'
import { chanceAlone } from './weighing'
import type { Reading } from './weighing'

/** What is believed of each of {@link TAILS}, and the scale of errors under it. */
export interface Tails {
  believed: readonly number[]
  scales: readonly number[]
}
/** A bucket that carries less than this of a shape cannot make it by itself. */
const CARRIES_LEAST = 0.15
/** Tails that are believed less than this say nothing. */
const BELIEVED_LEAST = 1e-4

/** Chance of the largest of neighbouring |z| being as large, from that of one (Efron 1997, the length heuristic). */
export function chanceOfLargest(p: number, angles: readonly number[]): number {
  const c = zOfTail(p)
  if (c < 0.5) return 1
  let paths = 0
  for (const angle of angles) paths += 1 - tailOfNormal((c * angle) / 2)
  return Math.min(1, p + ((2 * densityOfNormal(c)) / c) * paths, p * (angles.length + 1))
}

/**
 * Chance of one shape at one place, `shares` being how much of it each bucket carries. A sum of errors with heavy tails
 * is far out because all of them are, as normal ones would be, or because one of them is, by as much as it counts in the
 * sum.
 */
export function chanceAmong(reading: Reading, { shares, tails }: { shares: readonly number[]; tails: Tails }): number {
  const plain = chanceAlone(reading)
  if (reading.df === Number.POSITIVE_INFINITY) return plain
  return TAILS.reduce((sum, [df], i) => {
    const [weight, scale] = [tails.believed[i] ?? 0, tails.scales[i] ?? 0]
    if (df === Number.POSITIVE_INFINITY || weight < BELIEVED_LEAST) return sum + weight * plain
    const t = reading.isPooled || !(scale > 0) ? reading.t * Math.sqrt(df / (df - 2)) : reading.length / scale
    const byOne = shares.reduce((total, share) => total + tailOfT(t / share, df), 0)
    return sum + weight * Math.min(1, Math.max(plain, byOne))
  }, 0)
}

/** How much of a shape each bucket carries that could make it by itself. */
export const sharesOf = (unit: Column): number[] => [...unit].map(Math.abs).filter((share) => share > CARRIES_LEAST)
