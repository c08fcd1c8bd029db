import type { SampleScenario } from './company'
import type { Customer } from './customers'
import { isWorkday, monthOf, yearOf } from './days'
import type { DayNumber } from './days'
import { groupWeight, monthWeight, PRODUCT_GROUPS, PRODUCTS } from './products'
import type { Product, ProductGroup } from './products'
import type { SeededRandom } from './random'

/** One line of an order. Money in öre; a return has a negative quantity. */
export interface OrderLine {
  day: DayNumber
  orderNumber: number
  customer: Customer
  product: Product
  quantity: number
  unitPrice: number
  amount: number
  cost: number
}

const FIRST_ORDER = 240_101
const ORDERS_A_DAY = 6
const GROWTH_A_YEAR = 0.055
const PRICES_A_YEAR = 0.028
const RETURNS = 0.012
/** How far the purchase price has risen by the end of the slip. */
const COST_INCREASE = 0.24

/** All orders of the story's days, in order of date and number. */
export function makeOrders(
  seededRandom: SeededRandom,
  sampleScenario: SampleScenario,
  customers: readonly [Customer, ...Customer[]],
): OrderLine[] {
  const lines: OrderLine[] = []
  let orderNumber = FIRST_ORDER
  for (let day = sampleScenario.from; day <= sampleScenario.today; day++) {
    if (!isWorkday(day)) continue
    for (let left = ordersOn(seededRandom, sampleScenario, day); left > 0; left--) {
      const customer = seededRandom.weighted(customers, (one) => weightOn(one, sampleScenario, day))
      lines.push(...orderLines(seededRandom, sampleScenario, { day, customer, orderNumber: orderNumber++ }))
    }
  }
  return lines
}

function ordersOn(seededRandom: SeededRandom, sampleScenario: SampleScenario, dayNumber: DayNumber): number {
  const years = (dayNumber - sampleScenario.from) / 365
  const expected = ORDERS_A_DAY * (1 + GROWTH_A_YEAR * years) * monthWeight(monthOf(dayNumber))
  const drawn = seededRandom.scatter(expected, 0.45)
  return Math.floor(drawn) + (seededRandom.unit() < drawn % 1 ? 1 : 0)
}

/** The customer that stops orders less in its last two months, then nothing. */
function weightOn(customer: Customer, sampleScenario: SampleScenario, dayNumber: DayNumber): number {
  if (dayNumber < customer.since) return 0
  if (customer.number !== sampleScenario.lostCustomer) return customer.weight
  if (dayNumber > sampleScenario.lastOrder) return 0
  return customer.weight * (sampleScenario.lastOrder - dayNumber < 45 ? 0.7 : 1)
}

function orderLines(
  seededRandom: SeededRandom,
  sampleScenario: SampleScenario,
  order: { day: DayNumber; customer: Customer; orderNumber: number },
): OrderLine[] {
  const month = monthOf(order.day)
  const isReturn = seededRandom.unit() < RETURNS
  const count = isReturn ? 1 : seededRandom.weighted([1, 2, 3, 4, 5, 6], (n) => 7 - n)
  return Array.from({ length: count }, () => {
    const group = seededRandom.weighted(PRODUCT_GROUPS, (one) => groupWeight(one, month))
    const product = productOf(seededRandom, group)
    const size = 1.15 + Math.min(order.customer.weight, 6) / 2.2
    const pieces = Math.max(1, Math.round(seededRandom.scatter(product.pack * size, 0.7)))
    const quantity = isReturn ? -Math.max(1, Math.floor(pieces / 4)) : pieces
    const unitPrice = priceOn(product, sampleScenario, order)
    const cost = quantity * unitCost(product, sampleScenario, order.day)
    return { ...order, product, quantity, unitPrice, amount: quantity * unitPrice, cost }
  })
}

const BY_GROUP = new Map<ProductGroup, Product[]>(
  PRODUCT_GROUPS.map((group) => [group, PRODUCTS.filter((product) => product.group === group)]),
)
function productOf(seededRandom: SeededRandom, group: ProductGroup): Product {
  const [first, ...rest] = BY_GROUP.get(group) ?? []
  if (!first) throw new Error(`no products of ${group}`)
  return seededRandom.pick([first, ...rest])
}

/** Prices rise every January. */
const yearsSinceStart = (sampleScenario: SampleScenario, dayNumber: DayNumber): number =>
  yearOf(dayNumber) - yearOf(sampleScenario.from)
const priceAfterYears = (price: number, years: number): number => price * (1 + PRICES_A_YEAR * years)

function priceOn(
  product: Product,
  sampleScenario: SampleScenario,
  order: { day: DayNumber; customer: Customer },
): number {
  const list = priceAfterYears(product.listPrice, yearsSinceStart(sampleScenario, order.day))
  // Whole tens of öre, as price lists have them.
  return Math.round((list * (1 - order.customer.discount)) / 10) * 10
}

function unitCost(product: Product, sampleScenario: SampleScenario, dayNumber: DayNumber): number {
  const usual = priceAfterYears(product.listPrice, yearsSinceStart(sampleScenario, dayNumber)) * product.costShare
  const slips = product.group === sampleScenario.slippingGroup && dayNumber >= sampleScenario.slipFrom
  const risen = slips
    ? 1 + (COST_INCREASE * (dayNumber - sampleScenario.slipFrom)) / (sampleScenario.today - sampleScenario.slipFrom)
    : 1
  return Math.round(usual * risen)
}
