import type { ColumnTable } from './column-table'
import { numbersOf, type Numbers } from './vectors'
import type { LiveDataset } from '../physical-layout'
import type { PlanContext } from '../query/query-context'
import type { ColumnVectors } from './column-vectors'
import { hourOfDay, partNumber, partOfDay } from '../query/time/date-parts'
import { cellOf, type OffsetSegment } from '../query/time/zone-offsets'
import { DAY_MS, FIRST_DAY, LAST_DAY, type Calendar } from '../../shared/dates'
import type { DatePart } from '../../shared/query/date-range'
import type { Column } from '../../shared/data-sources/data-sources'

interface ZonedNumbers {
  column: Column
  ofPeriod: boolean
  numbers: Numbers
  /** The same of all rows, where some are picked: what is found of them serves the whole question. */
  all: () => { table: Pick<ColumnTable, 'chunks'>; numbers: Numbers }
}

/** Wall-clock milliseconds of the calendar's zone (of its own wall when it is not zoned). */
export function localTimeNumbers(
  planContext: PlanContext,
  { dataset }: { dataset: LiveDataset },
  { column, ofPeriod, numbers, all }: ZonedNumbers,
): Numbers {
  if (column.zoned !== true) return numbers
  const segments = planContext.segments(dataset, { key: column.key, ofPeriod }, () => {
    const every = all()
    return cellsIn(every.table, every.numbers)
  })
  return numbersOf((place, to) => addOffsets(to, numbers(place), segments, place.rows))
}

/** Cells of time that instants lie in. */
function cellsIn({ chunks }: Pick<ColumnTable, 'chunks'>, instants: Numbers): number[] {
  const cells = new Set<number>()
  for (const [chunk, rows] of chunks.entries()) {
    const own = instants({ chunk, rows })
    for (let i = 0; i < rows; i += 1) cells.add(cellOf(own[i] ?? Number.NaN))
  }
  cells.delete(Number.NaN)
  return [...cells]
}

function addOffsets(to: Float64Array, instants: Float64Array, segments: readonly OffsetSegment[], rows: number): void {
  const froms = Float64Array.from(segments, ({ from }) => from)
  const offsets = Float64Array.from(segments, ({ offset }) => offset)
  const last = segments.length - 1
  let at = 0
  for (let i = 0; i < rows; i += 1) {
    const instant = instants[i] ?? Number.NaN
    // Before the first change its offset counts, too. Rows near each other mostly lie between the same changes.
    while (at < last && instant >= (froms[at + 1] ?? Infinity)) at += 1
    while (at > 0 && instant < (froms[at] ?? -Infinity)) at -= 1
    to[i] = instant + (offsets[at] ?? 0)
  }
}

/** Local days of a moment; a wall clock past the year 9999 or before 1 counts to the end day. */
export function dayNumbers(dataset: LiveDataset, column: Column, wall: Numbers): Numbers {
  const { min, max } = dataset.bounds[column.key] ?? { min: null, max: null }
  const inside = (min ?? -Infinity) > (FIRST_DAY + 2) * DAY_MS && (max ?? Infinity) < (LAST_DAY - 2) * DAY_MS
  const [first, last] = column.zoned !== true || inside ? [-Infinity, Infinity] : [FIRST_DAY, LAST_DAY]
  return numbersOf((place, to) => floorDays(to, wall(place), { first, last }, place.rows))
}
function floorDays(
  to: Float64Array,
  wall: Float64Array,
  { first, last }: { first: number; last: number },
  rows: number,
): void {
  for (let i = 0; i < rows; i += 1) {
    const day = Math.floor((wall[i] ?? Number.NaN) / DAY_MS)
    to[i] = day < first ? first : day > last ? last : day
  }
}

export const hoursOf = (wall: Numbers): Numbers => numbersOf((place, to) => floorHours(to, wall(place), place.rows))
const HOUR_MS = DAY_MS / 24
function floorHours(to: Float64Array, wall: Float64Array, rows: number): void {
  for (let i = 0; i < rows; i += 1) to[i] = Math.floor((wall[i] ?? Number.NaN) / HOUR_MS)
}

/** A part of a date or time as a column of whole numbers. */
export function partVectors(column: ColumnVectors, part: DatePart, calendar: Calendar): ColumnVectors {
  const isHour = part === 'hourOfDay'
  const units = isHour ? hoursOf(column.wall()) : column.days()
  const numberOf = (unit: number): number =>
    partNumber(isHour ? hourOfDay(unit) : partOfDay(unit, part, calendar), part, calendar)
  const known = new Map<number, number>()
  const numbers = numbersOf((place, to) => {
    const own = units(place)
    for (let i = 0; i < place.rows; i += 1) {
      const unit = own[i] ?? Number.NaN
      let found = Number.isNaN(unit) ? Number.NaN : known.get(unit)
      if (found === undefined) {
        found = numberOf(unit)
        known.set(unit, found)
      }
      to[i] = found
    }
  })
  return { ...column, column: { ...column.column, type: 'integer' }, numbers: () => numbers }
}
