import { LEVELS, type Bands } from './contract'

export interface Path {
  mean: number[]
  bands: Bands
}

/**
 * Makes parts and their total agree, step by step: what the total says more than the parts is shared among all of them by how unsure
 * each is (weighted least squares of forecast reconciliation, Wickramasuriya, Athanasopoulos and Hyndman 2019; for a total and its parts
 * it has this closed form). `unsure` is a squared error, the total's first; without it, structural scaling: as many as it sums up.
 * The answered total is the sum of the answered parts, added in order: exactly.
 */
export function reconciled(
  total: Path,
  parts: readonly Path[],
  unsure?: { total: number; parts: readonly number[] },
): { total: Path; parts: Path[] } {
  const own = parts.map((_, i) => Math.max(0, unsure?.parts[i] ?? 1))
  const told = Math.max(0, unsure?.total ?? parts.length)
  const all = own.reduce((sum, w) => sum + w, told)
  const share = own.map((w) => (all > 0 && Number.isFinite(all) ? w / all : 1 / (parts.length + 1)))
  const gaps = total.mean.map((v, step) => v - parts.reduce((sum, part) => sum + (part.mean[step] ?? 0), 0))
  const moved = parts.map((part, i) =>
    shifted(
      part,
      gaps.map((gap) => gap * (share[i] ?? 0)),
    ),
  )
  const sums = total.mean.map((_, step) => moved.reduce((sum, part) => sum + (part.mean[step] ?? 0), 0))
  const whole = shifted(
    total,
    sums.map((v, step) => v - (total.mean[step] ?? 0)),
  )
  return { total: { ...whole, mean: sums }, parts: moved }
}

/** A path and its bands moved by an amount at each step. */
export function shifted({ mean, bands }: Path, by: readonly number[]): Path {
  const move = (path: readonly number[]): number[] => path.map((v, step) => v + (by[step] ?? 0))
  const [half, most, nearly] = LEVELS.map((level) => ({
    lower: move(bands[level].lower),
    upper: move(bands[level].upper),
  }))
  const none = { lower: [], upper: [] }
  return { mean: move(mean), bands: { 50: half ?? none, 80: most ?? none, 95: nearly ?? none } }
}
