/** A repeatable source of chance: the same seed gives the same numbers on every machine (integers and IEEE only). */
export interface SeededRandom {
  /** From 0 up to, not including, 1. */
  unit(): number
  /** A whole number, both ends included. */
  int(min: number, max: number): number
  /** About `centre`, at most `spread` off (a share of it), ends rarer than the middle. */
  scatter(centre: number, spread: number): number
  pick<T>(items: readonly [T, ...T[]]): T
  /** Items with more weight come more often. */
  weighted<T>(items: readonly [T, ...T[]], weightOf: (item: T) => number): T
}

/** Mulberry32: 32 bits of state, even enough for made-up orders. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  const unit = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    unit,
    int: (min, max) => min + Math.floor(unit() * (max - min + 1)),
    scatter: (centre, spread) => centre * (1 + spread * (unit() + unit() - 1)),
    pick: (items) => items[Math.floor(unit() * items.length)] ?? items[0],
    weighted(items, weightOf) {
      let left = unit() * items.reduce((sum, item) => sum + weightOf(item), 0)
      for (const item of items) {
        left -= weightOf(item)
        if (left < 0) return item
      }
      return items[0]
    },
  }
}
