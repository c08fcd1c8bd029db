/** Made-up reference rates in the very layouts of the European Central Bank's files. */
export interface RateDay {
  day: string
  rates: Record<string, string>
}
const LEVELS: Record<string, [number, number]> = {
  USD: [1.08, 4],
  JPY: [160, 2],
  CZK: [25.2, 3],
  DKK: [7.46, 4],
  GBP: [0.85, 5],
  HUF: [395, 2],
  PLN: [4.3, 4],
  RON: [4.97, 4],
  SEK: [11.4, 4],
  CHF: [0.95, 4],
  ISK: [150, 1],
  NOK: [11.7, 4],
  TRY: [38, 4],
  AUD: [1.65, 4],
  BRL: [6, 4],
  CAD: [1.5, 4],
  CNY: [7.8, 4],
  HKD: [8.5, 4],
  IDR: [17_400, 2],
  ILS: [4.05, 4],
  INR: [91, 4],
  KRW: [1490, 2],
  MXN: [20.5, 4],
  MYR: [4.85, 4],
  NZD: [1.8, 4],
  PHP: [62, 3],
  SGD: [1.44, 4],
  THB: [38.5, 3],
  ZAR: [20, 4],
}
const HOLIDAYS = new Set(['01-01', '05-01', '12-25', '12-26'])
const DAY_MS = 86_400_000

/** Days with rates, newest first: no weekends, no holidays. The same day always has the same rates. */
export function generateRateDays(from: string, to: string): RateDay[] {
  const days: RateDay[] = []
  for (let at = Date.parse(to); at >= Date.parse(from); at -= DAY_MS) {
    const day = new Date(at).toISOString().slice(0, 10)
    if (new Date(at).getUTCDay() % 6 === 0 || HOLIDAYS.has(day.slice(5))) continue
    const n = Math.round(at / DAY_MS)
    const rates = Object.entries(LEVELS).map(([code, [level, decimals]], i) => {
      const wave = 0.03 * Math.sin(n / (70 + i)) + 0.004 * Math.sin(n * (1.7 + i / 10))
      return [code, (level * (1 + wave)).toFixed(decimals)]
    })
    days.push({ day, rates: Object.fromEntries(rates) })
  }
  return days
}

const envelope = (body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates</gesmes:subject><gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>${body}</gesmes:Envelope>`

/** As `eurofxref-hist.xml` and `eurofxref-hist-90d.xml`: one line, double quotes. */
export const historyXml = (days: readonly RateDay[]): string => {
  const cubes = days.map(({ day, rates }) => {
    const lines = Object.entries(rates).map(([code, rate]) => `<Cube currency="${code}" rate="${rate}"/>`)
    return `<Cube time="${day}">${lines.join('')}</Cube>`
  })
  return envelope(`<Cube>${cubes.join('')}</Cube>`)
}

/** As `eurofxref-daily.xml`: many lines, single quotes. */
export const dailyXml = ({ day, rates }: RateDay): string => {
  const lines = Object.entries(rates).map(([code, rate]) => `\t\t\t<Cube currency='${code}' rate='${rate}'/>`)
  return envelope(`\n\t<Cube>\n\t\t<Cube time='${day}'>\n${lines.join('\n')}\n\t\t</Cube>\n\t</Cube>\n`)
}

/** A file of the bank by its name, as it is at an instant (epoch ms); null for any other. */
export function ratesFile(name: string, now: number): string | null {
  // Published at 15 UTC: earlier in the day, the day before is the newest.
  const today = new Date(now - 15 * 3_600_000).toISOString().slice(0, 10)
  const since = (days: number): string => new Date(Date.parse(today) - days * DAY_MS).toISOString().slice(0, 10)
  if (name === 'eurofxref-hist.xml') return historyXml(generateRateDays('2019-01-02', today))
  if (name === 'eurofxref-hist-90d.xml') return historyXml(generateRateDays(since(90), today))
  const [newest] = generateRateDays(since(10), today)
  return name === 'eurofxref-daily.xml' && newest ? dailyXml(newest) : null
}
