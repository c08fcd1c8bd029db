import { sql, type Sql } from './sql'
import type { LiveDataset } from '../physical-layout'
import { segmentsFor } from '../query/time/column-offsets'
import type { OffsetSegment } from '../query/time/zone-offsets'
import type { PlanContext } from '../query/query-context'
import type { ColumnKey } from '../../shared/data-sources/files'
import { DAY_MS } from '../../shared/dates'

/** In which years a column has moments is to be looked up first: one of them lies far off. */
export class WantsCells extends Error {
  readonly dataset: string
  readonly key: ColumnKey
  constructor(dataset: string, key: ColumnKey) {
    super('Moments lie far off.')
    this.dataset = dataset
    this.key = key
  }
}

/** Rows may have come since the bounds of a column were looked up, and gone: so far beyond them the clocks are known. */
const BEYOND_MS = 2 * 366 * DAY_MS

/**
 * The wall clock of a zone's moments. Which offset counts when is told to the database: what it knows of zones may be
 * another release, or nothing.
 */
export function wallClock(
  planContext: PlanContext,
  moment: Sql,
  at: { dataset: LiveDataset; key: ColumnKey; cells: number[] | null },
): Sql {
  const { dataset, key, cells } = at
  const { min, max } = dataset.bounds[key] ?? { min: null, max: null }
  const known = min === null || max === null ? [] : [min - BEYOND_MS, max + BEYOND_MS]
  const [low = -Infinity, high = Infinity] = known
  const bounds = { [key]: { min: low, max: high } }
  const { timeZone } = planContext.calendar
  const segments = segmentsFor({ bounds }, { key, timeZone, period: null }, () => {
    if (cells === null) throw new WantsCells(dataset.id, key)
    return cells
  })
  return offsetAdded(moment, segments)
}

/** Halved again and again, so that each row is compared few times. */
function offsetAdded(moment: Sql, segments: readonly OffsetSegment[]): Sql {
  const offset = (from: number, to: number): Sql => {
    if (to - from <= 1) return sql`${segments[from]?.offset ?? 0}`
    const middle = (from + to) >> 1
    return sql`CASE WHEN ${moment} < ${segments[middle]?.from ?? 0} THEN ${offset(from, middle)} ELSE ${offset(middle, to)} END`
  }
  return sql`(${moment} + ${offset(0, segments.length)})`
}
