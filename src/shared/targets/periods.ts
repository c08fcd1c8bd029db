/** Arithmetic over the periods of targets, each named by its first day (ISO). Days only: no zone is involved. */
export const TARGET_GRAINS = ['month', 'quarter', 'year', 'fiscalQuarter', 'fiscalYear'] as const
export type TargetGrain = (typeof TARGET_GRAINS)[number]

const MONTHS_PER_PERIOD: Record<TargetGrain, number> = {
  month: 1,
  quarter: 3,
  year: 12,
  fiscalQuarter: 3,
  fiscalYear: 12,
}
const isFiscalGrain = (grain: TargetGrain): boolean => grain === 'fiscalQuarter' || grain === 'fiscalYear'
/** The year that periods of a grain belong to. */
export const yearGrainOf = (grain: TargetGrain): TargetGrain => (isFiscalGrain(grain) ? 'fiscalYear' : 'year')

const DAY_MS = 86_400_000
const dayNumber = (day: string): number => Math.round(Date.parse(`${day}T00:00:00Z`) / DAY_MS)
const isoDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)

const monthIndex = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
const firstOfMonth = (index: number): string =>
  `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((((index % 12) + 12) % 12) + 1).padStart(2, '0')}-01`

/** First day of the period that holds this day, `steps` periods later. */
export function periodStart(
  day: string,
  { grain, fiscalYearStart }: { grain: TargetGrain; fiscalYearStart: number },
  steps = 0,
): string {
  const months = MONTHS_PER_PERIOD[grain]
  const offset = isFiscalGrain(grain) ? fiscalYearStart - 1 : 0
  return firstOfMonth(Math.floor((monthIndex(day) - offset) / months) * months + months * steps + offset)
}

/** Last day of the period that begins on `start`. */
export const periodEnd = (start: string, grain: TargetGrain): string =>
  isoDay(dayNumber(firstOfMonth(monthIndex(start) + MONTHS_PER_PERIOD[grain])) - 1)

/** Days of a period, first and last included. */
export const dayCount = (from: string, to: string): number => dayNumber(to) - dayNumber(from) + 1

/** The same day `months` later; the last day of that month when it is shorter. */
export function addMonths(day: string, months: number): string {
  const first = firstOfMonth(monthIndex(day) + months)
  const last = dayNumber(firstOfMonth(monthIndex(first) + 1)) - dayNumber(first)
  return isoDay(dayNumber(first) + Math.min(Number(day.slice(8, 10)), last) - 1)
}

/** The periods of a grain from one day to another, both included. */
export function periodsBetween(
  from: string,
  to: string,
  { grain, fiscalYearStart }: { grain: TargetGrain; fiscalYearStart: number },
): string[] {
  const found: string[] = []
  const last = periodStart(to, { grain, fiscalYearStart })
  for (
    let at = periodStart(from, { grain, fiscalYearStart });
    at <= last;
    at = firstOfMonth(monthIndex(at) + MONTHS_PER_PERIOD[grain])
  )
    found.push(at)
  return found
}

const MONTH_NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A period in words: `Jan 2026`, `Q1 2026`, `2026`, `May–Jul 2026`, `FY 2025/26`. */
export function formatPeriod(start: string, grain: TargetGrain): string {
  const index = monthIndex(start)
  const [year, month] = [Math.floor(index / 12), index % 12]
  const name = (at: number): string => MONTH_NAMES[((at % 12) + 12) % 12] ?? ''
  if (grain === 'month') return `${name(month)} ${year}`
  if (grain === 'quarter') return `Q${Math.floor(month / 3) + 1} ${year}`
  if (grain === 'year') return `${year}`
  const endYear = Math.floor((index + MONTHS_PER_PERIOD[grain] - 1) / 12)
  if (grain === 'fiscalQuarter') return `${name(month)}–${name(month + 2)} ${endYear}`
  return month === 0 ? `FY ${year}` : `FY ${year}/${String(endYear).slice(2)}`
}
