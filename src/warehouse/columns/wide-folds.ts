import { NeedsRows } from './column-table'
import type { Fold } from './fold'
import { NumberIndex } from './number-index'
import { codesOf, numbersOf, type ChunkPlace, type Codes, type Numbers } from './vectors'
import { exactBetween, rankOf } from '../query/aggregates/percentile'

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

type WideValues = (place: ChunkPlace) => (row: number) => bigint | null

/** Numbers past 53 bits row by row; null is an empty cell. */
const wideValues =
  (parts: readonly Numbers[]): WideValues =>
  (place) => {
    const own = parts.map((part) => part(place))
    return (row) => {
      const { high, low } = halvesOf(own, row)
      return Number.isNaN(low) ? null : wideNumber(high, low)
    }
  }

/** A number for each different value, from 1 on as they come; 0 is an empty cell. */
export function wideCodes(parts: readonly Numbers[]): { codes: Codes; valueAt: (code: number) => bigint } {
  const highs = new NumberIndex()
  const pairs = new NumberIndex()
  const codes = codesOf((place, to) => {
    const own = parts.map((part) => part(place))
    for (let row = 0; row < place.rows; row += 1) {
      const { high, low } = halvesOf(own, row)
      if (Number.isNaN(low)) {
        to[row] = 0
        continue
      }
      const at = highs.placeOf(high)
      // Of so many halves both fit one number.
      if (at >= 2 ** 21) throw new NeedsRows()
      to[row] = pairs.placeOf(at * LIMB + low) + 1
    }
  })
  const valueAt = (code: number): bigint => {
    const pair = pairs.valueAt(code - 1)
    const at = Math.floor(pair / LIMB)
    return wideNumber(highs.valueAt(at), pair - at * LIMB)
  }
  return { codes, valueAt }
}

export function wideEdge(parts: readonly Numbers[], which: 'min' | 'max', scale: number): Fold {
  const values = wideValues(parts)
  const found = new Map<number, bigint>()
  return {
    grow: () => undefined,
    add(place, keys) {
      const valueOf = values(place)
      for (let row = 0; row < place.rows; row += 1) {
        const key = keys[row] ?? 0
        const value = key === 0 ? null : valueOf(row)
        if (value === null) continue
        const known = found.get(key)
        if (known === undefined || (which === 'min' ? value < known : value > known)) found.set(key, value)
      }
    },
    value(group) {
      const n = found.get(group)
      return n === undefined ? null : { n, scale }
    },
  }
}

/** Values that a median sorts, at most: they are held all together. */
const SORTED_MAX = 2 ** 21

/** @param percent of the values that lie below it: 50 is the middle */
export function widePercentile(parts: readonly Numbers[], percent: number, scale: number): Fold {
  const values = wideValues(parts)
  const found = new Map<number, bigint[]>()
  let held = 0
  return {
    grow: () => undefined,
    add(place, keys) {
      const valueOf = values(place)
      for (let row = 0; row < place.rows; row += 1) {
        const key = keys[row] ?? 0
        const value = key === 0 ? null : valueOf(row)
        if (value === null) continue
        const known = found.get(key)
        if (known) known.push(value)
        else found.set(key, [value])
        held += 1
      }
      if (held > SORTED_MAX) throw new NeedsRows()
    },
    value(group) {
      const own = found.get(group)
      if (!own) return null
      const sorted = BigInt64Array.from(own).sort()
      const { below, share } = rankOf(sorted.length, percent)
      const [low = 0n, high = low] = [sorted[below], sorted[share === 0 ? below : below + 1]]
      return exactBetween({ n: low, scale }, { n: high, scale }, share)
    },
  }
}
