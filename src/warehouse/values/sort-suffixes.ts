/** Groups of fewer are sorted by comparison. */
const SMALL = 32
/** Bytes by which texts are in order; those that are the same so far lie in any order. */
export const SORTED_BYTES = 32

/** Sorts places of a text by the bytes that follow them, up to the 0 that ends each. */
export function sortSuffixes(bytes: Uint8Array, places: Int32Array): void {
  const spare = new Int32Array(places.length)
  const stack: [from: number, to: number, depth: number][] = [[0, places.length, 0]]
  const counts = new Int32Array(257)
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [from, to, depth] = next
    if (to - from < 2 || depth >= SORTED_BYTES) continue
    if (to - from < SMALL) {
      places.subarray(from, to).sort((a, b) => compareSuffixes(bytes, a + depth, b + depth))
      continue
    }
    counts.fill(0)
    for (let i = from; i < to; i += 1)
      counts[(bytes[(places[i] ?? 0) + depth] ?? 0) + 1] = 1 + (counts[(bytes[(places[i] ?? 0) + depth] ?? 0) + 1] ?? 0)
    for (let byte = 0; byte < 256; byte += 1) counts[byte + 1] = (counts[byte + 1] ?? 0) + (counts[byte] ?? 0)
    const starts = counts.slice(0, 256)
    for (let i = from; i < to; i += 1) {
      const place = places[i] ?? 0
      const byte = bytes[place + depth] ?? 0
      const at = starts[byte] ?? 0
      spare[from + at] = place
      starts[byte] = at + 1
    }
    places.set(spare.subarray(from, to), from)
    // Those that end here are in order already.
    for (let byte = 1; byte < 256; byte += 1) {
      const [first, last] = [from + (counts[byte] ?? 0), from + (counts[byte + 1] ?? 0)]
      if (last - first > 1) stack.push([first, last, depth + 1])
    }
  }
}

function compareSuffixes(bytes: Uint8Array, a: number, b: number): number {
  for (let i = 0; ; i += 1) {
    const [x, y] = [bytes[a + i] ?? 0, bytes[b + i] ?? 0]
    if (x !== y) return x - y
    if (x === 0) return a - b
  }
}
