import { NeedsRows } from './column-table'
import type { VectorNumber } from './vector-number'
import { NumberIndex } from './number-index'
import type { ChunkPlace, Codes, Numbers } from './vectors'
import { divide, realFrom, type Amount } from '../query/aggregates/amount'
import { pow10, quotient, SAFE_MAX } from '../query/expressions/decimal'
import { compareTexts } from '../query/windows/windows'

/** One aggregate over the rows of each group. Rows with the key 0 count nowhere. */
export interface Fold {
  /** Makes room for groups up to this number, before it is added to. */
  grow(groups: number): void
  add(place: ChunkPlace, keys: Int32Array): void
  value(group: number): Amount
  /** What it is sorted by, where that is not what is shown; null: nothing is there. */
  order?: (group: number) => number | null
  /** A count: nothing there counts as 0. */
  isCount?: true
  /** Whether anything was counted. */
  has?: (group: number) => boolean
}

/** Numbers by group, as many as there are groups. */
class GroupNumbers {
  values = new Float64Array(64)
  readonly #empty: number
  constructor(empty = 0) {
    this.#empty = empty
    this.values.fill(empty)
  }
  grow(groups: number): void {
    if (groups <= this.values.length) return
    const longer = new Float64Array(Math.max(groups, Math.min(this.values.length * 2, 2 ** 21)))
    longer.fill(this.#empty)
    longer.set(this.values)
    this.values = longer
  }
  at(group: number): number {
    return this.values[group] ?? this.#empty
  }
}

const whole = (n: number): Amount => ({ n: BigInt(n), scale: 0 })

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

/** A sum that is whole per group, with how many numbers it is of. */
interface Sum {
  grow: (groups: number) => void
  add: (place: ChunkPlace, keys: Int32Array) => void
  count: (group: number) => number
  /** Null where nothing was added. */
  total: (group: number) => Amount
}

/** @param rows at most so many are added up */
function sumOf(value: VectorNumber, rows: number): Sum {
  if (value.kind === 'real') return realSum(value.numbers)
  if (value.parts) return partedSum(value.parts, { scale: value.scale, rows })
  return value.bound * BigInt(Math.max(rows, 1)) <= SAFE_MAX ? plainSum(value) : wideSum(value)
}

function plainSum({ numbers, scale }: VectorNumber): Sum {
  const [sums, counts] = [new GroupNumbers(), new GroupNumbers()]
  return {
    grow(groups) {
      sums.grow(groups)
      counts.grow(groups)
    },
    add: (place, keys) => addPlain(sums.values, counts.values, keys, { values: numbers(place), rows: place.rows }),
    count: (group) => counts.at(group),
    total: (group) => (counts.at(group) === 0 ? null : { n: BigInt(sums.at(group)), scale }),
  }
}
interface Column {
  values: Float64Array
  rows: number
}
function addPlain(sums: Float64Array, counts: Float64Array, keys: Int32Array, { values, rows }: Column): void {
  for (let i = 0; i < rows; i += 1) {
    const key = keys[i] ?? 0
    const value = values[i] ?? Number.NaN
    if (Number.isNaN(value)) continue
    sums[key] = (sums[key] ?? 0) + value
    counts[key] = (counts[key] ?? 0) + 1
  }
}

const LIMB = 2 ** 26

/** Sums past 2^53: their high and low halves are added up apart, which holds for 2^26 rows. */
function wideSum({ numbers, scale }: VectorNumber): Sum {
  const [highs, lows, counts] = [new GroupNumbers(), new GroupNumbers(), new GroupNumbers()]
  return {
    grow(groups) {
      highs.grow(groups)
      lows.grow(groups)
      counts.grow(groups)
    },
    add(place, keys) {
      const values = numbers(place)
      for (let i = 0; i < place.rows; i += 1) {
        const key = keys[i] ?? 0
        const value = values[i] ?? Number.NaN
        if (Number.isNaN(value)) continue
        const high = Math.floor(value / LIMB)
        highs.values[key] = highs.at(key) + high
        lows.values[key] = lows.at(key) + (value - high * LIMB)
        counts.values[key] = counts.at(key) + 1
      }
    },
    count: (group) => counts.at(group),
    total: (group) =>
      counts.at(group) === 0 ? null : { n: BigInt(highs.at(group)) * BigInt(LIMB) + BigInt(lows.at(group)), scale },
  }
}

const PART_LIMB = 2 ** 31
/** Parts of numbers up to 2^62, of so many rows, add up exactly in two halves. */
const PARTED_MAX = 2 ** 22

function partedSum(parts: readonly Numbers[], { scale, rows }: { scale: number; rows: number }): Sum {
  if (parts.length * rows > PARTED_MAX) throw new NeedsRows()
  const [highs, lows, counts] = [new GroupNumbers(), new GroupNumbers(), new GroupNumbers()]
  return {
    grow(groups) {
      highs.grow(groups)
      lows.grow(groups)
      counts.grow(groups)
    },
    add(place, keys) {
      const all = parts.map((part) => part(place))
      for (let i = 0; i < place.rows; i += 1) {
        const key = keys[i] ?? 0
        let high = 0
        let low = 0
        for (const part of all) {
          const value = part[i] ?? Number.NaN
          const above = Math.floor(value / PART_LIMB)
          high += above
          low += value - above * PART_LIMB
        }
        if (Number.isNaN(low)) continue
        highs.values[key] = highs.at(key) + high
        lows.values[key] = lows.at(key) + low
        counts.values[key] = counts.at(key) + 1
      }
    },
    count: (group) => counts.at(group),
    total: (group) =>
      counts.at(group) === 0
        ? null
        : { n: BigInt(highs.at(group)) * BigInt(PART_LIMB) + BigInt(lows.at(group)), scale },
  }
}

/** Floating point, with what each addition loses kept beside (A. Neumaier, 1974). */
function realSum(numbers: Numbers): Sum {
  const [sums, lost, counts] = [new GroupNumbers(), new GroupNumbers(), new GroupNumbers()]
  return {
    grow(groups) {
      sums.grow(groups)
      lost.grow(groups)
      counts.grow(groups)
    },
    add(place, keys) {
      const values = numbers(place)
      for (let i = 0; i < place.rows; i += 1) {
        const key = keys[i] ?? 0
        const value = values[i] ?? Number.NaN
        if (Number.isNaN(value)) continue
        const before = sums.at(key)
        const after = before + value
        const rest = Math.abs(before) >= Math.abs(value) ? before - after + value : value - after + before
        sums.values[key] = after
        lost.values[key] = lost.at(key) + rest
        counts.values[key] = counts.at(key) + 1
      }
    },
    count: (group) => counts.at(group),
    total(group) {
      if (counts.at(group) === 0) return null
      const sum = sums.at(group)
      const rest = lost.at(group)
      return realFrom(Number.isFinite(rest) ? sum + rest : sum)
    },
  }
}

export function sumFold(value: VectorNumber, rows: number): Fold {
  const sum = sumOf(value, rows)
  return { grow: sum.grow, add: sum.add, value: sum.total }
}

export function averageFold(value: VectorNumber, rows: number): Fold {
  const sum = sumOf(value, rows)
  return {
    grow: sum.grow,
    add: sum.add,
    value(group) {
      const count = sum.count(group)
      const total = sum.total(group)
      if (count === 0 || total === null) return null
      if (typeof total === 'object') return quotient(total.n, BigInt(count) * pow10(total.scale))
      return divide(total, whole(count))
    },
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
function least(found: Float64Array, seen: Float64Array, keys: Int32Array, { values, rows }: Column): void {
  for (let i = 0; i < rows; i += 1) {
    const key = keys[i] ?? 0
    const value = values[i] ?? Number.NaN
    if (Number.isNaN(value)) continue
    seen[key] = 1
    if (value < (found[key] ?? Infinity)) found[key] = value
  }
}
function most(found: Float64Array, seen: Float64Array, keys: Int32Array, { values, rows }: Column): void {
  for (let i = 0; i < rows; i += 1) {
    const key = keys[i] ?? 0
    const value = values[i] ?? Number.NaN
    if (Number.isNaN(value)) continue
    seen[key] = 1
    if (value > (found[key] ?? -Infinity)) found[key] = value
  }
}

/** The first or last text by its order: codes stand in the order in which they came. */
export function edgeOfTexts(codes: Codes, words: readonly string[], which: 'min' | 'max'): Fold {
  const sorted = words.map((word, at) => ({ word, code: at + 1 })).sort((a, b) => compareTexts(a.word, b.word))
  const ranks = new Float64Array(words.length + 1).fill(Number.NaN)
  for (const [rank, { code }] of sorted.entries()) ranks[code] = rank
  const buffer = new Float64Array(65_536)
  const rankOf: Numbers = (place) => {
    const own = codes(place)
    for (let i = 0; i < place.rows; i += 1) buffer[i] = ranks[own[i] ?? 0] ?? Number.NaN
    return buffer
  }
  return edgeOfNumbers(rankOf, which, (rank) => sorted[rank]?.word ?? null)
}

/** How many different values. */
export function distinctFold(of: { numbers: Numbers } | { codes: Codes; words: number }): Fold {
  return 'codes' in of ? distinctCodes(of) : distinctNumbers(of)
}
const PAIRS_MAX = 2 ** 20
const SPREAD = 2 ** 26
/** Pairs of a group and a code that have a place in a table. */
const MARKS_MAX = 2 ** 23

function distinctCodes({ codes, words }: { codes: Codes; words: number }): Fold {
  const counts = new GroupNumbers()
  let marks: Uint8Array | null = new Uint8Array(0)
  const pairs = new NumberIndex()
  /** Too many groups for a table: what it holds goes over. */
  const leaveTable = (): void => {
    for (const [at, mark] of marks?.entries() ?? [])
      if (mark === 1) pairs.placeOf(Math.floor(at / words) * SPREAD + (at % words))
    marks = null
  }
  return {
    isCount: true,
    grow(groups) {
      counts.grow(groups)
      if (!marks || groups * words <= marks.length) return
      if (groups * words > MARKS_MAX) return leaveTable()
      const longer = new Uint8Array(groups * words)
      longer.set(marks)
      marks = longer
    },
    add(place, keys) {
      if (marks) markDistinct(counts.values, keys, { codes: codes(place), marks, words }, place.rows)
      else pairUp(counts.values, keys, { codes: codes(place), pairs }, place.rows)
    },
    value: (group) => whole(counts.at(group)),
  }
}
function markDistinct(
  counts: Float64Array,
  keys: Int32Array,
  { codes, marks, words }: { codes: Int32Array; marks: Uint8Array; words: number },
  rows: number,
): void {
  for (let i = 0; i < rows; i += 1) {
    const key = keys[i] ?? 0
    const code = codes[i] ?? 0
    const at = key * words + code
    if (key === 0 || code === 0 || marks[at] !== 0) continue
    marks[at] = 1
    counts[key] = (counts[key] ?? 0) + 1
  }
}
function pairUp(
  counts: Float64Array,
  keys: Int32Array,
  { codes, pairs }: { codes: Int32Array; pairs: NumberIndex },
  rows: number,
): void {
  if (pairs.size > PAIRS_MAX) throw new NeedsRows()
  for (let i = 0; i < rows; i += 1) {
    const key = keys[i] ?? 0
    const code = codes[i] ?? 0
    if (key === 0 || code === 0) continue
    const before = pairs.size
    if (pairs.placeOf(key * SPREAD + code) === before) counts[key] = (counts[key] ?? 0) + 1
  }
}

function distinctNumbers({ numbers }: { numbers: Numbers }): Fold {
  const values = new NumberIndex()
  const pairs = new NumberIndex()
  const counts = new GroupNumbers()
  const places = new Int32Array(65_536)
  return {
    isCount: true,
    grow: (groups) => counts.grow(groups),
    add(place, keys) {
      if (values.size > PAIRS_MAX) throw new NeedsRows()
      const own = numbers(place)
      for (let i = 0; i < place.rows; i += 1) {
        const value = own[i] ?? Number.NaN
        places[i] = keys[i] === 0 || Number.isNaN(value) ? 0 : values.placeOf(value) + 1
      }
      pairUp(counts.values, keys, { codes: places, pairs }, place.rows)
    },
    value: (group) => whole(counts.at(group)),
  }
}

/** Values that a median sorts, at most: they are held all together. */
const SORTED_MAX = 2 ** 21

export function medianFold(value: VectorNumber): Fold {
  const found = new Map<number, number[]>()
  let held = 0
  const middleOf = new Map<number, [number, number]>()
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
      const middle = middleOf.get(group) ?? middlesOf(values)
      middleOf.set(group, middle)
      const [low, high] = middle
      if (value.kind === 'real') return realFrom((low + high) / 2)
      return { n: (BigInt(low) + BigInt(high)) * 5n, scale: value.scale + 1 }
    },
  }
}
function middlesOf(values: readonly number[]): [number, number] {
  const sorted = Float64Array.from(values).sort()
  const at = (index: number): number => sorted[index] ?? Number.NaN
  return [at((sorted.length - 1) >> 1), at(sorted.length >> 1)]
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
