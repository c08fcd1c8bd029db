import { describe, expect, it } from 'vitest'
import { readSie, type SieRecords } from '../../test/worker/sie-records'
import { isoFromDay } from './days'
import type { OrderLine } from './orders'
import { customerSheet, generateCompany, ledgerFiles, ordersFile, type SampleCompany } from './sample-company'

const TODAY = '2026-11-21'
/** Also the first days of a year, a leap day, and the last day of a quarter. */
const DAYS = [TODAY, '2027-01-02', '2028-02-29', '2026-06-30', '2026-12-31']
/** Of each day once: making one takes a while. */
const onceADay = <T>(make: (today: string) => T): ((today: string) => T) => {
  const made = new Map<string, T>()
  return (today) => {
    const one = made.get(today) ?? make(today)
    made.set(today, one)
    return one
  }
}
const companyOf = onceADay(generateCompany)
const company = companyOf(TODAY)

const sum = (amounts: Iterable<number>): number => [...amounts].reduce((total, amount) => total + amount, 0)
const movements = ({ vouchers }: SieRecords): Map<string, number> => {
  const sums = new Map<string, number>()
  for (const { account, ore } of vouchers.flatMap(({ rows }) => rows)) sums.set(account, (sums.get(account) ?? 0) + ore)
  return sums
}
const ledgerOf = onceADay((today): SieRecords[] => ledgerFiles(companyOf(today)).map(({ bytes }) => readSie(bytes)))

describe('the books', () => {
  it.each(DAYS)('balance every voucher to the öre up to %s', (today) => {
    const unbalanced = ledgerOf(today).flatMap(({ vouchers }) =>
      vouchers.filter(({ rows }) => rows.length < 2 || sum(rows.map(({ ore }) => ore)) !== 0),
    )
    expect(unbalanced).toEqual([])
  })

  it.each(DAYS)('close every account of every year where its opening and its vouchers lead, up to %s', (today) => {
    for (const year of ledgerOf(today)) {
      const moved = movements(year)
      for (const account of new Set([...moved.keys(), ...year.opening.keys()])) {
        const end = (year.opening.get(account) ?? 0) + (moved.get(account) ?? 0)
        const stated = account < '3' ? year.closing.get(account) : year.results.get(account)
        expect([account, stated ?? 0]).toEqual([account, end])
      }
      expect(sum(year.opening.values())).toBe(0)
      expect(sum(year.closing.values()) + sum(year.results.values())).toBe(0)
    }
  })

  it.each(DAYS)('open each year with what the year before left, up to %s', (today) => {
    const years = ledgerOf(today)
    expect(years).toHaveLength(3)
    const nonZero = (balances: Map<string, number>) => [...balances].filter(([, amount]) => amount !== 0)
    for (const [at, year] of years.entries()) {
      const before = years[at - 1]
      if (before) expect(nonZero(year.opening)).toEqual(nonZero(before.closing))
      const { values, vouchers } = year
      const [, from = '', to = ''] = values.get('#RAR') ?? []
      expect(vouchers.every(({ date }) => date >= from && date <= to && date <= today.replaceAll('-', ''))).toBe(true)
      for (const series of new Set(vouchers.map((voucher) => voucher.series))) {
        const numbers = vouchers.filter((voucher) => voucher.series === series).map(({ number }) => number)
        expect(numbers).toEqual(numbers.map((_, n) => n + 1))
      }
    }
  })

  it('book as sales of each month exactly what was ordered in it', () => {
    const booked = new Map<string, number>()
    for (const { vouchers } of ledgerOf(TODAY))
      for (const { date, rows } of vouchers)
        for (const { account, ore } of rows)
          if (account.startsWith('3')) booked.set(date.slice(0, 6), (booked.get(date.slice(0, 6)) ?? 0) - ore)
    const ordered = new Map<string, number>()
    for (const { day, amount } of company.orders) {
      const month = isoFromDay(day).slice(0, 7).replace('-', '')
      ordered.set(month, (ordered.get(month) ?? 0) + amount)
    }
    expect(Object.fromEntries(ordered)).toEqual(Object.fromEntries(booked))
  })

  it('never let the bank account or the stock fall below nothing', () => {
    for (const account of [1930, 1460]) {
      for (const { opening, vouchers } of company.years) {
        let balance = sum([...opening].filter(([of]) => of === account).map(([, amount]) => amount))
        let lowest = balance
        for (const entry of vouchers.flatMap(({ entries }) => entries)) {
          if (entry.account === account) balance += entry.amount
          lowest = Math.min(lowest, balance)
        }
        expect(lowest, `${account}`).toBeGreaterThan(0)
      }
    }
  })

  it('are those of a number that passes the checksum', () => {
    const [number = ''] = ledgerOf(TODAY)[0]?.values.get('#ORGNR') ?? []
    const digits = Array.from(number.replace('-', ''), Number)
    const doubled = digits.map((digit, at) => (at % 2 === 0 ? digit * 2 : digit)).map((n) => (n > 9 ? n - 9 : n))
    expect(digits).toHaveLength(10)
    expect(sum(doubled) % 10).toBe(0)
  })
})

