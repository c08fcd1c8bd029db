import { dayOf, MS_PER_DAY } from './days'
import type { Execute } from './execute'
import type { Resolved } from './period'
import { tooComplex } from './refuse'
import { int, name, sql } from './sql'
import { cellOf, CELL_MS, segmentsOf } from './zone'
import type { Segment } from './zone'
import type { ColumnKey } from '../../shared/sources'
import type { LiveDataset, PhysicalDataset } from '../physical'

/** A comparison per change of clocks: so many fit into one statement. */
const SEGMENTS_MAX = 600
const USUAL = {
  min: dayOf({ year: 1900, month: 1, day: 1 }) * MS_PER_DAY,
  max: dayOf({ year: 2101, month: 1, day: 1 }) * MS_PER_DAY,
}

interface Data {
  dataset: LiveDataset
  physical: PhysicalDataset
}
interface Zoned {
  key: ColumnKey
  timeZone: string
  /** When only rows of a period are read of it. */
  period: Resolved | null
}

/** Offsets of the zone over the instants of a zoned column. @throws ProductError `query_too_complex` */
export function segmentsFor(data: Data, at: Zoned, execute: Execute): Segment[] {
  const segments = segmentsOf(at.timeZone, cellsOf(data, at, execute), SEGMENTS_MAX)
  if (segments.length > SEGMENTS_MAX) throw tooComplex('changes of clocks', SEGMENTS_MAX)
  return segments
}

/** Years in which there is data: from the bounds when they are usual, else (one wild value) looked up. */
function cellsOf(data: Data, at: Zoned, execute: Execute): number[] {
  const { min, max } = data.dataset.bounds[at.key] ?? { min: -Infinity, max: Infinity }
  if (min === null || max === null) return [0]
  const range = at.period?.range
  const low = range
    ? Math.max(min, (Math.min(range.from, at.period?.compare?.from ?? range.from) - 3) * MS_PER_DAY)
    : min
  const high = range ? Math.min(max, (range.to + 4) * MS_PER_DAY) : max
  if (low >= USUAL.min && high <= USUAL.max) return between(cellOf(low), cellOf(high))
  const where = data.physical.columns.get(at.key)
  if (!where) return [0]
  const [column, table] = [name(where.column), name(where.table)]
  // Floors negative instants too: the shift makes the dividend positive.
  const shift = int(CELL_MS * 4000)
  const cells = execute(
    sql`SELECT DISTINCT (${column} + ${shift}) / ${int(CELL_MS)} - 4000 FROM ${table} WHERE ${column} IS NOT NULL`,
  )
  const list = cells.map(([cell]) => Number(cell)).filter((cell) => cell >= cellOf(low) && cell <= cellOf(high))
  return list.length > 0 ? list : [0]
}

const between = (low: number, high: number): number[] =>
  high < low ? [low] : Array.from({ length: high - low + 1 }, (_, i) => low + i)
