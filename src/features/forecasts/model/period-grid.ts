import { monthLacksRecords } from '../../../semantic/record-gaps'
import { endOfPeriod, startOfPeriod } from '../../../semantic/calendar'
import type { ForecastGrain, InputSeries } from '../../../shared/forecasts/result'
import type { Calendar } from '../../../shared/dates'

/** Periods of the past that are looked at, at most: more than the model is told, and three years of days for the year's season. */
export const HISTORY_MAX: Record<ForecastGrain, number> = { day: 1127, week: 320, month: 240, quarter: 120 }
/**
 * Periods in a row without a single row of the dataset that may be a time in which nothing happened; where such times are
 * common, three times as many as usual.
 */
const EMPTY_RUN_MAX: Record<ForecastGrain, number> = { day: 14, week: 4, month: 2, quarter: 1 }
const COMMON_EMPTY_RUNS = 3

export interface GridSettings {
  grain: ForecastGrain
  calendar: Calendar
}

/** First days of the periods from one to another, both included. */
export function listPeriods(first: string, last: string, { grain, calendar }: GridSettings): string[] {
  const periods: string[] = []
  for (let at = first; at <= last; at = startOfPeriod(at, grain, calendar, 1)) periods.push(at)
  return periods
}

/** The first whole period from a day on. */
export function firstWholePeriod(day: string, { grain, calendar }: GridSettings): string {
  const start = startOfPeriod(day, grain, calendar)
  return start === day ? start : startOfPeriod(day, grain, calendar, 1)
}

/** The periods that share a day with a span. */
export const overlappingPeriods = (
  periods: readonly string[],
  { from, to }: { from: string; to: string },
  { grain, calendar }: GridSettings,
): boolean[] => periods.map((period) => period <= to && endOfPeriod(period, grain, calendar) >= from)

/** Runs of places where nothing is, as [first, length]. */
function emptyRuns(empty: readonly boolean[]): [number, number][] {
  const runs: [number, number][] = []
  empty.forEach((is, at) => {
    const last = runs.at(-1)
    if (is && last && last[0] + last[1] === at) last[1] += 1
    else if (is) runs.push([at, 1])
  })
  return runs
}

const MONTHS_OF_YEAR = 12

/**
 * Places where nothing was loaded, among places without a row: a few empty periods are a time in which nothing happened,
 * many in a row a hole, and so is a single month where months have many rows. Months that are empty in one year as in another
 * are a season in which nothing happens, however long it is.
 * @param rows how many rows the dataset has in each period
 */
export function missingPeriods(rows: readonly number[], grain: ForecastGrain): Set<number> {
  const runs = emptyRuns(rows.map((count) => count === 0))
  const lacksRecords = grain === 'month' ? monthLacksRecords(rows) : () => false
  const lengths = runs.map(([, length]) => length).toSorted((a, b) => a - b)
  const usual = runs.length >= COMMON_EMPTY_RUNS ? (lengths[Math.floor(lengths.length / 2)] ?? 0) : 0
  const most = Math.max(EMPTY_RUN_MAX[grain], COMMON_EMPTY_RUNS * usual)
  const isEmptyAll = (first: number, length: number): boolean =>
    Array.from({ length }, (_, step) => rows[first + step]).every((count) => count === 0)
  const isSeason = (first: number, length: number): boolean =>
    grain === 'month' &&
    length < MONTHS_OF_YEAR &&
    (isEmptyAll(first - MONTHS_OF_YEAR, length) || isEmptyAll(first + MONTHS_OF_YEAR, length))
  return new Set(
    runs.flatMap(([first, length]) => {
      const isHole = length > most && !isSeason(first, length)
      return Array.from({ length }, (_, step) => first + step).filter((at) => isHole || lacksRecords(at))
    }),
  )
}

export interface GridFillOptions {
  /** Whether parts of the figure add up: a sum without rows is 0, an average without rows is nothing. */
  additive: boolean
  holes: ReadonlySet<number>
}

/** Figures on the grid. */
export const toGrid = (
  periods: readonly string[],
  values: ReadonlyMap<string, number>,
  { additive, holes }: GridFillOptions,
): (number | null)[] => periods.map((period, at) => values.get(period) ?? (additive && !holes.has(at) ? 0 : null))

/** A part's figures: nothing before it first appears, and where nothing is known of the whole. */
export function partToGrid(
  periods: readonly string[],
  values: ReadonlyMap<string, number>,
  whole: readonly (number | null)[],
): (number | null)[] {
  const first = periods.findIndex((period) => values.has(period))
  return periods.map((period, at) => (first < 0 || at < first || whole[at] === null ? null : (values.get(period) ?? 0)))
}

/** What is left of the whole beside the members that are forecast each for itself; null when nothing is. */
export function remainderPart(whole: readonly (number | null)[], members: readonly InputSeries[]): InputSeries | null {
  const label = 'Other'
  const values = whole.map((v, at) => {
    if (v === null) return null
    const own = members.map(({ values: each }) => each[at] ?? 0)
    const rest = v - own.reduce((sum, each) => sum + each, 0)
    const size = own.reduce((sum, each) => sum + Math.abs(each), Math.abs(v))
    return Math.abs(rest) <= REMAINDER_TOLERANCE * size ? 0 : rest
  })
  const member = members.some((one) => one.member === label) ? 'All others' : label
  return values.some((v) => v !== null && v !== 0) ? { member, label: member, values } : null
}
/** Parts that sums of decimals lose. */
const REMAINDER_TOLERANCE = 1e-9
