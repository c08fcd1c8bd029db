import { GroupNumbers, type Fold } from './fold'
import { GatheredValues, type ValueArray } from './gathered-values'
import type { VectorNumber } from '../vector-number'
import type { ChunkPlace, Numbers } from '../vectors'
import { wideIntegers } from './wide-integers'
import { exactBetween, rankOf, realBetween } from '../../query/aggregates/percentile'
import { realFrom, type Amount } from '../../query/aggregates/amount'
import type { QuerySteps } from '../../scheduling/query-scheduler'

/** Values that have an order. */
interface OrderedValues<T> {
  read: (place: ChunkPlace) => ArrayLike<T>
  isThere: (value: T) => boolean
  make: (length: number) => ValueArray<T>
  /** The 16 bits of a value at a level, 0 to 3: values are in the order of the first, then of the second … */
  digit: (value: T, level: number) => number
  /** The value that has these digits. */
  ofDigits: (digits: readonly number[]) => T
  /** What lies between two of them. */
  between: (low: T, high: T, share: number) => Amount
}

const float = new Float64Array(1)
const halves = new Uint32Array(float.buffer)
/** Digits of doubles: their bits are in the order of the numbers once those of numbers below 0 are turned round. */
function digitOfNumber(value: number, level: number): number {
  float[0] = value + 0
  const high = halves[1] ?? 0
  const isBelow = high >>> 31 === 1
  const word = level < 2 ? (isBelow ? ~high : high ^ 0x80000000) : isBelow ? ~(halves[0] ?? 0) : (halves[0] ?? 0)
  return level % 2 === 0 ? word >>> 16 : word & 0xffff
}

function numberOfDigits([a = 0, b = 0, c = 0, d = 0]: readonly number[]): number {
  const [high, low] = [(a << 16) | b, (c << 16) | d]
  const isBelow = high >>> 31 === 0
  halves[1] = isBelow ? ~high : high ^ 0x80000000
  halves[0] = isBelow ? ~low : low
  return float[0] ?? 0
}

const digitOfInteger = (value: bigint, level: number): number =>
  Number(BigInt.asUintN(16, (value + 2n ** 63n) >> BigInt(48 - 16 * level)))

const integerOfDigits = (digits: readonly number[]): bigint =>
  digits.reduce((all, digit) => (all << 16n) + BigInt(digit), 0n) - 2n ** 63n

/** @param percent of the values that lie below it: 50 is the middle. @param valuesMax held at a time */
export function percentileFold(value: VectorNumber, percent: number, valuesMax: number): Fold {
  if (value.parts) return new PercentileFold(widePercentiles(value.parts, value.scale), percent, valuesMax)
  const between = (low: number, high: number, share: number): Amount =>
    value.kind === 'real'
      ? realFrom(realBetween(low + 0, high + 0, share))
      : exactBetween({ n: BigInt(low), scale: value.scale }, { n: BigInt(high), scale: value.scale }, share)
  const numbers: OrderedValues<number> = {
    read: value.numbers,
    isThere: (each) => !Number.isNaN(each),
    make: (length) => new Float64Array(length),
    digit: digitOfNumber,
    ofDigits: numberOfDigits,
    between,
  }
  return new PercentileFold(numbers, percent, valuesMax)
}

/** Of whole numbers that 53 bits do not hold. */
function widePercentiles(parts: readonly Numbers[], scale: number): OrderedValues<bigint> {
  const { read, empty } = wideIntegers(parts)
  return {
    read,
    isThere: (each) => each !== empty,
    make: (length) => new BigInt64Array(length),
    digit: digitOfInteger,
    ofDigits: integerOfDigits,
    between: (low, high, share) => exactBetween({ n: low, scale }, { n: high, scale }, share),
  }
}

/** Gathering a value, in rows of a sum. */
const GATHER_WORK = 6
const DIGITS = 2 ** 16
const LEVELS = 4

/** A value of a group that is looked for digit by digit. */
interface Search {
  /** How many values with the digits known so far lie before it. */
  rank: number
  digits: number[]
  counts: Uint32Array
}
const searchFor = (rank: number): Search => ({ rank, digits: [], counts: new Uint32Array(DIGITS) })

/**
 * A percentile by group. Values are sorted as long as they fit. Past that, they are counted by group first; then as many
 * groups at a time as fit are sorted, and in a group that does not fit by itself the values at the rank are found by their
 * digits, from the highest on (a radix selection), all such groups in the same four passes.
 */
class PercentileFold<T> implements Fold {
  readonly rowWork = GATHER_WORK
  readonly #values: OrderedValues<T>
  readonly #percent: number
  readonly #valuesMax: number
  readonly #counts = new GroupNumbers()
  /** Values of the groups from one on that are gathered in this pass; null when they are too many. */
  #gathered: GatheredValues<T> | null
  #groups: { from: number; to: number } | null = null
  /** The two values about the rank, by group. */
  readonly #searches = new Map<number, [low: Search, high: Search]>()
  #lows: ValueArray<T>
  #highs: ValueArray<T>

