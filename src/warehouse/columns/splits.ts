import type { ColumnVectors, GroupedVectors } from './column-vectors'
import { NeedsRows } from './column-table'
import { storedNumber } from './number-expressions'
import { NumberIndex } from './number-index'
import { hoursOf } from './time-vectors'
import { numbersOf, type ChunkPlace, type Numbers } from './vectors'
import type { BinSize } from '../query/aggregates/bins'
import { lastBucketOf, shiftOf, type BucketShift } from '../query/time/buckets'
import type { AbsolutePeriod } from '../query/time/resolve-period'
import { addMonths, DAY_MS, startOfUnit, type Calendar } from '../../shared/dates'
import { hourOfDay, partOfDay } from '../query/time/date-parts'
import type { DatePart, Grain } from '../../shared/query/plan'

/** 0: the period itself; 1: what it is compared with. */
export type Arm = 0 | 1
export type KeyValue = string | number | null

/** What rows are told apart by: each different value has a number from 0 on, its ordinal. */
export interface Split {
  /** Ordinals of a chunk's rows; −1: a day of the comparison without a counterpart. */
  fill(place: ChunkPlace, arm: Arm, to: Int32Array): void
  /** How many ordinals there are; null while nobody knows. */
  size: number | null
  /** How many there are so far. */
  known(): number
  valueOf(ordinal: number): KeyValue
  /** Whether it stands for all values outside a top-N. */
  isOther(ordinal: number): boolean
}
const NO_OTHER = (): boolean => false

export function textSplit(column: ColumnVectors): Split {
  const texts = column.texts()
  const [codes, size] = [texts.codes(), texts.count() + 1]
  return {
    size,
    known: () => size,
    fill: (place, _arm, to) => to.set(codes(place)),
    valueOf: (ordinal) => texts.wordAt(ordinal),
    isOther: NO_OTHER,
  }
}

/** A column seen through a grouping; what belongs to no group is an ordinal of its own. */
export function groupedSplit({ codes, values }: GroupedVectors): Split {
  return {
    size: null,
    known: () => values.length,
    fill: (place, _arm, to) => to.set(codes(place)),
    valueOf: (ordinal) => values[ordinal] ?? null,
    isOther: NO_OTHER,
  }
}

/** Values in a span this wide have their ordinals in a table. */
const TABLE_MAX = 2 ** 20

/** Whole numbers within bounds, each its own value. */
function tableSplit(numbers: Numbers, least: number, most: number): Split {
  return {
    size: most - least + 2,
    known: () => most - least + 2,
    fill: (place, _arm, to) => fillShifted(to, numbers(place), least, place.rows),
    valueOf: (ordinal) => (ordinal === 0 ? null : least + ordinal - 1),
    isOther: NO_OTHER,
  }
}
function fillShifted(to: Int32Array, values: Float64Array, least: number, rows: number): void {
  for (let i = 0; i < rows; i += 1) {
    const value = values[i] ?? Number.NaN
    to[i] = Number.isNaN(value) ? 0 : value - least + 1
  }
}

/** Numbers that may be any, told apart as they come. */
export function indexedSplit(numbers: Numbers): Split {
  const index = new NumberIndex()
  return {
    size: null,
    known: () => index.size + 1,
    fill(place, _arm, to) {
      const values = numbers(place)
      for (let i = 0; i < place.rows; i += 1) {
        const value = values[i] ?? Number.NaN
        to[i] = Number.isNaN(value) ? 0 : index.placeOf(value) + 1
      }
    },
    valueOf: (ordinal) => (ordinal === 0 ? null : index.valueAt(ordinal - 1)),
    isOther: NO_OTHER,
  }
}

