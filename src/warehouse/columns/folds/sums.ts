import { GroupNumbers, isSparse, whole, type Fold, type FoldedNumbers } from './fold'
import type { VectorNumber } from '../vector-number'
import type { ChunkPlace, Numbers } from '../vectors'
import { divide, realFrom, type Amount } from '../../query/aggregates/amount'
import { pow10, quotient, SAFE_MAX } from '../../query/expressions/decimal'

/** A sum that is whole per group, with how many numbers it is of. */
export interface CountedSum {
  grow: (groups: number) => void
  add: (place: ChunkPlace, keys: Int32Array) => void
  count: (group: number) => number
  /** Null where nothing was added. */
  total: (group: number) => Amount
  order?: (group: number) => number | null
}

/** @param rows at most so many are added up */
export function countedSum(value: VectorNumber, rows: number): CountedSum {
  if (value.kind === 'real') return realSum(value.numbers)
  if (value.parts) return partedSum(value.parts, value.scale)
  return value.bound * BigInt(Math.max(rows, 1)) <= SAFE_MAX ? plainSum(value) : wideSum(value)
}

function plainSum({ numbers, scale }: VectorNumber): CountedSum {
  const [sums, counts] = [new GroupNumbers(), new GroupNumbers()]
  return {
    grow(groups) {
      sums.grow(groups)
      counts.grow(groups)
    },
    add(place, keys) {
      const [values, { rows }] = [numbers(place), place]
      const add = isSparse(keys, rows) ? addFew : addAll
      add({ sums, counts }, keys, { values, rows })
    },
    count: (group) => counts.at(group),
    total: (group) => (counts.at(group) === 0 ? null : { n: BigInt(sums.at(group)), scale }),
    order: (group) => (counts.at(group) === 0 ? null : sums.at(group)),
  }
}
function addAll(
  to: { sums: GroupNumbers; counts: GroupNumbers },
  keys: Int32Array,
  { values, rows }: FoldedNumbers,
): void {
  const [sums, counts] = [to.sums.values, to.counts.values]
  for (let i = 0; i < rows; i += 1) {
    const key = keys[i] ?? 0
    const value = values[i] ?? Number.NaN
    if (Number.isNaN(value)) continue
    sums[key] = (sums[key] ?? 0) + value
    counts[key] = (counts[key] ?? 0) + 1
  }
}

function addFew(
  to: { sums: GroupNumbers; counts: GroupNumbers },
  keys: Int32Array,
  { values, rows }: FoldedNumbers,
): void {
  const [sums, counts] = [to.sums.values, to.counts.values]
  for (let i = 0; i < rows; i += 1) {
    const key = keys[i] ?? 0
    const value = values[i] ?? Number.NaN
    if (key === 0 || Number.isNaN(value)) continue
    sums[key] = (sums[key] ?? 0) + value
    counts[key] = (counts[key] ?? 0) + 1
  }
}

const LIMB = 2 ** 26

/**
 * Sums past 2^53, of numbers that 53 bits hold. A group's numbers are added up as they are for as long as 53 bits hold what they
 * come to; then the halves of both are added up apart, of which the high ones hold for 2^26 rows.
 */
function wideSum({ numbers, scale }: VectorNumber): CountedSum {
  const [highs, lows, counts] = [new GroupNumbers(), new GroupNumbers(), new GroupNumbers()]
  return {
    grow(groups) {
      highs.grow(groups)
      lows.grow(groups)
      counts.grow(groups)
    },
    add(place, keys) {
      const [values, { rows }] = [numbers(place), place]
      addWide({ highs, lows, counts }, keys, { values, rows, skipsOthers: isSparse(keys, rows) })
    },
    count: (group) => counts.at(group),
    total: (group) =>
      counts.at(group) === 0 ? null : { n: BigInt(highs.at(group)) * BigInt(LIMB) + BigInt(lows.at(group)), scale },
    // Rounded once: a larger sum is never less.
    order: (group) => (counts.at(group) === 0 ? null : highs.at(group) * LIMB + lows.at(group)),
  }
}

interface WideSums {
  highs: GroupNumbers
  lows: GroupNumbers
  counts: GroupNumbers
}
function addWide(
  to: WideSums,
  keys: Int32Array,
  { values, rows, skipsOthers }: FoldedNumbers & { skipsOthers: boolean },
): void {
  const [highs, lows, counts] = [to.highs.values, to.lows.values, to.counts.values]
  for (let i = 0; i < rows; i += 1) {
    const key = keys[i] ?? 0
    const value = values[i] ?? Number.NaN
    if (Number.isNaN(value) || (skipsOthers && key === 0)) continue
    const low = lows[key] ?? 0
    const sum = low + value
    counts[key] = (counts[key] ?? 0) + 1
    if (sum <= Number.MAX_SAFE_INTEGER && sum >= Number.MIN_SAFE_INTEGER) {
      lows[key] = sum
      continue
    }
    const [above, high] = [Math.floor(low / LIMB), Math.floor(value / LIMB)]
    highs[key] = (highs[key] ?? 0) + above + high
    lows[key] = low - above * LIMB + (value - high * LIMB)
  }
}

/** Leaves what is less than a limb, and puts the rest on top of what is above. */
function putOnTop(low: GroupNumbers, high: GroupNumbers, limb: number): void {
  const [lows, highs] = [low.values, high.values]
  for (let group = 0; group < lows.length; group += 1) {
    const above = Math.floor((lows[group] ?? 0) / limb)
    lows[group] = (lows[group] ?? 0) - above * limb
    highs[group] = (highs[group] ?? 0) + above
  }
}

const PART_LIMB = 2 ** 31
/** So many parts of numbers up to 2^62 add up in two halves; what these come to is then put on top of them. */
const CARRY_AFTER = 2 ** 21

function partedSum(parts: readonly Numbers[], scale: number): CountedSum {
  const [tops, highs, lows, counts] = [new GroupNumbers(), new GroupNumbers(), new GroupNumbers(), new GroupNumbers()]
  let added = 0
  const carry = (): void => {
    putOnTop(lows, highs, PART_LIMB)
    putOnTop(highs, tops, PART_LIMB)
    added = 0
  }
  return {
    grow(groups) {
      tops.grow(groups)
      highs.grow(groups)
      lows.grow(groups)
      counts.grow(groups)
    },
    add(place, keys) {
      const all = parts.map((part) => part(place))
      added += parts.length * place.rows
      if (added > CARRY_AFTER) carry()
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
        : {
            n:
              (BigInt(tops.at(group)) * BigInt(PART_LIMB) + BigInt(highs.at(group))) * BigInt(PART_LIMB) +
              BigInt(lows.at(group)),
            scale,
          },
  }
}

/** Floating point, with what each addition loses kept beside (A. Neumaier, 1974). */
function realSum(numbers: Numbers): CountedSum {
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
  const sum = countedSum(value, rows)
  const { order } = sum
  const has = (group: number): boolean => sum.count(group) > 0
  return { grow: sum.grow, add: sum.add, value: sum.total, has, ...(order ? { order } : {}) }
}

export function averageFold(value: VectorNumber, rows: number): Fold {
  const sum = countedSum(value, rows)
  return {
    grow: sum.grow,
    add: sum.add,
    has: (group) => sum.count(group) > 0,
    value(group) {
      const count = sum.count(group)
      const total = sum.total(group)
      if (count === 0 || total === null) return null
      if (typeof total === 'object') return quotient(total.n, BigInt(count) * pow10(total.scale))
      return divide(total, whole(count))
    },
  }
}
