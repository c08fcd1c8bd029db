import type { Account } from './accounts'
import { credit, debit, vatOf } from './books'
import type { Draft } from './books'
import type { Story } from './company'
import { monthsBetween, nextWorkday } from './days'
import type { Day } from './days'
import type { OrderLine } from './orders'
import type { Random } from './random'

const SALES: Record<string, Account> = { Sweden: 3001, Norway: 3105, Denmark: 3108, Finland: 3108 }
const FREIGHT_SHARE = 0.024

interface Invoice {
  day: Day
  due: Day
  orderNumber: number
  total: number
}

/** Every order is invoiced when it leaves; most customers pay on time, some a little late. */
export function salesPostings(random: Random, story: Story, orders: readonly OrderLine[]): Draft[] {
  const invoices: Invoice[] = []
  const drafts: Draft[] = []
  for (const lines of byOrder(orders)) {
    const [first] = lines
    if (!first) continue
    const { day, orderNumber, customer } = first
    const net = lines.reduce((sum, { amount }) => sum + amount, 0)
    const vat = customer.country === 'Sweden' ? vatOf(net) : 0
    const entries = [debit(1510, net + vat), credit(SALES[customer.country] ?? 3001, net)]
    if (vat !== 0) entries.push(credit(2611, vat))
    drafts.push({ day, series: 'B', text: `Faktura ${orderNumber}, kund ${customer.number}`, entries })
    const late = random.unit() < 0.2 ? random.int(3, 21) : random.int(-4, 2)
    invoices.push({ day, due: nextWorkday(day + 30 + late), orderNumber, total: net + vat })
  }
  return [...drafts, ...receipts(story, invoices)]
}

function byOrder(orders: readonly OrderLine[]): OrderLine[][] {
  const groups = new Map<number, OrderLine[]>()
  for (const line of orders) {
    const lines = groups.get(line.orderNumber)
    if (lines) lines.push(line)
    else groups.set(line.orderNumber, [line])
  }
  return [...groups.values()]
}

/** One voucher for each day on which money came in. What is due after today is still open. */
function receipts(story: Story, invoices: readonly Invoice[]): Draft[] {
  const days = new Map<Day, Invoice[]>()
  for (const invoice of invoices) {
    if (invoice.due > story.today) continue
    const paid = days.get(invoice.due)
    if (paid) paid.push(invoice)
    else days.set(invoice.due, [invoice])
  }
  return [...days].map(([day, paid]) => ({
    day,
    series: 'C',
    text: `Inbetalningar, ${paid.length} fakturor`,
    entries: [
      debit(
        1930,
        paid.reduce((sum, { total }) => sum + total, 0),
      ),
      ...paid.map(({ total }) => credit(1510, total)),
    ],
  }))
}

/**
 * Goods are bought a little ahead of the season; the stock account takes up what was bought and not yet sold, so that
 * purchases and its change together are the cost of what was sold.
 */
export function purchasePostings(random: Random, story: Story, orders: readonly OrderLine[]): Draft[] {
  const months = monthsBetween(story.from, story.today)
  const costs = months.map(({ first, last }) => sumOf(orders, { first, last }, 'cost'))
  const average = costs.reduce((sum, cost) => sum + cost, 0) / costs.length
  return months.flatMap(({ first, last }, at) => {
    const [sold, coming] = [costs[at] ?? 0, costs[at + 1] ?? average]
    const isWhole = last <= story.today
    const wanted = isWhole ? 0.72 * sold + 0.28 * Math.min(coming, 1.6 * average) : sold
    const bought = Math.round(random.around(wanted, 0.06))
    const end = Math.min(last, story.today)
    const parts = [0.4, 0.35]
    const amounts = parts.map((share) => Math.round(bought * share))
    amounts.push(bought - amounts.reduce((sum, amount) => sum + amount, 0))
    const bills = amounts.flatMap((net, n) =>
      bill(story, { day: nextWorkdayWithin(first + 4 + n * 8, end), net, text: `Varuinköp ${n + 1}`, account: 4010 }),
    )
    const freight = Math.round(sumOf(orders, { first, last: end }, 'amount') * random.around(FREIGHT_SHARE, 0.1))
    const change = bought - sold
    return [
      ...bills,
      ...bill(story, { day: end, net: freight, text: 'Frakt', account: 5710, costCentre: 20 }),
      { day: end, series: 'A', text: 'Lagerförändring', entries: [debit(1460, change), credit(4960, change)] },
    ]
  })
}

const nextWorkdayWithin = (day: Day, end: Day): Day => Math.min(nextWorkday(day), end)

const sumOf = (orders: readonly OrderLine[], days: { first: Day; last: Day }, what: 'amount' | 'cost'): number =>
  orders.reduce((sum, line) => (line.day >= days.first && line.day <= days.last ? sum + line[what] : sum), 0)

export interface Bill {
  day: Day
  net: number
  text: string
  account: Account
  costCentre?: 10 | 20 | 30
  /** Insurance and bank charges carry no VAT. */
  vatFree?: boolean
}

/** A supplier's bill, and its payment thirty days later when that has come. */
export function bill(story: Story, { day, net, text, account, costCentre, vatFree = false }: Bill): Draft[] {
  if (day > story.today) return []
  const vat = vatFree ? 0 : vatOf(net)
  const entries = [debit(account, net, costCentre), credit(2440, net + vat)]
  if (vat !== 0) entries.push(debit(2641, vat))
  const paid = nextWorkday(day + 30)
  const payment: Draft = {
    day: paid,
    series: 'E',
    text: `Betalning ${text}`,
    entries: [debit(2440, net + vat), credit(1930, net + vat)],
  }
  return [{ day, series: 'D', text, entries }, ...(paid <= story.today ? [payment] : [])]
}
