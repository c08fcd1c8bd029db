/** First and last day that rows are dated by, ISO. */
export interface DayRange {
  from: string
  to: string
}

/** Days at the beginning of a month in which nothing need have happened. */
const QUIET_DAYS = 7
const MONTHS_COMPARED = 24

const monthOf = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1
const isLastOfMonth = (day: string): boolean => {
  const next = new Date(Date.parse(day))
  next.setUTCDate(next.getUTCDate() + 1)
  return next.getUTCDate() === 1
}

/** Whether the twelve months before the newest twelve complete ones are covered whole. */
export function hasYearBefore({ from, to }: DayRange): boolean {
  const newest = monthOf(to) - (isLastOfMonth(to) ? 0 : 1)
  const oldest = newest - MONTHS_COMPARED + 1
  return monthOf(from) < oldest || (monthOf(from) === oldest && Number(from.slice(8, 10)) <= QUIET_DAYS)
}
