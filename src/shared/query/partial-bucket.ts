/** A bucket by its first day, and the first or last day of the data where they do not reach that end of it. */
export interface PartialBucket {
  start: string
  from?: string
  to?: string
}

/** Which of its days the data reach: "data to 9 Apr 2018", "data from 12 Jan 2018". */
export function describeDataRange({ from, to }: PartialBucket, day: (iso: string) => string): string {
  if (from === undefined) return `data to ${day(to ?? '')}`
  return to === undefined ? `data from ${day(from)}` : `data from ${day(from)} to ${day(to)}`
}
