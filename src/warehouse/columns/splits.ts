import type { ColumnVectors, GroupedVectors, TextCells } from './column-vectors'
import { ExceedsBounds } from './memory'
import type { MemoryBounds } from './memory'
import { storedNumber } from './number-expressions'
import { NumberIndex } from './number-index'
import { hashText } from './texts/text-hash'
import { TextIndex } from './texts/text-index'
import { hoursOf } from './time-vectors'
import { numbersOf, type ChunkPlace, type Numbers } from './vectors'
import type { BinSize } from '../query/aggregates/bins'
import { lastBucketOf, shiftOf, type BucketShift } from '../query/time/buckets'
import type { AbsolutePeriod } from '../query/time/resolve-period'
import { addMonths, DAY_MS, startOfUnit, type Calendar } from '../../shared/dates'
import { hourOfDay, partOfDay } from '../query/time/date-parts'
import type { DatePart, Grain } from '../../shared/query/date-range'

/** 0: the period itself; 1: what it is compared with. */
export type ComparisonSide = 0 | 1
export type KeyValue = string | number | null

/** What rows are told apart by: each different value has a number from 0 on, its ordinal. */
export interface Split {
  /**
   * Ordinals of a chunk's rows; −1: a day of the comparison without a counterpart.
   * @param passes absent: every row. Values of others are not numbered; their rows have any ordinal.
   */
  fill(place: ChunkPlace, side: ComparisonSide, to: Int32Array, passes?: Uint8Array): void
  /** How many ordinals there are; null while nobody knows. */
  size: number | null
  /** How many there are so far. */
  known(): number
  valueOf(ordinal: number): KeyValue
  /** Whether it stands for all values outside a top-N. */
  isOther(ordinal: number): boolean
  /** Where values are numbered as they are met: what can be told of them without. Absent: they are numbered beforehand. */
  unnumbered?: UnnumberedValues
}
/** What ordinals stand for. */
export type SplitValues = Pick<Split, 'valueOf' | 'isOther'>
interface UnnumberedValues {
  /** A number for the value of each row, equal for equal values; NaN of an empty cell. {@link numberOfKey} */
  numbers: (place: ChunkPlace, side: ComparisonSide) => Float64Array
  /** The same split with all values but these folded into *Other*, ordinal 0. */
  topSplit: (kept: readonly KeyValue[]) => Split
}

/** What stands for a value in {@link UnnumberedValues}: the same for two texts once in 10¹⁵ pairs. */
export const numberOfKey = (value: KeyValue): number =>
  value === null ? Number.NaN : typeof value === 'number' ? value + 0 : hashText(value, 0)

/** What stands for a day of the comparison without a counterpart. */
const NO_COUNTERPART = Infinity
const NO_OTHER = (): boolean => false

export function textSplit(column: ColumnVectors, memory: MemoryBounds): Split {
  const texts = column.texts()
  const cells = texts.cells()
  if (cells) return longTextSplit(cells, memory)
  const [codes, size] = [texts.codes(), texts.count() + 1]
  return {
    size,
    known: () => size,
    fill: (place, _arm, to) => to.set(codes(place).subarray(0, place.rows)),
    valueOf: (ordinal) => texts.wordAt(ordinal),
    isOther: NO_OTHER,
  }
}

/** Texts without a dictionary are numbered as they are met. */
function longTextSplit(cells: TextCells, memory: MemoryBounds): Split {
  const index = new TextIndex(memory)
  const numbers = numbersOf((place, to) => {
    const reader = cells(place)
    for (let row = 0; row < place.rows; row += 1) to[row] = numberOfKey(reader.text(row))
  })
  return {
    size: null,
    known: () => index.size + 1,
    fill(place, _arm, to, passes) {
      const reader = cells(place)
      for (let row = 0; row < place.rows; row += 1) if (passes?.[row] !== 0) to[row] = reader.codeIn(index, row)
    },
    valueOf: (ordinal) => index.textAt(ordinal),
    isOther: NO_OTHER,
    unnumbered: {
      numbers,
      topSplit(kept) {
        const places = new Map(kept.map((value, at) => [value, at + 1]))
        return keptSplit(kept, (place, _arm, to) => {
          const reader = cells(place)
          for (let row = 0; row < place.rows; row += 1) to[row] = places.get(reader.peek(row)) ?? 0
        })
      },
    },
  }
}

/** Values that are kept in a top-N, from ordinal 1 on. */
const keptSplit = (kept: readonly KeyValue[], fill: Split['fill']): Split => ({
  fill,
  size: kept.length + 1,
  known: () => kept.length + 1,
  valueOf: (ordinal) => kept[ordinal - 1] ?? null,
  isOther: (ordinal) => ordinal === 0,
})

