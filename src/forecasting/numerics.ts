/** Arithmetic mean; 0 for none. Finite when the values are, even where their sum is not. */
export function mean(values: ArrayLike<number>): number {
  const n = values.length
  let sum = 0
  for (let i = 0; i < n; i++) sum += values[i] ?? 0
  if (n === 0 || Number.isFinite(sum)) return n > 0 ? sum / n : 0
  let shares = 0
  for (let i = 0; i < n; i++) shares += (values[i] ?? 0) / n
  return shares
}

/** Middle value, the mean of the two middle ones for an even count; 0 for none. */
export function median(values: ArrayLike<number>): number {
  const sorted = Float64Array.from(values).sort()
  const half = sorted.length >> 1
  if (sorted.length === 0) return 0
  return sorted.length % 2 === 1 ? (sorted[half] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2
}

/** Intercept and slope of the least squares line through (1, y1), (2, y2), … */
export function fitLine(values: ArrayLike<number>): { intercept: number; slope: number } {
  const middle = (values.length + 1) / 2
  const level = mean(values)
  let shared = 0
  let spread = 0
  for (let i = 0; i < values.length; i++) {
    shared += (i + 1 - middle) * ((values[i] ?? 0) - level)
    spread += (i + 1 - middle) ** 2
  }
  const slope = spread > 0 ? shared / spread : 0
  return { intercept: level - slope * middle, slope }
}

/** Slope of that line, and the share of the variation that it tells. */
export function straightness(values: ArrayLike<number>): { slope: number; share: number } {
  const { intercept, slope } = fitLine(values)
  const level = mean(values)
  let left = 0
  let whole = 0
  for (let i = 0; i < values.length; i++) {
    left += ((values[i] ?? 0) - intercept - slope * (i + 1)) ** 2
    whole += ((values[i] ?? 0) - level) ** 2
  }
  return { slope, share: whole > 0 ? 1 - left / whole : 0 }
}

export const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

interface SimplexVertex {
  at: number[]
  cost: number
}

const REFLECTION = 1
const EXPANSION = 2
const CONTRACTION = 0.5

const interpolate = (from: readonly number[], to: readonly number[], share: number): number[] =>
  from.map((value, i) => value + share * ((to[i] ?? 0) - value))

/** The middle of all corners but the worst. */
function centroid(corners: readonly SimplexVertex[]): number[] {
  const kept = corners.slice(0, -1)
  return (kept[0]?.at ?? []).map((_, i) => kept.reduce((sum, { at }) => sum + (at[i] ?? 0), 0) / kept.length)
}

/**
 * Simplex search for a small cost (Nelder and Mead 1965). Deterministic; a cost that is not finite is worse than all others.
 * `steps` gives the first size of the simplex in each direction, `most` how often the cost may be asked.
 */
export function minimise(
  cost: (at: readonly number[]) => number,
  start: readonly number[],
  { steps, most = 160, within: tolerance = 1e-6 }: { steps: readonly number[]; most?: number; within?: number },
): SimplexVertex {
  let evaluations = 0
  const evaluate = (at: number[]): SimplexVertex => {
    evaluations++
    const value = cost(at)
    return { at, cost: Number.isFinite(value) ? value : Infinity }
  }
  const vertices = [
    evaluate([...start]),
    ...start.map((_, i) => evaluate(start.map((v, j) => (i === j ? v + (steps[i] ?? 0) : v)))),
  ]
  const sortByCost = (): void => void vertices.sort((a, b) => a.cost - b.cost)
  sortByCost()
  while (evaluations < most) {
    const best = vertices[0]
    const worst = vertices.at(-1)
    if (!best || !worst || worst.cost - best.cost <= tolerance * Math.abs(best.cost)) break
    const middle = centroid(vertices)
    const better = moveWorstVertex(vertices, middle, worst, evaluate)
    if (better) vertices[vertices.length - 1] = better
    else
      for (let i = 1; i < vertices.length; i++)
        vertices[i] = evaluate(interpolate(best.at, vertices[i]?.at ?? best.at, CONTRACTION))
    sortByCost()
  }
  return vertices[0] ?? { at: [...start], cost: Infinity }
}

/** Where the worst corner goes: reflected, stretched or pulled in; undefined when the whole simplex must shrink. */
function moveWorstVertex(
  corners: readonly SimplexVertex[],
  middle: number[],
  worst: SimplexVertex,
  ask: (at: number[]) => SimplexVertex,
): SimplexVertex | undefined {
  const reflected = ask(interpolate(middle, worst.at, -REFLECTION))
  if (reflected.cost < (corners[0]?.cost ?? Infinity)) {
    const stretched = ask(interpolate(middle, worst.at, -EXPANSION))
    return stretched.cost < reflected.cost ? stretched : reflected
  }
  if (reflected.cost < (corners.at(-2)?.cost ?? Infinity)) return reflected
  const outside = reflected.cost < worst.cost
  const pulled = ask(interpolate(middle, outside ? reflected.at : worst.at, CONTRACTION))
  return pulled.cost < (outside ? reflected.cost : worst.cost) ? pulled : undefined
}
