interface Corner {
  at: number[]
  cost: number
}

const REFLECT = 1
const STRETCH = 2
const PULL = 0.5

const between = (from: readonly number[], to: readonly number[], share: number): number[] =>
  from.map((value, i) => value + share * ((to[i] ?? 0) - value))

/** The middle of all corners but the worst. */
function middleOf(corners: readonly Corner[]): number[] {
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
  { steps, most = 160, within = 1e-6 }: { steps: readonly number[]; most?: number; within?: number },
): Corner {
  let asked = 0
  const ask = (at: number[]): Corner => {
    asked++
    const value = cost(at)
    return { at, cost: Number.isFinite(value) ? value : Infinity }
  }
  const corners = [
    ask([...start]),
    ...start.map((_, i) => ask(start.map((v, j) => (i === j ? v + (steps[i] ?? 0) : v)))),
  ]
  const order = (): void => void corners.sort((a, b) => a.cost - b.cost)
  order()
  while (asked < most) {
    const best = corners[0]
    const worst = corners.at(-1)
    if (!best || !worst || worst.cost - best.cost <= within * Math.abs(best.cost)) break
    const middle = middleOf(corners)
    const better = moved(corners, middle, worst, ask)
    if (better) corners[corners.length - 1] = better
    else for (let i = 1; i < corners.length; i++) corners[i] = ask(between(best.at, corners[i]?.at ?? best.at, PULL))
    order()
  }
  return corners[0] ?? { at: [...start], cost: Infinity }
}

/** Where the worst corner goes: reflected, stretched or pulled in; undefined when the whole simplex must shrink. */
function moved(
  corners: readonly Corner[],
  middle: number[],
  worst: Corner,
  ask: (at: number[]) => Corner,
): Corner | undefined {
  const reflected = ask(between(middle, worst.at, -REFLECT))
  if (reflected.cost < (corners[0]?.cost ?? Infinity)) {
    const stretched = ask(between(middle, worst.at, -STRETCH))
    return stretched.cost < reflected.cost ? stretched : reflected
  }
  if (reflected.cost < (corners.at(-2)?.cost ?? Infinity)) return reflected
  const outside = reflected.cost < worst.cost
  const pulled = ask(between(middle, outside ? reflected.at : worst.at, PULL))
  return pulled.cost < (outside ? reflected.cost : worst.cost) ? pulled : undefined
}
