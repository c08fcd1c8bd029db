import type { SampleScenario } from './scenario'
import type { Customer } from './customers'
import { isWorkday, monthOf, yearOf, isoFromDay, type DayNumber } from './days'
import type { SeededRandom } from './random'
import { formatKronor } from './sie-writer'

const PRODUCT_GROUPS = ['Garden', 'Tools', 'Paint', 'Workwear', 'Fasteners'] as const
type ProductGroup = (typeof PRODUCT_GROUPS)[number]

interface Product {
  name: string
  group: ProductGroup
  /** Price before discount in the first year, in öre. */
  listPrice: number
  /** Purchase price as a share of the list price. */
  costShare: number
  /** Usual number of pieces on an order line. */
  pack: number
}

type ProductLine = [name: string, listPrice: number, costShare: number, pack: number]
const productsOf = (group: ProductGroup, lines: ProductLine[]): Product[] =>
  lines.map(([name, listPrice, costShare, pack]) => ({ name, group, listPrice, costShare, pack }))

const PRODUCTS: readonly Product[] = [
  ...productsOf('Garden', [
    ['Potting soil 50 l, pallet', 289_000, 0.63, 3],
    ['Lawn seed 10 kg', 64_900, 0.58, 12],
    ['Garden hose 25 m', 32_900, 0.55, 20],
    ['Wheelbarrow 90 l', 89_900, 0.6, 8],
    ['Robot mower R400', 849_000, 0.67, 2],
    ['Hedge trimmer 55 cm', 129_900, 0.61, 6],
    ['Raised bed frame', 44_900, 0.56, 16],
    ['Patio paving, pallet', 398_000, 0.64, 3],
  ]),
  ...productsOf('Tools', [
    ['Cordless drill 18 V', 149_900, 0.62, 7],
    ['Angle grinder 125 mm', 99_900, 0.6, 8],
    ['Mitre saw 254 mm', 289_900, 0.65, 3],
    ['Laser level', 219_900, 0.61, 3],
    ['Socket set 94 pieces', 109_900, 0.57, 7],
    ['Ladder 3.5 m', 139_900, 0.6, 6],
    ['Work light LED', 49_900, 0.54, 14],
    ['Compressor 24 l', 219_900, 0.66, 3],
  ]),
  ...productsOf('Paint', [
    ['Facade paint white 10 l', 129_900, 0.6, 9],
    ['Facade paint red 10 l', 124_900, 0.6, 8],
    ['Wall paint matt 10 l', 99_900, 0.58, 10],
    ['Wood oil 5 l', 64_900, 0.59, 12],
    ['Primer 10 l', 89_900, 0.6, 9],
    ['Floor varnish 5 l', 84_900, 0.61, 8],
    ['Roller set', 19_900, 0.5, 30],
  ]),
  ...productsOf('Workwear', [
    ['Work trousers', 89_900, 0.56, 12],
    ['Winter jacket', 139_900, 0.58, 8],
    ['High-vis vest', 14_900, 0.48, 50],
    ['Safety shoes S3', 109_900, 0.57, 10],
    ['Gloves, 12 pairs', 34_900, 0.52, 20],
    ['Helmet', 39_900, 0.53, 15],
  ]),
  ...productsOf('Fasteners', [
    ['Decking screws A4, box', 48_900, 0.55, 24],
    ['Wood screws assorted, box', 32_900, 0.52, 30],
    ['Nails hot-dip galvanised, box', 27_900, 0.56, 30],
    ['Concrete anchors, box', 54_900, 0.54, 16],
    ['Construction glue, 12 tubes', 69_900, 0.57, 14],
    ['Angle brackets, box', 39_900, 0.53, 20],
  ]),
]

/** How much of each group is bought in each month, January first; 1 is an even year. */
const SEASONALITY: Record<ProductGroup, readonly number[]> = {
  Garden: [0.3, 0.4, 0.95, 1.9, 2.2, 1.7, 1.0, 0.95, 0.85, 0.6, 0.35, 0.3],
  Tools: [0.85, 0.9, 1.0, 1.05, 1.1, 1.0, 0.6, 1.0, 1.1, 1.1, 1.15, 1.15],
  Paint: [0.55, 0.6, 0.8, 1.15, 1.6, 1.65, 1.3, 1.35, 1.1, 0.75, 0.6, 0.5],
  Workwear: [1.0, 0.9, 0.9, 0.95, 0.9, 0.8, 0.6, 1.0, 1.15, 1.3, 1.35, 1.15],
  Fasteners: [0.8, 0.85, 0.95, 1.15, 1.25, 1.2, 0.75, 1.1, 1.1, 1.05, 0.95, 0.8],
}
const SHARE: Record<ProductGroup, number> = { Garden: 0.2, Tools: 0.23, Paint: 0.2, Workwear: 0.17, Fasteners: 0.2 }