/** Steps of a number. */
export function binSplit(column: ColumnVectors, { width, exact }: BinSize): Split {
  const stored = storedNumber(column)
  const isExact = stored.kind === 'exact' && exact !== null
  const scale = stored.kind === 'exact' ? stored.scale : 0
  if (isExact && stored.bound * exact.factor > BigInt(Number.MAX_SAFE_INTEGER)) throw new NeedsRows()
  const [times, by] = isExact ? [Number(exact.factor), Number(exact.width)] : [1, width]
  const unit = isExact ? 1 : 10 ** scale
  return indexedSplit(numbersOf((place, to) => fillBins(to, stored.numbers(place), { times, unit, by }, place.rows)))
}
function fillBins(
  to: Float64Array,
  values: Float64Array,
  { times, unit, by }: { times: number; unit: number; by: number },
  rows: number,
): void {
  // Plus 0: the bin that begins at 0 is one, not two.
  for (let i = 0; i < rows; i += 1) to[i] = Math.floor(((values[i] ?? Number.NaN) * times) / unit / by) + 0
}

export function numberSplit(column: ColumnVectors): Split {
  const { type, key } = column.column
  if (type === 'boolean') return tableSplit(column.numbers(), 0, 1)
  const { min, max } = column.dataset.bounds[key] ?? { min: -Infinity, max: Infinity }
  const [least, most] = [min ?? 0, max ?? 0]
  const isWhole = type !== 'number' || column.column.scale !== undefined
  const fits = isWhole && Number.isSafeInteger(least) && Number.isSafeInteger(most) && most - least < TABLE_MAX / 16
  return fits ? tableSplit(column.numbers(), least, most) : indexedSplit(column.numbers())
}

/** A split by units of time, those of the comparison laid over those of the period. */
export interface TimeSplit {
  column: ColumnVectors
  grain: Grain
  calendar: Calendar
  /** Absent: nothing is laid over anything. */
  period: AbsolutePeriod | null
}

export function timeSplit({ column, grain, calendar, period }: TimeSplit): Split {
  const units = grain === 'hour' ? hoursOf(column.wall()) : column.days()
  const bucketOf = (unit: number): number => (grain === 'hour' ? unit : startOfUnit(unit, grain, calendar))
  const laid = period?.range && period.compare ? overlay({ grain, calendar, period }) : null
  const ordinals = new Map<number, number>()
  const buckets: number[] = []
  const ordinalOf = (unit: number, arm: Arm): number => {
    const bucket = arm === 1 && laid ? laid(bucketOf(unit)) : bucketOf(unit)
    if (bucket === null) return -1
    const known = ordinals.get(bucket)
    if (known !== undefined) return known
    const made = buckets.push(bucket)
    ordinals.set(bucket, made)
    return made
  }
  return unitSplit({ units, span: spanOf(column, grain === 'hour'), isLaid: laid !== null, ordinalOf }, buckets)
}

/** A split by a part of dates: rows of all years fall into the same few. */
export function partSplit(column: ColumnVectors, part: DatePart, calendar: Calendar): Split {
  const isHour = part === 'hourOfDay'
  const parts: number[] = []
  const ordinals = new Map<number, number>()
  const ordinalOf = (unit: number): number => {
    const own = isHour ? hourOfDay(unit) : partOfDay(unit, part, calendar)
    const ordinal = ordinals.get(own) ?? parts.push(own)
    ordinals.set(own, ordinal)
    return ordinal
  }
  const units = isHour ? hoursOf(column.wall()) : column.days()
  return unitSplit({ units, span: spanOf(column, isHour), isLaid: false, ordinalOf }, parts)
}

interface UnitSplit {
  /** Days or hours. */
  units: Numbers
  span: { least: number; most: number } | null
  /** Whether those of the comparison have ordinals of their own. */
  isLaid: boolean
  ordinalOf: (unit: number, arm: Arm) => number
}
/** @param values what each ordinal from 1 on stands for, as far as it was met */
function unitSplit({ units, span, isLaid, ordinalOf }: UnitSplit, values: readonly number[]): Split {
  const valueOf = (ordinal: number): KeyValue => values[ordinal - 1] ?? null
  const known = (): number => values.length + 1
  if (!span) return { ...sparseTimeSplit(units, ordinalOf), valueOf, known }
  const table = (arm: Arm): Int32Array =>
    Int32Array.from({ length: span.most - span.least + 1 }, (_, i) => ordinalOf(span.least + i, arm))
  const tables = [table(0), isLaid ? table(1) : null] as const
  return {
    size: values.length + 1,
    known,
    fill: (place, arm, to) => {
      const own = arm === 1 ? (tables[1] ?? tables[0]) : tables[0]
      fillFromTable(to, units(place), { table: own, least: span.least }, place.rows)
    },
    valueOf,
    isOther: NO_OTHER,
  }
}

