import { numbersOf, type ChunkPlace, type Numbers } from '../vectors'

const LOW_PRIME = 0x01000193
const HIGH_PRIME = 0xc2b2ae35

/** FNV-1a over UTF-16 in two lanes of 32 bits, mixed at the end: a whole number of 53 bits. `seed` begins it differently. */
export function hashText(text: string, seed: number): number {
  let low = 0x811c9dc5 ^ Math.imul(seed, 0x9e3779b1)
  let high = 0x6c62272e ^ Math.imul(seed, 0x85ebca6b)
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i)
    low = Math.imul(low ^ unit, LOW_PRIME)
    high = Math.imul(high ^ unit ^ (low >>> 16), HIGH_PRIME)
  }
  low = Math.imul(low ^ (low >>> 15) ^ high, 0x85ebca6b)
  high = Math.imul(high ^ (high >>> 13) ^ low, 0x27d4eb2f)
  low ^= low >>> 16
  high ^= high >>> 15
  return (high & 0x1fffff) * 2 ** 32 + (low >>> 0)
}

/** What stands for texts: two numbers of 53 bits, by hashes begun differently. The same for two texts once in 10³¹ pairs; NaN of an empty cell. */
export function textHashes(texts: Iterable<string | null>, rows: number): Float64Array[] {
  const hashes = [new Float64Array(rows).fill(Number.NaN), new Float64Array(rows).fill(Number.NaN)]
  let row = 0
  for (const text of texts) {
    if (text !== null) for (const [n, of] of hashes.entries()) of[row] = hashText(text, n)
    row += 1
  }
  return hashes
}

/** The same of a question's texts, row by row. */
export function textHashNumbers(textsAt: (place: ChunkPlace) => (row: number) => string | null): [Numbers, Numbers] {
  let seconds = new Float64Array(0)
  const first = numbersOf((place, to) => {
    if (seconds.length < place.rows) seconds = new Float64Array(place.rows)
    const textAt = textsAt(place)
    for (let row = 0; row < place.rows; row += 1) {
      const text = textAt(row)
      to[row] = text === null ? Number.NaN : hashText(text, 0)
      seconds[row] = text === null ? Number.NaN : hashText(text, 1)
    }
  })
  const second: Numbers = (place) => {
    first(place)
    return seconds
  }
  return [first, second]
}
