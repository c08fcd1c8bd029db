import { dayFromCivil, DAY_MS } from '../../../shared/dates'

/** From this instant (UTC ms) on, local time is UTC + `offset` ms. */
export interface OffsetSegment {
  from: number
  offset: number
}

/** Instants are looked at in cells of a mean Gregorian year; only cells that hold data cost anything. */
export const CELL_MS = 31_556_952_000
export const cellOf = (instant: number): number => Math.floor(instant / CELL_MS)

const PROBE_MS = 4 * DAY_MS
/** Before this no zone changed its clocks, and calendars of the platform need not be trusted. */
const EARLIEST_MS = dayFromCivil({ year: 1800, month: 1, day: 1 }) * DAY_MS
const EARLIEST_CELL = cellOf(EARLIEST_MS)
/**
 * From here on clocks change by rules alone, and those repeat with the Gregorian calendar: every 400 years, which are
 * 400 cells to the millisecond. Later cells are read off the cell of the same year in the first such cycle.
 */
const RULED_CELL = cellOf(dayFromCivil({ year: 2100, month: 1, day: 1 }) * DAY_MS)
const CYCLE_CELLS = 400

const FORMATS_KEPT = 50
/** More than one zone's cells from 1800 on. */
const CELLS_KEPT = 2000
/** Keeps a value in the isolate's memory, and lets the oldest go. */
function remember<V>(map: Map<string, V>, { key, value, max }: { key: string; value: V; max: number }): V {
  const [oldest] = map.keys()
  if (map.size >= max && oldest !== undefined) map.delete(oldest)
  map.set(key, value)
  return value
}

const formats = new Map<string, Intl.DateTimeFormat>()
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return remember(formats, { key: timeZone, value: made, max: FORMATS_KEPT })
}

/** Local time minus UTC at an instant, in ms. */
function offsetAt(timeZone: string, instant: number): number {
  const at = Math.max(Math.floor(instant / 1000) * 1000, EARLIEST_MS)
  const part = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 }
  for (const { type, value } of formatOf(timeZone).formatToParts(at))
    if (type in part) Object.assign(part, { [type]: Number(value) })
  const local = dayFromCivil(part) * DAY_MS + ((part.hour * 60 + part.minute) * 60 + part.second) * 1000
  return local - at
}

/** The first second of the new offset in (low, high]. */
function changeBetween(timeZone: string, low: number, high: number): number {
  const before = offsetAt(timeZone, low)
  let [from, to] = [Math.floor(low / 1000), Math.floor(high / 1000)]
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2)
    if (offsetAt(timeZone, middle * 1000) === before) from = middle
    else to = middle
  }
  return to * 1000
}

const cells = new Map<string, OffsetSegment[]>()
function cellSegments(timeZone: string, cell: number): OffsetSegment[] {
  const known = nearestProbed(cell)
  const shift = (cell - known) * CELL_MS
  if (shift < 0) return [{ from: cell * CELL_MS, offset: offsetAt(timeZone, EARLIEST_MS) }]
  return probedSegments(timeZone, known).map(({ from, offset }) => ({ from: from + shift, offset }))
}
/** The cell whose clock changes are this cell's too: at most 700 of a zone are ever probed. */
function nearestProbed(cell: number): number {
  if (cell < RULED_CELL) return Math.max(cell, EARLIEST_CELL)
  return RULED_CELL + ((cell - RULED_CELL) % CYCLE_CELLS)
}

function probedSegments(timeZone: string, cell: number): OffsetSegment[] {
  const key = `${timeZone} ${cell}`
  const known = cells.get(key)
  if (known) return known
  const end = (cell + 1) * CELL_MS
  const found: OffsetSegment[] = [{ from: cell * CELL_MS, offset: offsetAt(timeZone, cell * CELL_MS) }]
  for (let at = cell * CELL_MS; at < end;) {
    const next = Math.min(at + PROBE_MS, end)
    const offset = offsetAt(timeZone, next)
    if (offset === found.at(-1)?.offset) at = next
    else {
      at = changeBetween(timeZone, at, next)
      if (at < end) found.push({ from: at, offset: offsetAt(timeZone, at) })
    }
  }
  return remember(cells, { key, value: found, max: CELLS_KEPT })
}

/**
 * Offsets of a zone over the given cells (any order), oldest first; equal neighbours are joined. Stops with more than
 * `max`: the caller has no use for the rest.
 */
export function segmentsOf(timeZone: string, wanted: readonly number[], max: number): OffsetSegment[] {
  const joined: OffsetSegment[] = []
  for (const cell of [...new Set(wanted)].sort((a, b) => a - b)) {
    for (const segment of cellSegments(timeZone, cell))
      if (joined.at(-1)?.offset !== segment.offset) joined.push(segment)
    if (joined.length > max) break
  }
  return joined
}