const marginOf = (lines: OrderLine[]): number =>
  1 - sum(lines.map(({ cost }) => cost)) / sum(lines.map(({ amount }) => amount))
const between = (from: number, to: number): OrderLine[] => company.orders.filter(({ day }) => day >= from && day < to)

describe('the story', () => {
  const { story, orders, years } = company
  const paint = (lines: OrderLine[]) => lines.filter(({ product }) => product.group === 'Paint')
  const others = (lines: OrderLine[]) => lines.filter(({ product }) => product.group !== 'Paint')

  it('lets the margin of one product group slip in the last half-year, and no other', () => {
    const [before, lately] = [between(story.today - 360, story.slipFrom), between(story.today - 45, story.today + 1)]
    expect(marginOf(paint(before)) - marginOf(paint(lately))).toBeGreaterThan(0.09)
    expect(Math.abs(marginOf(others(before)) - marginOf(others(lately)))).toBeLessThan(0.015)
  })

  it('loses one of the two largest customers, who had bought every month before', () => {
    const bought = new Map<number, number>()
    for (const { customer, amount } of between(story.from, story.lastOrder))
      bought.set(customer.number, (bought.get(customer.number) ?? 0) + amount)
    const ranked = [...bought].toSorted(([, a], [, b]) => b - a).map(([number]) => number)
    expect(ranked.indexOf(story.lostCustomer)).toBeLessThan(2)
    const days = orders.filter(({ customer }) => customer.number === story.lostCustomer).map(({ day }) => day)
    expect(Math.max(...days)).toBeLessThanOrEqual(story.lastOrder)
    expect(new Set(days.map((day) => isoFromDay(day).slice(0, 7))).size).toBeGreaterThanOrEqual(30)
  })

  it('has a season: spring sells half as much again as winter, every year', () => {
    for (const year of ['2024', '2025', '2026']) {
      const of = (months: string[]) =>
        sum(
          orders
            .filter(({ day }) => months.some((month) => isoFromDay(day).startsWith(`${year}-${month}`)))
            .map((line) => line.amount),
        )
      expect(of(['04', '05', '06']) / of(['01', '02', '03'])).toBeGreaterThan(1.4)
    }
  })

  it('books one cost that has no like', () => {
    const repairs = years
      .flatMap(({ vouchers }) => vouchers.flatMap(({ entries }) => entries))
      .filter(({ account }) => account === 5070)
    expect(repairs.map(({ amount }) => amount)).toEqual([74_250_000])
  })

  it('grows from year to year, and makes a profit', () => {
    const sales = years.map(({ results }) => -sum([...results].filter(([account]) => account < 4000).map(([, n]) => n)))
    expect((sales[1] ?? 0) / (sales[0] ?? 1)).toBeGreaterThan(1.02)
    for (const { closing } of years.slice(0, 2)) expect(closing.get(2099)).toBeLessThan(-100_000_000)
  })
})

describe('the files', () => {
  it('are the same bytes for the same day, and others for another', () => {
    // Each byte is a sign of its own in this encoding.
    const decoder = new TextDecoder('windows-1252')
    const textsOf = (made: SampleCompany): string[] =>
      [ordersFile(made), ...ledgerFiles(made)].map(({ fileName, bytes }) => `${fileName}\n${decoder.decode(bytes)}`)
    const once = textsOf(company)
    expect(textsOf(generateCompany(TODAY))).toEqual(once)
    expect(textsOf(generateCompany('2026-11-20'))[0]).not.toBe(once[0])
  })

  it('hold 8 000 to 15 000 order lines, whatever the day', () => {
    for (const today of DAYS) {
      const { length } = companyOf(today).orders
      expect(length).toBeGreaterThan(8_000)
      expect(length).toBeLessThan(15_000)
    }
  })

  it('write orders in Swedish notation, quantity times price to the öre', () => {
    const { bytes } = ordersFile(company)
    const [header = '', ...lines] = new TextDecoder('windows-1252').decode(bytes).trimEnd().split('\r\n')
    expect(header.split(';')).toHaveLength(12)
    expect(lines).toHaveLength(company.orders.length)
    for (const line of lines) {
      const [day, , , , , quantity, price = '', amount = ''] = line.split(';')
      expect(day).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(`${price} ${amount}`).toMatch(/^\d+,\d\d -?\d+,\d\d$/)
      const ore = (text: string) => Number(text.replace(',', ''))
      expect(Number(quantity) * ore(price)).toBe(ore(amount))
    }
    expect(lines.some((line) => line.includes('Mikael Åkesson'))).toBe(true)
  })

  it('know every customer of the orders exactly once', () => {
    const { rows } = customerSheet(company)
    const numbers = rows.slice(1).map(([number]) => number)
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(company.orders.every(({ customer }) => numbers.includes(customer.number))).toBe(true)
  })
})
