import { NeedsRows } from './column-table'
import type { TextVectors } from './column-vectors'
import { GroupNumbers, whole, type Fold, type FoldedNumbers } from './fold'
import { textRanks } from './texts/text-ranks'
import type { VectorNumber } from './vector-number'
import type { Codes, Numbers } from './vectors'
import { realFrom, type Amount } from '../query/aggregates/amount'
import { exactBetween, rankOf, realBetween } from '../query/aggregates/percentile'

/** How many rows; of numbers or texts, how many are there. */
export function countFold(of: { numbers: Numbers } | { codes: Codes } | null): Fold {
  const counts = new GroupNumbers()
  return {
    isCount: true,
    grow: (groups) => counts.grow(groups),
    add(place, keys) {
      if (of === null) countRows(counts.values, keys, place.rows)
      else if ('numbers' in of) countNumbers(counts.values, keys, of.numbers(place), place.rows)
      else countCodes(counts.values, keys, of.codes(place), place.rows)
    },
    value: (group) => whole(counts.at(group)),
    order: (group) => counts.at(group),
    has: (group) => counts.at(group) > 0,
  }
}
function countRows(counts: Float64Array, keys: Int32Array, rows: number): void {
  for (let i = 0; i < rows; i += 1) {
    const key = keys[i] ?? 0
    counts[key] = (counts[key] ?? 0) + 1
  }
}
function countNumbers(counts: Float64Array, keys: Int32Array, values: Float64Array, rows: number): void {
  for (let i = 0; i < rows; i += 1) {
    const key = keys[i] ?? 0
    if (!Number.isNaN(values[i] ?? Number.NaN)) counts[key] = (counts[key] ?? 0) + 1
  }
}
function countCodes(counts: Float64Array, keys: Int32Array, codes: Int32Array, rows: number): void {
  for (let i = 0; i < rows; i += 1) {
    const key = keys[i] ?? 0
    if ((codes[i] ?? 0) !== 0) counts[key] = (counts[key] ?? 0) + 1
  }
}

/** What a stored number of an operand is shown as. */
export type Shown = (value: number) => Amount

export function edgeOfNumbers(numbers: Numbers, which: 'min' | 'max', shown: Shown): Fold {
  const found = new GroupNumbers(which === 'min' ? Infinity : -Infinity)
  const seen = new GroupNumbers()
  const fold = which === 'min' ? least : most
  return {
    grow(groups) {
      found.grow(groups)
      seen.grow(groups)
    },
    add: (place, keys) => fold(found.values, seen.values, keys, { values: numbers(place), rows: place.rows }),
    value: (group) => (seen.at(group) === 0 ? null : shown(found.at(group))),
    order: (group) => (seen.at(group) === 0 ? null : found.at(group)),
  }
}
function least(found: Float64Array, seen: Float64Array, keys: Int32Array, { values, rows }: FoldedNumbers): void {
  for (let i = 0; i < rows; i += 1) {
    const key = keys[i] ?? 0
    const value = values[i] ?? Number.NaN
    if (Number.isNaN(value)) continue
    seen[key] = 1
    if (value < (found[key] ?? Infinity)) found[key] = value
  }
}
function most(found: Float64Array, seen: Float64Array, keys: Int32Array, { values, rows }: FoldedNumbers): void {
  for (let i = 0; i < rows; i += 1) {
    const key = keys[i] ?? 0
    const value = values[i] ?? Number.NaN
    if (Number.isNaN(value)) continue
    seen[key] = 1
    if (value > (found[key] ?? -Infinity)) found[key] = value
  }
}

/** The first or last text by its order: codes stand in the order in which they came. */
export function edgeOfTexts(texts: TextVectors, which: 'min' | 'max'): Fold {
  const { numbers, wordAt } = textRanks(texts.codes(), texts.words())
  return edgeOfNumbers(numbers, which, wordAt)
}

/** Values that a median sorts, at most: they are held all together. */
const SORTED_MAX = 2 ** 21

/** @param percent of the values that lie below it: 50 is the middle */
export function percentileFold(value: VectorNumber, percent: number): Fold {
  const found = new Map<number, number[]>()
  let held = 0
  const middleOf = new Map<number, RankedValues>()
  return {
    grow: () => undefined,
    add(place, keys) {
      const values = value.numbers(place)
      for (let i = 0; i < place.rows; i += 1) {
        const key = keys[i] ?? 0
        const own = values[i] ?? Number.NaN
        if (key === 0 || Number.isNaN(own)) continue
        const known = found.get(key)
        if (known) known.push(own)
        else found.set(key, [own])
        held += 1
      }
      if (held > SORTED_MAX) throw new NeedsRows()
    },
    value(group) {
      const values = found.get(group)
      if (!values) return null
      const middle = middleOf.get(group) ?? rankedValues(values, percent)
      middleOf.set(group, middle)
      const { low, high, share } = middle
      if (value.kind === 'real') return realFrom(realBetween(low, high, share))
      return exactBetween({ n: BigInt(low), scale: value.scale }, { n: BigInt(high), scale: value.scale }, share)
    },
  }
}
interface RankedValues {
  low: number
  high: number
  share: number
}
function rankedValues(values: readonly number[], percent: number): RankedValues {
  const sorted = Float64Array.from(values).sort()
  const { below, share } = rankOf(sorted.length, percent)
  const at = (index: number): number => sorted[index] ?? Number.NaN
  return { low: at(below), high: at(share === 0 ? below : below + 1), share }
}

/** The first or last value in time; rows without a value or without a time do not count, ties go by load order. */
export function firstOrLastFold(
  of: { values: Numbers | Codes; isThere: (value: number) => boolean; shown: Shown },
  time: Numbers | null,
  which: 'first' | 'last',
): Fold {
  const [times, values, seen] = [new GroupNumbers(), new GroupNumbers(), new GroupNumbers()]
  return {
    grow(groups) {
      times.grow(groups)
      values.grow(groups)
      seen.grow(groups)
    },
    add(place, keys) {
      const own = of.values(place)
      const when = time?.(place)
      for (let i = 0; i < place.rows; i += 1) {
        const key = keys[i] ?? 0
        const value = own[i] ?? Number.NaN
        const at = when ? (when[i] ?? Number.NaN) : 0
        if (key === 0 || !of.isThere(value) || Number.isNaN(at)) continue
        const isBetter = which === 'first' ? at < times.at(key) : at >= times.at(key)
        if (seen.at(key) !== 0 && !isBetter) continue
        times.values[key] = at
        values.values[key] = value
        seen.values[key] = 1
      }
    },
    value: (group) => (seen.at(group) === 0 ? null : of.shown(values.at(group))),
  }
}
