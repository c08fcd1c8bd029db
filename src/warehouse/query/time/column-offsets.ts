import { dayFromCivil, DAY_MS } from '../../../shared/dates'
import type { AbsolutePeriod } from './resolve-period'
import { queryTooComplex } from '../plan/plan-errors'
import { cellOf, segmentsOf, type OffsetSegment } from './zone-offsets'
import type { LiveDataset } from '../../physical-layout'
import type { ColumnKey } from '../../../shared/data-sources/files'

/** Changes of clocks that one question looks at. */
const SEGMENTS_MAX = 600
const USUAL = {
  min: dayFromCivil({ year: 1900, month: 1, day: 1 }) * DAY_MS,
  max: dayFromCivil({ year: 2101, month: 1, day: 1 }) * DAY_MS,
}

interface ZonedRequest {
  key: ColumnKey
  timeZone: string
  /** When only rows of a period are read of it. */
  period: AbsolutePeriod | null
}

/** Which cells of time a column has instants in. */
type CellFinder = () => number[]

/** Offsets of the zone over the instants of a zoned column. @throws ProductError `query_too_complex` */
export function segmentsFor(
  dataset: Pick<LiveDataset, 'bounds'>,
  at: ZonedRequest,
  found: CellFinder,
): OffsetSegment[] {
  const segments = segmentsOf(at.timeZone, cellsOf(dataset, at, found), SEGMENTS_MAX)
  if (segments.length > SEGMENTS_MAX) throw queryTooComplex('clock changes', SEGMENTS_MAX)
  return segments
}

/** Years in which there is data: from the bounds when they are usual, else (one wild value) looked up. */
function cellsOf(dataset: Pick<LiveDataset, 'bounds'>, at: ZonedRequest, found: CellFinder): number[] {
  const { min, max } = dataset.bounds[at.key] ?? { min: -Infinity, max: Infinity }
  if (min === null || max === null) return [0]
  const range = at.period?.range
  const low = range ? Math.max(min, (Math.min(range.from, at.period?.compare?.from ?? range.from) - 3) * DAY_MS) : min
  const high = range ? Math.min(max, (range.to + 4) * DAY_MS) : max
  if (low >= USUAL.min && high <= USUAL.max) return between(cellOf(low), cellOf(high))
  const list = found().filter((cell) => cell >= cellOf(low) && cell <= cellOf(high))
  return list.length > 0 ? list : [0]
}

const between = (low: number, high: number): number[] =>
  high < low ? [low] : Array.from({ length: high - low + 1 }, (_, i) => low + i)
