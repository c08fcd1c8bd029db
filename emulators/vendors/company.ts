import { generateCompany, type SampleCompany } from '../../src/sample/sample-company'
import { isoFromDay, type DayNumber } from '../../src/sample/days'
import type { OrderLine } from '../../src/sample/orders'
import { closeYear, vatOf, type FiscalYear } from '../../src/sample/bookkeeping'

/** One order as a vendor's programs see it: what is billed together. Money in öre. */
export interface VendorOrder {
  number: number
  day: DayNumber
  customer: OrderLine['customer']
  lines: OrderLine[]
  net: number
  vat: number
}

/** What the customer of a vendor has: the made-up company of the samples, its orders put together. */
export interface VendorCompany extends SampleCompany {
  placed: VendorOrder[]
}

const companies = new Map<string, VendorCompany>()

/** The company whose books end on a day (ISO). The same one each time it is asked for: it is not changed. */
export function vendorCompany(today: string): VendorCompany {
  const known = companies.get(today)
  if (known) return known
  const company = generateCompany(today)
  const byNumber = Map.groupBy(company.orders, ({ orderNumber }) => orderNumber)
  const placed = [...byNumber].flatMap(([number, lines]): VendorOrder[] => {
    const [first] = lines
    if (!first) return []
    const net = lines.reduce((sum, { amount }) => sum + amount, 0)
    const vat = first.customer.country === 'Sweden' ? vatOf(net) : 0
    return [{ number, day: first.day, customer: first.customer, lines, net, vat }]
  })
  const made = { ...company, placed }
  companies.set(today, made)
  return made
}

export const COUNTRY_CODES: Readonly<Record<string, string>> = {
  Sweden: 'SE',
  Norway: 'NO',
  Denmark: 'DK',
  Finland: 'FI',
}
export const countryCodeOf = (country: string): string => COUNTRY_CODES[country] ?? 'SE'

/** Öre as a number of kronor, as JSON of vendors has it. */
export const kronor = (amount: number): number => amount / 100
export { isoFromDay }

/** The page of a list: 1-based, `size` each. */
export function pageOf<T>(items: readonly T[], page: number, size: number): T[] {
  return items.slice((page - 1) * size, page * size)
}

/** The same company with few records of each kind, whose books balance all the same: for tests that read all of it often. */
export function smallCompany(today: string, { orders = 5, vouchers = 6, years = 2 } = {}): VendorCompany {
  const whole = vendorCompany(today)
  const books: FiscalYear[] = []
  for (const year of whole.years.slice(-years)) {
    const opening = books.at(-1)?.closing ?? year.opening
    books.push(closeYear(Number(isoFromDay(year.from).slice(0, 4)), opening, year.vouchers.slice(0, vouchers)))
  }
  const placed = orders === 0 ? [] : whole.placed.slice(-orders)
  const customers = whole.customers.slice(0, Math.max(orders, 3))
  return { ...whole, placed, orders: placed.flatMap(({ lines }) => lines), customers, years: books }
}
