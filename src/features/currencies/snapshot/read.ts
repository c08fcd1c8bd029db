/** Rates of one day: units of each currency for one euro, as decimal text. */
export interface DailyEuroRates {
  /** ISO date. */
  day: string
  rates: Record<string, string>
}

/** The name that a loaded snapshot is remembered by. */
export const SNAPSHOT = 'ecb-2019-2024'

/**
 * The reference rates that come with the product, for installations that cannot fetch any. Source: European Central Bank.
 * A cell that is empty is as on the day before.
 */
export async function readSnapshotDays(): Promise<DailyEuroRates[]> {
  const { default: text } = await import('./ecb-2019-2024.csv?raw')
  const [, head = '', ...lines] = text.trimEnd().split('\n')
  const codes = head.split(',').slice(1)
  const last = codes.map(() => '-')
  return lines.map((line) => {
    const [day = '', ...cells] = line.split(',')
    cells.forEach((cell, i) => {
      if (cell !== '') last[i] = cell
    })
    const known = codes.flatMap((code, i) => {
      const rate = last[i] ?? '-'
      return rate === '-' ? [] : [[code, rate] as const]
    })
    return { day, rates: Object.fromEntries(known) }
  })
}
