import type { Story } from './company'
import type { Customer } from './customers'
import { isWorkday, monthOf, yearOf } from './days'
import type { Day } from './days'
import { groupWeight, monthWeight, PRODUCT_GROUPS, PRODUCTS } from './products'
import type { Product, ProductGroup } from './products'
import type { Random } from './random'

/** One line of an order. Money in öre; a return has a negative quantity. */
export interface OrderLine {
  day: Day
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
const SLIP = 0.24

/** All orders of the story's days, in order of date and number. */
export function makeOrders(random: Random, story: Story, customers: readonly [Customer, ...Customer[]]): OrderLine[] {
  const lines: OrderLine[] = []
  let orderNumber = FIRST_ORDER
  for (let day = story.from; day <= story.today; day++) {
    if (!isWorkday(day)) continue
    for (let left = ordersOn(random, story, day); left > 0; left--) {
      const customer = random.weighted(customers, (one) => weightOn(one, story, day))
      lines.push(...orderLines(random, story, { day, customer, orderNumber: orderNumber++ }))
    }
  }
  return lines
}

function ordersOn(random: Random, story: Story, day: Day): number {
  const years = (day - story.from) / 365
  const expected = ORDERS_A_DAY * (1 + GROWTH_A_YEAR * years) * monthWeight(monthOf(day))
  const drawn = random.around(expected, 0.45)
  return Math.floor(drawn) + (random.unit() < drawn % 1 ? 1 : 0)
}

/** The customer that stops orders less in its last two months, then nothing. */
function weightOn(customer: Customer, story: Story, day: Day): number {
  if (day < customer.since) return 0
  if (customer.number !== story.lostCustomer) return customer.weight
  if (day > story.lastOrder) return 0
  return customer.weight * (story.lastOrder - day < 45 ? 0.7 : 1)
}

function orderLines(
  random: Random,
  story: Story,
  order: { day: Day; customer: Customer; orderNumber: number },
): OrderLine[] {
  const month = monthOf(order.day)
  const isReturn = random.unit() < RETURNS
  const count = isReturn ? 1 : random.weighted([1, 2, 3, 4, 5, 6], (n) => 7 - n)
  return Array.from({ length: count }, () => {
    const group = random.weighted(PRODUCT_GROUPS, (one) => groupWeight(one, month))
    const product = productOf(random, group)
    const size = 1.15 + Math.min(order.customer.weight, 6) / 2.2
    const pieces = Math.max(1, Math.round(random.around(product.pack * size, 0.7)))
    const quantity = isReturn ? -Math.max(1, Math.floor(pieces / 4)) : pieces
    const unitPrice = priceOn(product, story, order)
    const cost = quantity * unitCost(product, story, order.day)
    return { ...order, product, quantity, unitPrice, amount: quantity * unitPrice, cost }
  })
}

const BY_GROUP = new Map<ProductGroup, Product[]>(
  PRODUCT_GROUPS.map((group) => [group, PRODUCTS.filter((product) => product.group === group)]),
)
function productOf(random: Random, group: ProductGroup): Product {
  const [first, ...rest] = BY_GROUP.get(group) ?? []
  if (!first) throw new Error(`no products of ${group}`)
  return random.pick([first, ...rest])
}

/** Prices rise every January. */
const yearsIn = (story: Story, day: Day): number => yearOf(day) - yearOf(story.from)
const raised = (price: number, years: number): number => price * (1 + PRICES_A_YEAR * years)

function priceOn(product: Product, story: Story, order: { day: Day; customer: Customer }): number {
  const list = raised(product.listPrice, yearsIn(story, order.day))
  // Whole tens of öre, as price lists have them.
  return Math.round((list * (1 - order.customer.discount)) / 10) * 10
}

function unitCost(product: Product, story: Story, day: Day): number {
  const usual = raised(product.listPrice, yearsIn(story, day)) * product.costShare
  const slips = product.group === story.slippingGroup && day >= story.slipFrom
  const risen = slips ? 1 + (SLIP * (day - story.slipFrom)) / (story.today - story.slipFrom) : 1
  return Math.round(usual * risen)
}
