import { credit, debit, vatOf, type Account, type VoucherDraft } from './bookkeeping'
import type { SampleScenario } from './scenario'
import { monthsBetween, nextWorkday, dayFromDate, yearOf, type DayNumber } from './days'
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
  random: SeededRandom,
  scenario: SampleScenario,
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
    const late = random.unit() < 0.2 ? random.int(3, 21) : random.int(-4, 2)
    invoices.push({ day, due: nextWorkday(day + 30 + late), orderNumber, total: net + vat })
  }
  return [...drafts, ...receiptPostings(scenario, invoices)]
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
function receiptPostings(scenario: SampleScenario, invoices: readonly Invoice[]): VoucherDraft[] {
  const days = new Map<DayNumber, Invoice[]>()
  for (const invoice of invoices) {
    if (invoice.due > scenario.today) continue
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
  random: SeededRandom,
  scenario: SampleScenario,
  orders: readonly OrderLine[],
): VoucherDraft[] {
  const months = monthsBetween(scenario.from, scenario.today)
  const costs = months.map(({ first, last }) => sumOf(orders, { first, last }, 'cost'))
  const average = costs.reduce((sum, cost) => sum + cost, 0) / costs.length
  return months.flatMap(({ first, last }, at) => {
    const [sold, coming] = [costs[at] ?? 0, costs[at + 1] ?? average]
    const isWhole = last <= scenario.today
    const wanted = isWhole ? 0.72 * sold + 0.28 * Math.min(coming, 1.6 * average) : sold
    const bought = Math.round(random.scatter(wanted, 0.06))
    const end = Math.min(last, scenario.today)
    const parts = [0.4, 0.35]
    const amounts = parts.map((share) => Math.round(bought * share))
    amounts.push(bought - amounts.reduce((sum, amount) => sum + amount, 0))
    const bills = amounts.flatMap((net, n) =>
      billPostings(scenario, {
        day: nextWorkdayWithin(first + 4 + n * 8, end),
        net,
        text: `Varuinköp ${n + 1}`,
        account: 4010,
      }),
    )
    const freight = Math.round(sumOf(orders, { first, last: end }, 'amount') * random.scatter(FREIGHT_SHARE, 0.1))
    const change = bought - sold
    return [
      ...bills,
      ...billPostings(scenario, { day: end, net: freight, text: 'Frakt', account: 5710, costCentre: 20 }),
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

interface SupplierBill {
  day: DayNumber
  net: number
  text: string
  account: Account
  costCentre?: 10 | 20 | 30
  /** Insurance and bank charges carry no VAT. */
  vatFree?: boolean
}

/** A supplier's bill, and its payment thirty days later when that has come. */
function billPostings(
  scenario: SampleScenario,
  { day, net, text, account, costCentre, vatFree = false }: SupplierBill,
): VoucherDraft[] {
  if (day > scenario.today) return []
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
  return [{ day, series: 'D', text, entries }, ...(paid <= scenario.today ? [payment] : [])]
}

/** Öre a month. */
const KRONA = 100
const RENT = 168_000 * KRONA
const WAGES = 205_000 * KRONA
const SALARIES = 348_000 * KRONA
const DEPRECIATION = 46_500 * KRONA
const INSTALMENT = 62_500 * KRONA
const SOCIAL_SHARE = 0.3142
const TAX_SHARE = 0.29
const INTEREST_A_QUARTER = 0.0115
const OPENING_LOAN = 4_800_000 * KRONA
/** The one-off of the story. */
const DAMAGE = 742_500 * KRONA

/** Dark months cost more light and heat, January first. */
const POWER = [1.7, 1.6, 1.3, 1.0, 0.8, 0.7, 0.7, 0.75, 0.85, 1.1, 1.4, 1.6]
const CAMPAIGNS = [0.6, 0.8, 1.9, 1.8, 1.4, 0.9, 0.4, 0.9, 1.1, 0.8, 0.8, 0.6]

/** What a company pays whether or not it sells: rent, pay, power, cars, insurance; and the one bill of the story. */
export function costPostings(random: SeededRandom, scenario: SampleScenario): VoucherDraft[] {
  const monthly = monthsBetween(scenario.from, scenario.today).flatMap((month) => [
    ...monthlyBills(random, scenario, month),
    ...payroll(scenario, month),
    ...monthEndPostings(scenario, month),
  ])
  return [
    ...monthly,
    ...billPostings(scenario, {
      day: scenario.damage,
      net: DAMAGE,
      text: 'Sanering efter vattenskada i lagret',
      account: 5070,
      costCentre: 20,
    }),
  ]
}

interface Month {
  year: number
  month: number
  last: DayNumber
}
const priceLevel = (scenario: SampleScenario, year: number): number => 1 + 0.03 * (year - yearOf(scenario.from))

function monthlyBills(random: SeededRandom, scenario: SampleScenario, { year, month }: Month): VoucherDraft[] {
  const dearer = priceLevel(scenario, year)
  const kronor = (amount: number, spread = 0.12): number => Math.round(random.scatter(amount * dearer, spread)) * KRONA
  const on = (day: number): DayNumber => nextWorkday(dayFromDate(year, month, day))
  const list: SupplierBill[] = [
    { day: on(1), net: Math.round(RENT * dearer), text: 'Hyra', account: 5010, costCentre: 20 },
    { day: on(12), net: kronor(31_000 * (POWER[month - 1] ?? 1), 0.08), text: 'El', account: 5020, costCentre: 20 },
    { day: on(9), net: kronor(58_000 * (CAMPAIGNS[month - 1] ?? 1)), text: 'Annonser', account: 5910, costCentre: 10 },
    { day: on(15), net: kronor(21_500), text: 'Drivmedel', account: 5611, costCentre: 10 },
    { day: on(3), net: kronor(27_400, 0), text: 'Leasing bilar', account: 5615, costCentre: 10 },
    { day: on(20), net: kronor(9_800, 0.5), text: 'Förbrukningsinventarier', account: 5410, costCentre: 20 },
    { day: on(18), net: kronor(3_900, 0.4), text: 'Kontorsmateriel', account: 6110, costCentre: 30 },
    { day: on(6), net: kronor(6_700, 0.1), text: 'Telefoni', account: 6212, costCentre: 30 },
    { day: on(5), net: kronor(33_500, 0.05), text: 'Affärssystem och IT-drift', account: 6540, costCentre: 30 },
    { day: on(28), net: kronor(2_900, 0.3), text: 'Bankavgifter', account: 6570, costCentre: 30, vatFree: true },
  ]
  if (month === 1)
    list.push({
      day: on(22),
      net: kronor(186_000, 0),
      text: 'Företagsförsäkring',
      account: 6310,
      costCentre: 30,
      vatFree: true,
    })
  if (month === 3)
    list.push({
      day: on(24),
      net: kronor(8_000, 0.3),
      text: 'Revision, utöver reserverat',
      account: 6420,
      costCentre: 30,
    })
  return list.flatMap((one) => billPostings(scenario, one))
}

/** Pay on the 25th; tax and social fees on the 12th of the month after. */
function payroll(scenario: SampleScenario, { year, month }: Month): VoucherDraft[] {
  const day = dayFromDate(year, month, 25)
  if (day > scenario.today) return []
  // Pay is revised in April.
  const raised = priceLevel(scenario, year) * (month >= 4 ? 1.026 : 1)
  const [wages, salaries] = [Math.round(WAGES * raised), Math.round(SALARIES * raised)]
  const tax = Math.round((wages + salaries) * TAX_SHARE)
  const social = Math.round((wages + salaries) * SOCIAL_SHARE)
  const pay: VoucherDraft = {
    day,
    series: 'L',
    text: 'Löner',
    entries: [
      debit(7010, wages, 20),
      debit(7210, Math.round(salaries * 0.6), 10),
      debit(7210, salaries - Math.round(salaries * 0.6), 30),
      credit(2710, tax),
      credit(1930, wages + salaries - tax),
      debit(7510, social, 30),
      credit(2731, social),
    ],
  }
  const due = nextWorkday(dayFromDate(year, month + 1, 12))
  const paid: VoucherDraft = {
    day: due,
    series: 'E',
    text: 'Skatter och avgifter',
    entries: [debit(2710, tax), debit(2731, social), credit(1930, tax + social)],
  }
  return due <= scenario.today ? [pay, paid] : [pay]
}

function monthEndPostings(scenario: SampleScenario, { year, month, last }: Month): VoucherDraft[] {
  if (last > scenario.today) return []
  const wear: VoucherDraft = {
    day: last,
    series: 'A',
    text: 'Avskrivning',
    entries: [debit(7832, DEPRECIATION, 20), credit(1229, DEPRECIATION)],
  }
  if (month % 3 !== 0) return [wear]
  const paidBefore = ((year - yearOf(scenario.from)) * 4 + month / 3 - 1) * INSTALMENT
  const interest = Math.round((OPENING_LOAN - paidBefore) * INTEREST_A_QUARTER)
  const loan: VoucherDraft = {
    day: last,
    series: 'E',
    text: 'Amortering och ränta',
    entries: [debit(2350, INSTALMENT), debit(8410, interest), credit(1930, INSTALMENT + interest)],
  }
  return [wear, loan]
}
