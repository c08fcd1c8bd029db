/** The first `count` of all in an order, sorted; the others are looked at once and let go. */
export function firstOf<T>(all: Iterable<T>, count: number, compare: (a: T, b: T) => number): T[] {
  let kept: T[] = []
  let last: T | undefined
  for (const one of all) {
    if (last !== undefined && compare(one, last) >= 0) continue
    kept.push(one)
    if (kept.length < count * 2 + 64) continue
    kept = kept.sort(compare).slice(0, count)
    last = kept.at(-1)
  }
  return kept.sort(compare).slice(0, count)
}