function fillFromTable(
  to: Int32Array,
  values: Float64Array,
  { table, least }: { table: Int32Array; least: number },
  rows: number,
): void {
  for (let i = 0; i < rows; i += 1) {
    const value = values[i] ?? Number.NaN
    to[i] = Number.isNaN(value) ? 0 : (table[value - least] ?? 0)
  }
}

function sparseTimeSplit(
  units: Numbers,
  ordinalOf: (unit: number, arm: Arm) => number,
): Pick<Split, 'size' | 'fill' | 'isOther'> {
  const known: [Map<number, number>, Map<number, number>] = [new Map(), new Map()]
  return {
    size: null,
    fill(place, arm, to) {
      const values = units(place)
      for (let i = 0; i < place.rows; i += 1) {
        const unit = values[i] ?? Number.NaN
        let ordinal = Number.isNaN(unit) ? 0 : known[arm].get(unit)
        if (ordinal === undefined) {
          ordinal = ordinalOf(unit, arm)
          known[arm].set(unit, ordinal)
        }
        to[i] = ordinal
      }
    },
    isOther: NO_OTHER,
  }
}

/** Days (or hours) that a column's values can be of; null when they are too many to be put in a table. */
function spanOf({ column, dataset }: ColumnVectors, isHour: boolean): { least: number; most: number } | null {
  const { min, max } = dataset.bounds[column.key] ?? { min: -Infinity, max: Infinity }
  if (min === null || max === null) return { least: 0, most: 0 }
  const unit = column.type === 'date' ? 1 : isHour ? DAY_MS / 24 : DAY_MS
  // Zones lie up to 15 hours off.
  const margin = column.type === 'date' ? 0 : isHour ? 48 : 2
  const [least, most] = [Math.floor(min / unit) - margin, Math.floor(max / unit) + margin]
  return most - least < TABLE_MAX / 4 ? { least, most } : null
}

/** A bucket of the comparison as the bucket it is laid over; null when that lies past the period's end. */
function overlay({ grain, calendar, period }: Omit<TimeSplit, 'column'>): (bucket: number) => number | null {
  const [range, compare] = [period?.range, period?.compare]
  if (!range || !compare) return (bucket) => bucket
  const shift = shiftOf(grain, { from: range.from, compareFrom: compare.from, yearly: compare.yearly }, calendar)
  const last = lastBucketOf(range.to, grain, calendar)
  return (bucket) => {
    const moved = shifted(bucket, grain, shift)
    return moved > last ? null : moved
  }
}
function shifted(bucket: number, grain: Grain, shift: BucketShift): number {
  if (grain === 'hour') {
    const day = Math.floor(bucket / 24)
    return shifted(day, 'day', shift) * 24 + (bucket - day * 24)
  }
  if (shift.kind === 'days') return bucket + shift.days
  return addMonths(bucket, shift.kind === 'year' ? 12 : shift.months)
}

/** The same split with all values but some folded into *Other*, ordinal 0. */
export function topSplit(split: Split, kept: readonly number[]): Split {
  const places = new Int32Array(Math.max(0, ...kept) + 1)
  for (const [at, ordinal] of kept.entries()) places[ordinal] = at + 1
  return {
    size: kept.length + 1,
    known: () => kept.length + 1,
    fill(place, arm, to) {
      split.fill(place, arm, to)
      foldOthers(to, places, place.rows)
    },
    valueOf: (ordinal) => (ordinal === 0 ? null : split.valueOf(kept[ordinal - 1] ?? 0)),
    isOther: (ordinal) => ordinal === 0,
  }
}
function foldOthers(to: Int32Array, places: Int32Array, rows: number): void {
  for (let i = 0; i < rows; i += 1) {
    const ordinal = to[i] ?? 0
    to[i] = ordinal < 0 ? -1 : (places[ordinal] ?? 0)
  }
}