/** A column seen through a grouping; what belongs to no group is an ordinal of its own. */
export function groupedSplit({ codes, values }: GroupedVectors): Split {
  return {
    size: null,
    known: () => values.length,
    fill: (place, _arm, to) => to.set(codes(place).subarray(0, place.rows)),
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
    fill(place, _arm, to) {
      const values = numbers(place)
      for (let i = 0; i < place.rows; i += 1) {
        const value = values[i] ?? Number.NaN
        to[i] = Number.isNaN(value) ? 0 : value - least + 1
      }
    },
    valueOf: (ordinal) => (ordinal === 0 ? null : least + ordinal - 1),
    isOther: NO_OTHER,
  }
}

/** Numbers that may be any, told apart as they come. */
export function indexedSplit(numbers: Numbers): Split {
  const index = new NumberIndex()
  return {
    size: null,
    known: () => index.size + 1,
    fill(place, _arm, to, passes) {
      const values = numbers(place)
      for (let i = 0; i < place.rows; i += 1) {
        const value = values[i] ?? Number.NaN
        if (passes?.[i] !== 0) to[i] = Number.isNaN(value) ? 0 : index.placeOf(value) + 1
      }
    },
    valueOf: (ordinal) => (ordinal === 0 ? null : index.valueAt(ordinal - 1)),
    isOther: NO_OTHER,
    unnumbered: {
      numbers,
      topSplit(kept) {
        const places = new Map(kept.map((value, at) => [numberOfKey(value), at + 1]))
        return keptSplit(kept, (place, _arm, to) => {
          const values = numbers(place)
          for (let i = 0; i < place.rows; i += 1) to[i] = places.get(values[i] ?? Number.NaN) ?? 0
        })
      },
    },
  }
}

/** Steps of a number. */
export function binSplit(column: ColumnVectors, { width, exact }: BinSize): Split {
  const stored = storedNumber(column)
  const isExact = stored.kind === 'exact' && exact !== null
  const scale = stored.kind === 'exact' ? stored.scale : 0
  if (isExact && stored.bound * exact.factor > BigInt(Number.MAX_SAFE_INTEGER)) throw new ExceedsBounds()
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
  /** How many are told apart. */
  rows: number
  grain: Grain
  calendar: Calendar
  /** Absent: nothing is laid over anything. */
  period: AbsolutePeriod | null
}

export function timeSplit({ column, rows, grain, calendar, period }: TimeSplit): Split {
  const units = grain === 'hour' ? hoursOf(column.wall()) : column.days()
  const bucketOf = (unit: number): number => (grain === 'hour' ? unit : startOfUnit(unit, grain, calendar))
  const laid = period?.range && period.compare ? overlay({ grain, calendar, period }) : null
  const ordinals = new Map<number, number>()
  const buckets: number[] = []
  const laidOf = (unit: number, side: ComparisonSide): number | null =>
    side === 1 && laid ? laid(bucketOf(unit)) : bucketOf(unit)
  const ordinalOf = (unit: number, side: ComparisonSide): number => {
    const bucket = laidOf(unit, side)
    if (bucket === null) return -1
    const known = ordinals.get(bucket)
    if (known !== undefined) return known
    const made = buckets.push(bucket)
    ordinals.set(bucket, made)
    return made
  }
  const span = spanOf(column, { rows, isHour: grain === 'hour' })
  return unitSplit({ units, span, isLaid: laid !== null, ordinalOf, bucketOf: laidOf }, buckets)
}

/** A split by a part of dates: rows of all years fall into the same few. */
export function partSplit(
  { column, rows, calendar }: Pick<TimeSplit, 'column' | 'rows' | 'calendar'>,
  part: DatePart,
): Split {
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
  const span = spanOf(column, { rows, isHour })
  return unitSplit({ units, span, isLaid: false, ordinalOf, bucketOf: null }, parts)
}

interface UnitSplit {
  /** Days or hours. */
  units: Numbers
  span: { least: number; most: number } | null
  /** Whether those of the comparison have ordinals of their own. */
  isLaid: boolean
  ordinalOf: (unit: number, side: ComparisonSide) => number
  /** The value itself; null: a day of the comparison without a counterpart. Absent: there are only a few. */
  bucketOf: ((unit: number, side: ComparisonSide) => number | null) | null
}
/** @param values what each ordinal from 1 on stands for, as far as it was met */
function unitSplit({ units, span, isLaid, ordinalOf, bucketOf }: UnitSplit, values: readonly number[]): Split {
  const valueOf = (ordinal: number): KeyValue => values[ordinal - 1] ?? null
  const known = (): number => values.length + 1
  if (!span)
    return {
      ...sparseTimeSplit(units, ordinalOf),
      ...{ valueOf, known },
      ...(bucketOf ? { unnumbered: unnumberedTimes(units, bucketOf) } : {}),
    }
  const table = (side: ComparisonSide): Int32Array =>
    Int32Array.from({ length: span.most - span.least + 1 }, (_, i) => ordinalOf(span.least + i, side))
  const tables = [table(0), isLaid ? table(1) : null] as const
  return {
    size: values.length + 1,
    known,
    fill(place, side, to) {
      const own = side === 1 ? (tables[1] ?? tables[0]) : tables[0]
      const [values, { least }] = [units(place), span]
      for (let i = 0; i < place.rows; i += 1) {
        const value = values[i] ?? Number.NaN
        to[i] = Number.isNaN(value) ? 0 : (own[value - least] ?? 0)
      }
    },
    valueOf,
    isOther: NO_OTHER,
  }
}

