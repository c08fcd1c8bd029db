/** A bucket by its first day, and the first or last day of the data where they do not reach that end of it. */
export interface PartialBucket {
  start: string
  from?: string
  to?: string
}

/** What is missing of a period: "data to 30 Dec 2022"; null where the data reach both of its ends. */
export function describePeriodData(
  { from: start, to: end, ...data }: { from: string; to?: string; dataFrom?: string; dataTo?: string },
  day: (iso: string) => string,
): string | null {
  const { dataFrom } = data
  // Of a period that was cut where they end its own name says so; data that go on after it miss nothing of it.
  const dataTo = data.dataTo !== undefined && end !== undefined && data.dataTo >= end ? undefined : data.dataTo
  if (dataFrom === undefined && dataTo === undefined) return null
  const [from, to] = [dataFrom === undefined ? {} : { from: dataFrom }, dataTo === undefined ? {} : { to: dataTo }]
  return describeDataRange({ start, ...from, ...to }, day)
}

/** Which of its days the data reach: "data to 9 Apr 2018", "data from 12 Jan 2018", "data of 12 Jan 2018 only". */
export function describeDataRange({ from, to }: PartialBucket, day: (iso: string) => string): string {
  if (from === undefined) return `data to ${day(to ?? '')}`
  if (from === to) return `data of ${day(from)} only`
  return to === undefined ? `data from ${day(from)}` : `data from ${day(from)} to ${day(to)}`
}
