import { numbersOf, type ChunkPlace, type Numbers } from '../vectors'

/** Whole numbers past 53 bits are told apart by two halves of these sizes. */
const LIMB = 2 ** 32

/** Halves of the sum of some parts: `high` × 2^32 + `low`, the low one never negative. NaN where a part is empty. */
function halvesOf(parts: readonly Float64Array[], row: number): { high: number; low: number } {
  let [high, low] = [0, 0]
  for (const part of parts) {
    const value = part[row] ?? Number.NaN
    const above = Math.floor(value / LIMB)
    high += above
    low += value - above * LIMB
  }
  const carried = Math.floor(low / LIMB)
  return { high: high + carried, low: low - carried * LIMB }
}

/** Both halves row by row: numbers are in the order of the high ones, then of the low ones. */
export function wideHalves(parts: readonly Numbers[]): [high: Numbers, low: Numbers] {
  const half = (which: 'high' | 'low'): Numbers =>
    numbersOf((place, to) => {
      const own = parts.map((part) => part(place))
      for (let row = 0; row < place.rows; row += 1) to[row] = halvesOf(own, row)[which]
    })
  return [half('high'), half('low')]
}

/** The number that two halves are of. */
export const wideNumber = (high: number, low: number): bigint => BigInt(high) * BigInt(LIMB) + BigInt(low)

/** What stands for an empty cell among whole numbers of 64 bits. */
const EMPTY = -(2n ** 63n)

/** Numbers past 53 bits row by row, `empty` where there is none. What is handed out holds until another chunk is read. */
export function wideIntegers(parts: readonly Numbers[]): { read: (place: ChunkPlace) => BigInt64Array; empty: bigint } {
  let to = new BigInt64Array(0)
  const read = (place: ChunkPlace): BigInt64Array => {
    const own = parts.map((part) => part(place))
    if (to.length < place.rows) to = new BigInt64Array(place.rows)
    for (let row = 0; row < place.rows; row += 1) {
      const { high, low } = halvesOf(own, row)
      to[row] = Number.isNaN(low) ? EMPTY : wideNumber(high, low)
    }
    return to
  }
  return { read, empty: EMPTY }
}

/** The same, null where there is none. */
export function wideValues(parts: readonly Numbers[]): (place: ChunkPlace) => (row: number) => bigint | null {
  const { read } = wideIntegers(parts)
  return (place) => {
    const own = read(place)
    return (row) => {
      const value = own[row]
      return value === undefined || value === EMPTY ? null : value
    }
  }
}
