import type { TextVectors } from '../column-vectors'
import { GroupNumbers, isSparse, whole, type Fold, type FoldedNumbers } from './fold'
import type { KeptValues } from './kept-values'
import { textRanks } from '../texts/text-ranks'
import type { ChunkPlace, Codes, Numbers } from '../vectors'
import type { Amount } from '../../query/aggregates/amount'

/** How many rows; of numbers or texts, how many are there. */
export function countFold(of: { numbers: Numbers } | { codes: Codes } | null): Fold {
  const counts = new GroupNumbers()
  return {
    isCount: true,
    grow: (groups) => counts.grow(groups),
    add:
      of === null
        ? countRows(counts)
        : 'numbers' in of
          ? countNumbers(counts, of.numbers)
          : countCodes(counts, of.codes),
    value: (group) => whole(counts.at(group)),
    order: (group) => counts.at(group),
    has: (group) => counts.at(group) > 0,
  }
}
const countRows =
  (of: GroupNumbers): Fold['add'] =>
  ({ rows }, keys) => {
    const count = isSparse(keys, rows) ? countFew : countAll
    count(of.values, keys, rows)
  }
function countAll(counts: Float64Array, keys: Int32Array, rows: number): void {
  for (let i = 0; i < rows; i += 1) {
    const key = keys[i] ?? 0
    counts[key] = (counts[key] ?? 0) + 1
  }
}
function countFew(counts: Float64Array, keys: Int32Array, rows: number): void {
  for (let i = 0; i < rows; i += 1) {
    const key = keys[i] ?? 0
    if (key !== 0) counts[key] = (counts[key] ?? 0) + 1
  }
}
const countNumbers =
  (of: GroupNumbers, numbers: Numbers): Fold['add'] =>
  (place, keys) => {
    const [counts, values] = [of.values, numbers(place)]
    for (let i = 0; i < place.rows; i += 1) {
      const key = keys[i] ?? 0
      if (!Number.isNaN(values[i] ?? Number.NaN)) counts[key] = (counts[key] ?? 0) + 1
    }
  }
const countCodes =
  (of: GroupNumbers, codes: Codes): Fold['add'] =>
  (place, keys) => {
    const [counts, own] = [of.values, codes(place)]
    for (let i = 0; i < place.rows; i += 1) {
      const key = keys[i] ?? 0
      if ((own[i] ?? 0) !== 0) counts[key] = (counts[key] ?? 0) + 1
    }
  }

/** What a stored number of an operand is shown as. */
export type ToAmount = (value: number) => Amount

export function edgeOfNumbers(numbers: Numbers, which: 'min' | 'max', shown: ToAmount): Fold {
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

/** Values of a chunk's rows; null is an empty cell. */
export type ValuesAt<T> = (place: ChunkPlace) => (row: number) => T | null

/** The first or last of any values that have an order. */
export function edgeOfValues<T>(
  of: { valuesAt: ValuesAt<T>; compare: (a: T, b: T) => number; shown: (value: T) => Amount },
  which: 'min' | 'max',
  kept: KeptValues<T>,
): Fold {
  const sign = which === 'min' ? 1 : -1
  return {
    grow: (groups) => kept.grow(groups),
    add(place, keys) {
      const valueAt = of.valuesAt(place)
      for (let row = 0; row < place.rows; row += 1) {
        const key = keys[row] ?? 0
        const value = key === 0 ? null : valueAt(row)
        if (value === null) continue
        const known = kept.at(key)
        if (known === undefined || of.compare(value, known) * sign < 0) kept.put(key, value)
      }
    },
    value: (group) => shownOrNull(kept, group, of.shown),
  }
}
function shownOrNull<T>(kept: KeptValues<T>, group: number, shown: (value: T) => Amount): Amount {
  const value = kept.at(group)
  return value === undefined ? null : shown(value)
}

/** The first or last value in time; rows without a value or without a time do not count, ties go by load order. */
export function firstOrLastFold<T>(
  of: { valuesAt: ValuesAt<T>; shown: (value: T) => Amount; time: Numbers | null },
  which: 'first' | 'last',
  kept: KeptValues<T>,
): Fold {
  const times = new GroupNumbers()
  return {
    grow(groups) {
      times.grow(groups)
      kept.grow(groups)
    },
    add(place, keys) {
      const valueAt = of.valuesAt(place)
      const when = of.time?.(place)
      for (let row = 0; row < place.rows; row += 1) {
        const key = keys[row] ?? 0
        const at = when ? (when[row] ?? Number.NaN) : 0
        if (key === 0 || Number.isNaN(at)) continue
        const isBetter = which === 'first' ? at < times.at(key) : at >= times.at(key)
        if (!isBetter && kept.at(key) !== undefined) continue
        const value = valueAt(row)
        if (value === null) continue
        times.values[key] = at
        kept.put(key, value)
      }
    },
    value: (group) => shownOrNull(kept, group, of.shown),
  }
}
