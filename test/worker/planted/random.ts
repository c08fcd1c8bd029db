/** Draws of the planted data sets. Nothing here is shared with the engine. */

export interface RandomSource {
  /** Between 0 and 1. */
  unit(): number
  between(from: number, to: number): number
  whole(from: number, to: number): number
  pick<T>(items: readonly [T, ...T[]]): T
  normal(): number
  poisson(mean: number): number
}

/** xoshiro128**, seeded by splitmix32. */
export function randomFrom(seed: number): RandomSource {
  let mixed = seed >>> 0
  const next32 = (): number => {
    mixed = (mixed + 0x9e3779b9) >>> 0
    let z = mixed
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b)
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
    return (z ^ (z >>> 16)) >>> 0
  }
  let [a, b, c, d] = [next32(), next32(), next32(), next32()]
  const turn = (x: number, by: number): number => (x << by) | (x >>> (32 - by))
  const raw = (): number => {
    const result = Math.imul(turn(Math.imul(b, 5), 7), 9) >>> 0
    const t = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    d = turn(d, 11)
    return result
  }
  const unit = (): number => (raw() + 0.5) / 2 ** 32
  const normal = (): number => Math.sqrt(-2 * Math.log(unit())) * Math.cos(2 * Math.PI * unit())
  const whole = (from: number, to: number): number => from + Math.floor(unit() * (to - from + 1))
  return {
    unit,
    normal,
    whole,
    between: (from, to) => from + unit() * (to - from),
    pick: (items) => items[whole(0, items.length - 1)] ?? items[0],
    poisson(mean) {
      if (mean > 60) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()))
      let [count, product] = [0, unit()]
      const least = Math.exp(-mean)
      while (product > least) {
        count += 1
        product *= unit()
      }
      return count
    },
  }
}
