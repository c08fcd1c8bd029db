import { operatorFetch, type Fetcher } from './operator-fetch'
import { XmlScanner } from '../formats/workbook/xml-scanner'

/** The reference rates that the European Central Bank publishes, as its files of XML tell them. */
export const ECB_RATES_URL = 'https://www.ecb.europa.eu/stats/eurofxref/'
const ECB_FILES = {
  /** The newest day. */
  daily: 'eurofxref-daily.xml',
  /** The last 90 days, newest first. */
  quarter: 'eurofxref-hist-90d.xml',
  /** Every day since 1999, newest first. */
  history: 'eurofxref-hist.xml',
} as const
export type EcbFile = keyof typeof ECB_FILES

/** Rates of one day: units of each currency for one euro, as decimal text. */
export interface EcbDailyRates {
  /** ISO date. */
  day: string
  rates: Record<string, string>
}

const BYTES_MAX = 24 * 1024 * 1024
/** There were none before the euro; a file of every day since then has some seven thousand. */
const FIRST_DAY = '1999-01-01'
const DAYS_MAX = 20_000
/** Of all days; every day since then has some three hundred thousand. */
const RATES_MAX = 1_000_000
const CODE = /^[A-Z]{3}$/
const RATE = /^\d{1,9}(\.\d{1,10})?$/

/**
 * Days after `after` (ISO), newest first. The file is read as it comes, and only as far as it holds something new.
 * @throws when the address does not answer, or with something else than such a file
 */
export async function fetchEcbRates(
  at: { address: string; fetcher: Fetcher | undefined },
  wanted: { file: EcbFile; after: string },
): Promise<EcbDailyRates[]> {
  const { origin, pathname } = new URL(at.address)
  const path = `${pathname.endsWith('/') ? pathname : `${pathname}/`}${ECB_FILES[wanted.file]}`
  const endpoint = { origin, headers: { accept: 'application/xml, text/xml' } }
  const response = await operatorFetch(endpoint, { path, method: 'GET' }, at.fetcher)
  if (!response.ok || !response.body) throw new Error(`the rates were answered with status ${response.status}`)
  return parseDays(response.body, wanted.after)
}

/** A day that there is: one that only looks like it would be the newest known day for ever. */
function isExistingDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`)
  return text >= FIRST_DAY && !Number.isNaN(at) && new Date(at).toISOString() === `${text}T00:00:00.000Z`
}

async function parseDays(body: ReadableStream<Uint8Array>, after: string): Promise<EcbDailyRates[]> {
  const days: EcbDailyRates[] = []
  let isOver = false
  let current: EcbDailyRates | null = null
  let count = 0
  const scanner = new XmlScanner({
    wantsText: false,
    text: () => undefined,
    close: () => undefined,
    open(tag) {
      if (isOver || tag.name !== 'Cube') return
      const day = tag.attribute('time')
      if (day !== undefined) {
        if (!isExistingDay(day)) throw new Error('a day of the rates is unreadable')
        // Newest first: what follows is known.
        isOver = day <= after && days.length > 0
        current = day > after ? { day, rates: {} } : null
        if (current) days.push(current)
        if (days.length > DAYS_MAX) throw new Error('the file of rates holds too many days')
        return
      }
      const [code, rate] = [tag.attribute('currency'), tag.attribute('rate')]
      if (!current || code === undefined || rate === undefined) return
      if (!CODE.test(code) || !RATE.test(rate) || Number(rate) <= 0) return
      count += 1
      if (count > RATES_MAX) throw new Error('the file of rates holds too many')
      current.rates[code] = rate
    },
  })
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    bytes += value.byteLength
    if (bytes > BYTES_MAX) throw new Error('the file of rates is too large')
    scanner.push(decoder.decode(value, { stream: true }))
    if (isOver) {
      await reader.cancel()
      return days.filter(({ rates }) => Object.keys(rates).length > 0)
    }
  }
  scanner.end()
  return days.filter(({ rates }) => Object.keys(rates).length > 0)
}