/** Weight of a group among the lines of an order placed in a month (1–12). */
const groupWeight = (group: ProductGroup, month: number): number => SHARE[group] * (SEASONALITY[group][month - 1] ?? 1)
/** How busy a month is over all groups; 1 is an even year. */
const monthWeight = (month: number): number => PRODUCT_GROUPS.reduce((sum, group) => sum + groupWeight(group, month), 0)

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
  random: SeededRandom,
  scenario: SampleScenario,
  customers: readonly [Customer, ...Customer[]],
): OrderLine[] {
  const lines: OrderLine[] = []
  let orderNumber = FIRST_ORDER
  for (let day = scenario.from; day <= scenario.today; day++) {
    if (!isWorkday(day)) continue
    for (let left = ordersOn(random, scenario, day); left > 0; left--) {
      const customer = random.weighted(customers, (one) => weightOn(one, scenario, day))
      lines.push(...orderLines(random, scenario, { day, customer, orderNumber: orderNumber++ }))
    }
  }
  return lines
}

function ordersOn(random: SeededRandom, scenario: SampleScenario, dayNumber: DayNumber): number {
  const years = (dayNumber - scenario.from) / 365
  const expected = ORDERS_A_DAY * (1 + GROWTH_A_YEAR * years) * monthWeight(monthOf(dayNumber))
  const drawn = random.scatter(expected, 0.45)
  return Math.floor(drawn) + (random.unit() < drawn % 1 ? 1 : 0)
}

/** The customer that stops orders less in its last two months, then nothing. */
function weightOn(customer: Customer, scenario: SampleScenario, dayNumber: DayNumber): number {
  if (dayNumber < customer.since) return 0
  if (customer.number !== scenario.lostCustomer) return customer.weight
  if (dayNumber > scenario.lastOrder) return 0
  return customer.weight * (scenario.lastOrder - dayNumber < 45 ? 0.7 : 1)
}

function orderLines(
  random: SeededRandom,
  scenario: SampleScenario,
  order: { day: DayNumber; customer: Customer; orderNumber: number },
): OrderLine[] {
  const month = monthOf(order.day)
  const isReturn = random.unit() < RETURNS
  const count = isReturn ? 1 : random.weighted([1, 2, 3, 4, 5, 6], (n) => 7 - n)
  return Array.from({ length: count }, () => {
    const group = random.weighted(PRODUCT_GROUPS, (one) => groupWeight(one, month))
    const product = productOf(random, group)
    const size = 1.15 + Math.min(order.customer.weight, 6) / 2.2
    const pieces = Math.max(1, Math.round(random.scatter(product.pack * size, 0.7)))
    const quantity = isReturn ? -Math.max(1, Math.floor(pieces / 4)) : pieces
    const unitPrice = priceOn(product, scenario, order)
    const cost = quantity * unitCost(product, scenario, order.day)
    return { ...order, product, quantity, unitPrice, amount: quantity * unitPrice, cost }
  })
}

const BY_GROUP = new Map<ProductGroup, Product[]>(
  PRODUCT_GROUPS.map((group) => [group, PRODUCTS.filter((product) => product.group === group)]),
)
function productOf(random: SeededRandom, group: ProductGroup): Product {
  const [first, ...rest] = BY_GROUP.get(group) ?? []
  if (!first) throw new Error(`no products of ${group}`)
  return random.pick([first, ...rest])
}

/** Prices rise every January. */
const yearsSinceStart = (scenario: SampleScenario, dayNumber: DayNumber): number =>
  yearOf(dayNumber) - yearOf(scenario.from)
const priceAfterYears = (price: number, years: number): number => price * (1 + PRICES_A_YEAR * years)

function priceOn(product: Product, scenario: SampleScenario, order: { day: DayNumber; customer: Customer }): number {
  const list = priceAfterYears(product.listPrice, yearsSinceStart(scenario, order.day))
  // Whole tens of öre, as price lists have them.
  return Math.round((list * (1 - order.customer.discount)) / 10) * 10
}

function unitCost(product: Product, scenario: SampleScenario, dayNumber: DayNumber): number {
  const usual = priceAfterYears(product.listPrice, yearsSinceStart(scenario, dayNumber)) * product.costShare
  const slips = product.group === scenario.slippingGroup && dayNumber >= scenario.slipFrom
  const risen = slips ? 1 + (COST_INCREASE * (dayNumber - scenario.slipFrom)) / (scenario.today - scenario.slipFrom) : 1
  return Math.round(usual * risen)
}

const HEADER = [
  'Order date',
  'Order no',
  'Customer no',
  'Product',
  'Product group',
  'Quantity',
  'Unit price',
  'Amount',
  'Cost',
  'Country',
  'Region',
  'Salesperson',
]

/** Orders as a Swedish program exports them: semicolons, decimal commas, windows-1252, Windows line ends. */
export function writeOrdersCsv(orders: readonly OrderLine[]): Uint8Array {
  const lines = orders.map(({ customer, product, ...line }) =>
    [
      isoFromDay(line.day),
      line.orderNumber,
      customer.number,
      product.name,
      product.group,
      line.quantity,
      formatDecimalComma(line.unitPrice),
      formatDecimalComma(line.amount),
      formatDecimalComma(line.cost),
      customer.country,
      customer.region,
      customer.salesperson,
    ].join(';'),
  )
  // Every sign of the names is in Latin-1, where windows-1252 is the same.
  return Uint8Array.from(`${[HEADER.join(';'), ...lines].join('\r\n')}\r\n`, (sign) => sign.charCodeAt(0))
}

const formatDecimalComma = (amount: number): string => formatKronor(amount).replace('.', ',')
