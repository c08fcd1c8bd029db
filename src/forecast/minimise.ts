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
