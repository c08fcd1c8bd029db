import { int, name, sql } from './sql'
import type { Sql } from './sql'
import type { Segment } from './zone'
import { FIRST_DAY, LAST_DAY, MS_PER_DAY } from './days'
import type { Field } from '../../shared/query'
import type { Column, ColumnKey } from '../../shared/sources'
import type { Calendar } from '../contract'
import type { LiveDataset, PhysicalDataset } from '../physical'
import { unknownField } from './refuse'

/** What compiling one plan works with. Column references are names inside the source subquery. */
export interface Source {
  dataset: LiveDataset
  physical: PhysicalDataset
  calendar: Calendar
  /** Offsets of the calendar's zone over the instants of a zoned column that matter to the plan. */
  segments: ReadonlyMap<ColumnKey, Segment[]>
  /** Columns that were named: the source selects only these. */
  used: Set<ColumnKey>
  /** Zoned columns whose wall clock was asked for: the source works it out once, under a name of its own. */
  walls: Set<ColumnKey>
}

/** @throws ProductError `unknown_field` for a column that does not exist or is hidden for the asker */
export function columnOf(source: Source, field: Field): Column {
  const column = source.dataset.columns.find((each) => each.key === field.column)
  if (!column || field.dataset !== source.dataset.id || !source.physical.columns.has(field.column))
    throw unknownField(field)
  return column
}

/** The stored value of a column. */
export function refOf(source: Source, column: Column): Sql {
  source.used.add(column.key)
  return name(column.key)
}

/** A datetime as wall-clock milliseconds of the calendar's zone (of its own wall when it is not zoned). */
export function wallOf(source: Source, column: Column): Sql {
  const ref = refOf(source, column)
  if (column.zoned !== true) return ref
  source.walls.add(column.key)
  return wallName(column.key)
}
export const wallName = (key: ColumnKey): Sql => name(key.replace('c', 'l'))

// SQLite divides towards zero: a shift to positive numbers makes it floor.
const SHIFT_DAYS = 800_000
export const floorDiv = (value: Sql, by: number): Sql =>
  sql`((${value} + ${int(SHIFT_DAYS * MS_PER_DAY)}) / ${int(by)} - ${int((SHIFT_DAYS * MS_PER_DAY) / by)})`

/** The local day number of a date or datetime; a wall clock past the year 9999 or before 1 counts to the end day. */
export function dayNumberOf(source: Source, column: Column): Sql {
  if (column.type === 'date') return refOf(source, column)
  const number = floorDiv(wallOf(source, column), MS_PER_DAY)
  const { min, max } = source.dataset.bounds[column.key] ?? { min: null, max: null }
  const inside = (min ?? -Infinity) > (FIRST_DAY + 2) * MS_PER_DAY && (max ?? Infinity) < (LAST_DAY - 2) * MS_PER_DAY
  if (column.zoned !== true || inside) return number
  return sql`max(${int(FIRST_DAY)}, min(${int(LAST_DAY)}, ${number}))`
}
