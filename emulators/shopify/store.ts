import { Connection, type StoreRecord } from './answer-query.ts'
import { isoFromDay, type VendorCompany, type VendorOrder } from '../vendors/company.ts'

const money = (amount: number) => ({ shopMoney: { amount: (amount / 100).toFixed(2), currencyCode: 'SEK' } })
const gid = (type: string, number: number): string => `gid://shopify/${type}/${number}`
const momentOf = (day: number, number: number): string =>
  `${isoFromDay(day)}T${String(8 + (number % 10)).padStart(2, '0')}:${String(number % 60).padStart(2, '0')}:00Z`

export interface StoreOrder extends StoreRecord {
  name: string
  refunds: object[]
}

/** One store's objects. Money in kronor, as text. */
export class ShopifyStore {
  readonly name: string
  readonly orders: StoreOrder[]
  readonly products: StoreRecord[]
  readonly variants: StoreRecord[]
  readonly customers: StoreRecord[]

  constructor(company: VendorCompany) {
    this.name = 'Nordviks Grossist'
    const names = [...new Set(company.orders.map(({ product }) => product.name))]
    const first = '2023-01-02T08:00:00Z'
    this.products = names.map((title, at) => ({
      ...{ id: gid('Product', at + 1), title, handle: title.toLowerCase().replaceAll(/\W+/g, '-'), vendor: 'Nordvik' },
      ...{ productType: 'Goods', status: 'ACTIVE', totalInventory: 40 + at, publishedAt: first },
      ...{ createdAt: first, updatedAt: first },
    }))
    this.variants = names.map((title, at) => ({
      ...{ id: gid('ProductVariant', at + 1), title: 'Default Title', sku: `NG-${at + 1}`, price: '100.00' },
      ...{ inventoryQuantity: 40 + at, product: { id: gid('Product', at + 1), title } },
      ...{ createdAt: first, updatedAt: first },
    }))
    const sold = company.placed.filter(({ net }) => net > 0)
    this.orders = sold.map((order) => orderOf(order, names))
    for (const [at, back] of company.placed.filter(({ net }) => net < 0).entries())
      this.#refund(this.orders[at], { number: back.number, amount: -(back.net + back.vat), at: momentOf(back.day, at) })
    this.customers = company.customers.map(({ number, name, since }) => {
      const own = sold.filter(({ customer }) => customer.number === number)
      const spent = own.reduce((sum, { net, vat }) => sum + net + vat, 0)
      return {
        ...{ id: gid('Customer', number), displayName: name, numberOfOrders: String(own.length), state: 'ENABLED' },
        ...{ amountSpent: money(spent).shopMoney, createdAt: momentOf(since, 0), updatedAt: momentOf(since, 0) },
      }
    })
  }

  /** One more order, of a moment. Answers its id. */
  order(at: string): string {
    const [like] = this.orders
    if (!like) throw new Error('the store has no order')
    const number = 900_000 + this.orders.length
    const id = gid('Order', number)
    const lines = like['lineItems'] instanceof Connection ? like['lineItems'].items : []
    const own = lines.map((line, n) => ({ ...line, id: gid('LineItem', number * 100 + n) }))
    const when = { createdAt: at, processedAt: at, updatedAt: at }
    this.orders.push({ ...like, ...when, id, name: `#${number}`, refunds: [], lineItems: new Connection(own) })
    return id
  }

  /** Money of the newest order goes back, at a moment. Answers the order's id. */
  refundNewest(at: string): string | null {
    const order = this.orders.at(-1)
    this.#refund(order, { number: 800_000 + this.orders.length, amount: 10_000, at })
    return order?.id ?? null
  }

  #refund(order: StoreOrder | undefined, { number, amount, at }: { number: number; amount: number; at: string }): void {
    if (!order) return
    const refund = { id: gid('Refund', number), createdAt: at, updatedAt: at, totalRefundedSet: money(amount) }
    order.refunds = [...order.refunds, refund]
    const back = { displayFinancialStatus: 'PARTIALLY_REFUNDED', totalRefundedSet: money(amount), updatedAt: at }
    Object.assign(order, back)
  }
}

function orderOf({ number, day, customer, lines, net, vat }: VendorOrder, names: readonly string[]): StoreOrder {
  const at = momentOf(day, number)
  const items = lines.map((line, n) => {
    const product = names.indexOf(line.product.name) + 1
    return {
      ...{ id: gid('LineItem', number * 100 + n), title: line.product.name, variantTitle: null, vendor: 'Nordvik' },
      ...{ sku: `NG-${product}`, quantity: line.quantity, currentQuantity: line.quantity },
      ...{ product: { id: gid('Product', product) }, variant: { id: gid('ProductVariant', product) } },
      originalUnitPriceSet: money(line.unitPrice),
      totalDiscountSet: money(line.unitPrice * line.quantity - line.amount),
      discountedTotalSet: money(line.amount),
      ...{ createdAt: at, updatedAt: at },
    }
  })
  return {
    ...{ id: gid('Order', number), name: `#${number}`, createdAt: at, processedAt: at, updatedAt: at },
    ...{ cancelledAt: null, cancelReason: null, test: false, currencyCode: 'SEK', sourceName: 'web' },
    ...{ displayFinancialStatus: 'PAID', displayFulfillmentStatus: 'FULFILLED' },
    customer: { id: gid('Customer', customer.number) },
    subtotalPriceSet: money(net),
    totalDiscountsSet: money(0),
    totalShippingPriceSet: money(0),
    totalTaxSet: money(vat),
    totalPriceSet: money(net + vat),
    currentTotalPriceSet: money(net + vat),
    totalRefundedSet: money(0),
    lineItems: new Connection(items),
    refunds: [],
  }
}