  constructor(values: OrderedValues<T>, percent: number, valuesMax: number) {
    this.#values = values
    this.#percent = percent
    this.#valuesMax = valuesMax
    this.#gathered = new GatheredValues(values.make, valuesMax)
    this.#lows = values.make(0)
    this.#highs = values.make(0)
  }

  grow(groups: number): void {
    this.#counts.grow(groups)
  }

  add(place: ChunkPlace, keys: Int32Array): void {
    const { isThere, read } = this.#values
    const values = read(place)
    for (let i = 0; i < place.rows; i += 1) {
      const key = keys[i] ?? 0
      const value = values[i]
      if (key === 0 || value === undefined || !isThere(value)) continue
      if (this.#groups === null) this.#countAndGather(key, value)
      else if (key >= this.#groups.from && key < this.#groups.to && !this.#isLarge(key)) this.#gathered?.add(key, value)
      else this.#search(key, value)
    }
  }
  #countAndGather(key: number, value: T): void {
    this.#counts.values[key] = this.#counts.at(key) + 1
    if (this.#gathered?.add(key, value) === false) this.#gathered = null
  }
  #isLarge(group: number): boolean {
    return this.#counts.at(group) > this.#valuesMax
  }
  #search(key: number, value: T): void {
    const { digit } = this.#values
    for (const { digits, counts } of this.#searches.get(key) ?? []) {
      let level = 0
      while (level < digits.length && digit(value, level) === digits[level]) level += 1
      if (level < digits.length) continue
      const next = digit(value, level)
      counts[next] = (counts[next] ?? 0) + 1
    }
  }

  *again(): QuerySteps<boolean> {
    const size = this.#counts.values.length
    if (this.#groups === null) {
      this.#lows = this.#values.make(size)
      this.#highs = this.#values.make(size)
      this.#groups = { from: 1, to: this.#gathered ? size : 1 }
      if (!this.#gathered) this.#beginSearches()
    } else this.#goOnWithSearches()
    yield* this.#sortGathered()
    this.#groups = this.#nextGroups(this.#groups.to)
    const isDone = this.#groups.from === size && this.#searches.size === 0
    this.#gathered = isDone ? null : new GatheredValues(this.#values.make, this.#valuesMax)
    return !isDone
  }

  /** As many groups as fit. Others that do not fit by themselves lie between them. */
  #nextGroups(first: number): { from: number; to: number } {
    const size = this.#counts.values.length
    let [held, to] = [0, first]
    for (; to < size; to += 1) {
      if (this.#isLarge(to)) continue
      held += this.#counts.at(to)
      if (held > this.#valuesMax) break
    }
    return { from: first, to }
  }

  *#sortGathered(): QuerySteps<void> {
    for (const sorted of this.#gathered?.sorted(this.#counts.values.length) ?? []) {
      if (sorted === null) {
        yield
        continue
      }
      const { group, values } = sorted
      const { below, share } = rankOf(values.length, this.#percent)
      this.#take(group, values[below], values[share === 0 ? below : below + 1])
    }
  }
  #take(group: number, low: T | undefined, high: T | undefined): void {
    if (low === undefined || high === undefined) return
    this.#lows[group] = low
    this.#highs[group] = high
  }

  #beginSearches(): void {
    for (let group = 1; group < this.#counts.values.length; group += 1) {
      if (!this.#isLarge(group)) continue
      const { below, share } = rankOf(this.#counts.at(group), this.#percent)
      this.#searches.set(group, [searchFor(below), searchFor(share === 0 ? below : below + 1)])
    }
  }
  /** The next digit is the one that holds the rank; with the last one, the value is known. */
  #goOnWithSearches(): void {
    for (const [group, both] of this.#searches) {
      for (const search of both) {
        let digit = 0
        for (; digit < DIGITS - 1 && search.rank >= (search.counts[digit] ?? 0); digit += 1)
          search.rank -= search.counts[digit] ?? 0
        search.digits.push(digit)
        search.counts.fill(0)
      }
      const [low, high] = both.map(({ digits }) => digits)
      if (low?.length !== LEVELS || !high) continue
      this.#take(group, this.#values.ofDigits(low), this.#values.ofDigits(high))
      this.#searches.delete(group)
    }
  }

  value(group: number): Amount {
    const count = this.#counts.at(group)
    const [low, high] = [this.#lows[group], this.#highs[group]]
    if (count === 0 || low === undefined || high === undefined) return null
    return this.#values.between(low, high, rankOf(count, this.#percent).share)
  }
}
