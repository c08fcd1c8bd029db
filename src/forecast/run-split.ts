import { type Bands } from './contract'
import { reconciled, type Path } from './reconcile'
import { run, type Ran, type RunAsk } from './run'

export const MOST_PARTS = 11

export interface SplitRun {
  total: Ran
  /** In the order asked; a part that cannot be forecast alone keeps why, and its path is its share of what the total leaves. */
  parts: { key: string; ran: Ran; path: Path }[]
  /** Null when the total itself cannot be forecast: the parts' paths are then empty. */
  reconciled: Path | null
}

const flat = (steps: number, value: number): Path => {
  const path = new Array<number>(steps).fill(value)
  const bands: Bands = {
    50: { lower: path, upper: path },
    80: { lower: path, upper: path },
    95: { lower: path, upper: path },
  }
  return { mean: path, bands }
}

/** Mean of the last known values of a part that has no shape of its own. */
function lately(values: readonly (number | null)[]): number {
  const known = values.filter((v): v is number => v !== null && Number.isFinite(v)).slice(-4)
  return known.length > 0 ? known.reduce((sum, v) => sum + v / known.length, 0) : 0
}

/** Holidays are tried on parts where the whole gains by them: what does not show in the sum is seldom worth its time in a part. */
const countryFor = (whole: Ran, { country = null }: RunAsk): string | null =>
  whole.kind === 'ready' && whole.trials.some(({ what, kept }) => what === 'holidays' && kept) ? country : null

/** A total and up to ten parts and the rest, each run alone and then made to agree: parts add up to the total at every step. */
export function runSplit(total: RunAsk, parts: readonly { key: string; values: RunAsk['values'] }[]): SplitRun {
  if (parts.length > MOST_PARTS) throw new RangeError(`at most ${MOST_PARTS} parts`)
  const whole = run(total)
  const ran = parts.map(({ key, values }) => ({
    key,
    values,
    ran: run({ ...total, country: countryFor(whole, total), values }),
  }))
  if (whole.kind !== 'ready')
    return {
      total: whole,
      parts: ran.map(({ key, ran: own }) => ({ key, ran: own, path: flat(0, 0) })),
      reconciled: null,
    }
  const steps = whole.mean.length
  const paths = ran.map(({ ran: own, values }) =>
    own.kind === 'ready' && own.mean.length >= steps ? cut(own, steps) : flat(steps, lately(values)),
  )
  const unsure = ran.map(({ ran: own }) => (own.kind === 'ready' ? (own.backtest?.used.mae ?? 0) ** 2 : 0))
  const known = whole.backtest !== null && unsure.some((w) => w > 0)
  const agreed = reconciled(
    whole,
    paths,
    known ? { total: (whole.backtest?.used.mae ?? 0) ** 2, parts: unsure } : undefined,
  )
  return {
    total: whole,
    parts: ran.map(({ key, ran: own }, i) => ({ key, ran: own, path: agreed.parts[i] ?? flat(steps, 0) })),
    reconciled: agreed.total,
  }
}

function cut({ mean, bands }: Path, steps: number): Path {
  const first = (path: number[]): number[] => path.slice(0, steps)
  const band = (level: 50 | 80 | 95) => ({ lower: first(bands[level].lower), upper: first(bands[level].upper) })
  return { mean: first(mean), bands: { 50: band(50), 80: band(80), 95: band(95) } }
}
