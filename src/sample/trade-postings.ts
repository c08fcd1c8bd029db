import type { Account } from './accounts'
import { credit, debit, vatOf } from './books'
import type { VoucherDraft } from './books'
import type { SampleScenario } from './company'
import { monthsBetween, nextWorkday } from './days'
import type { DayNumber } from './days'
import type { OrderLine } from './orders'
import type { SeededRandom } from './random'

const SALES: Record<string, Account> = { Sweden: 3001, Norway: 3105, Denmark: 3108, Finland: 3108 }
const FREIGHT_SHARE = 0.024

interface Invoice {
  day: DayNumber
  due: DayNumber
  orderNumber: number
  total: number
}

/** Every order is invoiced when it leaves; most customers pay on time, some a little late. */
export function salesPostings(
  seededRandom: SeededRandom,
  sampleScenario: SampleScenario,
  orders: readonly OrderLine[],
): VoucherDraft[] {
  const invoices: Invoice[] = []
  const drafts: VoucherDraft[] = []
  for (const lines of groupByOrder(orders)) {
    const [first] = lines
    if (!first) continue
    const { day, orderNumber, customer } = first
    const net = lines.reduce((sum, { amount }) => sum + amount, 0)
    const vat = customer.country === 'Sweden' ? vatOf(net) : 0
    const entries = [debit(1510, net + vat), credit(SALES[customer.country] ?? 3001, net)]
    if (vat !== 0) entries.push(credit(2611, vat))
    drafts.push({ day, series: 'B', text: `Faktura ${orderNumber}, kund ${customer.number}`, entries })
    const late = seededRandom.unit() < 0.2 ? seededRandom.int(3, 21) : seededRandom.int(-4, 2)
    invoices.push({ day, due: nextWorkday(day + 30 + late), orderNumber, total: net + vat })
  }
  return [...drafts, ...receiptPostings(sampleScenario, invoices)]
}

function groupByOrder(orders: readonly OrderLine[]): OrderLine[][] {
  const groups = new Map<number, OrderLine[]>()
  for (const line of orders) {
    const lines = groups.get(line.orderNumber)
    if (lines) lines.push(line)
    else groups.set(line.orderNumber, [line])
  }
  return [...groups.values()]
}

/** One voucher for each day on which money came in. What is due after today is still open. */
function receiptPostings(sampleScenario: SampleScenario, invoices: readonly Invoice[]): VoucherDraft[] {
  const days = new Map<DayNumber, Invoice[]>()
  for (const invoice of invoices) {
    if (invoice.due > sampleScenario.today) continue
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
export function purchasePostings(
  seededRandom: SeededRandom,
  sampleScenario: SampleScenario,
  orders: readonly OrderLine[],
): VoucherDraft[] {
  const months = monthsBetween(sampleScenario.from, sampleScenario.today)
  const costs = months.map(({ first, last }) => sumOf(orders, { first, last }, 'cost'))
  const average = costs.reduce((sum, cost) => sum + cost, 0) / costs.length
  return months.flatMap(({ first, last }, at) => {
    const [sold, coming] = [costs[at] ?? 0, costs[at + 1] ?? average]
    const isWhole = last <= sampleScenario.today
    const wanted = isWhole ? 0.72 * sold + 0.28 * Math.min(coming, 1.6 * average) : sold
    const bought = Math.round(seededRandom.scatter(wanted, 0.06))
    const end = Math.min(last, sampleScenario.today)
    const parts = [0.4, 0.35]
    const amounts = parts.map((share) => Math.round(bought * share))
    amounts.push(bought - amounts.reduce((sum, amount) => sum + amount, 0))
    const bills = amounts.flatMap((net, n) =>
      billPostings(sampleScenario, {
        day: nextWorkdayWithin(first + 4 + n * 8, end),
        net,
        text: `Varuinköp ${n + 1}`,
        account: 4010,
      }),
    )
    const freight = Math.round(sumOf(orders, { first, last: end }, 'amount') * seededRandom.scatter(FREIGHT_SHARE, 0.1))
    const change = bought - sold
    return [
      ...bills,
      ...billPostings(sampleScenario, { day: end, net: freight, text: 'Frakt', account: 5710, costCentre: 20 }),
      { day: end, series: 'A', text: 'Lagerförändring', entries: [debit(1460, change), credit(4960, change)] },
    ]
  })
}

const nextWorkdayWithin = (dayNumber: DayNumber, end: DayNumber): DayNumber => Math.min(nextWorkday(dayNumber), end)

const sumOf = (
  orders: readonly OrderLine[],
  days: { first: DayNumber; last: DayNumber },
  what: 'amount' | 'cost',
): number => orders.reduce((sum, line) => (line.day >= days.first && line.day <= days.last ? sum + line[what] : sum), 0)

export interface SupplierBill {
  day: DayNumber
  net: number
  text: string
  account: Account
  costCentre?: 10 | 20 | 30
  /** Insurance and bank charges carry no VAT. */
  vatFree?: boolean
}

/** A supplier's bill, and its payment thirty days later when that has come. */
export function billPostings(
  sampleScenario: SampleScenario,
  { day, net, text, account, costCentre, vatFree = false }: SupplierBill,
): VoucherDraft[] {
  if (day > sampleScenario.today) return []
  const vat = vatFree ? 0 : vatOf(net)
  const entries = [debit(account, net, costCentre), credit(2440, net + vat)]
  if (vat !== 0) entries.push(debit(2641, vat))
  const paid = nextWorkday(day + 30)
  const payment: VoucherDraft = {
    day: paid,
    series: 'E',
    text: `Betalning ${text}`,
    entries: [debit(2440, net + vat), credit(1930, net + vat)],
  }
  return [{ day, series: 'D', text, entries }, ...(paid <= sampleScenario.today ? [payment] : [])]
}