function sparseTimeSplit(
  units: Numbers,
  ordinalOf: (unit: number, side: ComparisonSide) => number,
): Pick<Split, 'size' | 'fill' | 'isOther'> {
  const known: [Map<number, number>, Map<number, number>] = [new Map(), new Map()]
  return {
    size: null,
    fill(place, side, to, passes) {
      const values = units(place)
      for (let i = 0; i < place.rows; i += 1) {
        if (passes?.[i] === 0) continue
        const unit = values[i] ?? Number.NaN
        let ordinal = Number.isNaN(unit) ? 0 : known[side].get(unit)
        if (ordinal === undefined) {
          ordinal = ordinalOf(unit, side)
          if (known[side].size < TABLE_MAX / 4) known[side].set(unit, ordinal)
        }
        to[i] = ordinal
      }
    },
    isOther: NO_OTHER,
  }
}

function unnumberedTimes(
  units: Numbers,
  bucketOf: (unit: number, side: ComparisonSide) => number | null,
): UnnumberedValues {
  const numbersIn = ([0, 1] as const).map((side) =>
    numbersOf((place, to) => {
      const values = units(place)
      for (let i = 0; i < place.rows; i += 1) {
        const unit = values[i] ?? Number.NaN
        to[i] = Number.isNaN(unit) ? unit : (bucketOf(unit, side) ?? NO_COUNTERPART)
      }
    }),
  )
  const numbers = (place: ChunkPlace, side: ComparisonSide): Float64Array =>
    numbersIn[side]?.(place) ?? new Float64Array(0)
  return {
    numbers,
    topSplit(kept) {
      const places = new Map(kept.map((value, at) => [numberOfKey(value), at + 1]))
      return keptSplit(kept, (place, side, to) => {
        const values = numbers(place, side)
        for (let i = 0; i < place.rows; i += 1) {
          const value = values[i] ?? Number.NaN
          to[i] = value === NO_COUNTERPART ? -1 : (places.get(value) ?? 0)
        }
      })
    },
  }
}

/** Units that are put in a table for however few rows, and for each row: numbering one as it is met costs as much as four in a table. */
const [UNITS_FREE, UNITS_PER_ROW] = [2 ** 12, 4]
/**
 * Days (or hours) that a column's values can be of; null when they are too many to be put in a table, or for the rows
 * that would look there: one date of the year 2500 among a hundred others.
 */
function spanOf(
  { column, dataset }: ColumnVectors,
  { rows, isHour }: { rows: number; isHour: boolean },
): { least: number; most: number } | null {
  const { min, max } = dataset.bounds[column.key] ?? { min: -Infinity, max: Infinity }
  if (min === null || max === null) return { least: 0, most: 0 }
  const unit = column.type === 'date' ? 1 : isHour ? DAY_MS / 24 : DAY_MS
  // Zones lie up to 15 hours off.
  const margin = column.type === 'date' ? 0 : isHour ? 48 : 2
  const [least, most] = [Math.floor(min / unit) - margin, Math.floor(max / unit) + margin]
  return most - least < Math.min(TABLE_MAX / 4, Math.max(UNITS_FREE, rows * UNITS_PER_ROW)) ? { least, most } : null
}

/** A bucket of the comparison as the bucket it is laid over; null when that lies past the period's end. */
function overlay({ grain, calendar, period }: Omit<TimeSplit, 'column' | 'rows'>): (bucket: number) => number | null {
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
export function topSplit(split: Split, values: ReadonlySet<KeyValue>): Split {
  if (split.unnumbered) return split.unnumbered.topSplit([...values])
  const kept = [...values]
  const placeOf = new Map(kept.map((value, at) => [value, at + 1]))
  // Ordinals may be given while rows are read.
  const places: number[] = []
  return keptSplit(kept, (place, side, to) => {
    split.fill(place, side, to)
    for (let at = places.length; at < split.known(); at += 1) places.push(placeOf.get(split.valueOf(at)) ?? 0)
    foldOthers(to, places, place.rows)
  })
}
function foldOthers(to: Int32Array, places: readonly number[], rows: number): void {
  for (let i = 0; i < rows; i += 1) {
    const ordinal = to[i] ?? 0
    to[i] = ordinal < 0 ? -1 : (places[ordinal] ?? 0)
  }
}
