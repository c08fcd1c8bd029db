import { periodAround, type BillingInterval } from './calendar.ts'
import { invalidRequestError, notFoundError } from './errors.ts'
import { optionalBoolean, mergeMetadata, optionalText, optionalInteger, type Form } from './form.ts'
import { prorate, amountInWords } from './money.ts'
import { billingIntervalOfPrice, requireSellablePrice } from './prices.ts'
import type { ItemRecord, LineRecord, PriceRecord, SubscriptionRecord } from './state.ts'
import { requireRecord, type Simulation } from './simulation.ts'

export interface Period {
  start: number
  end: number
}
const QUANTITY_MAX = 999_999

/** The period that is paid for: all items have the same. */
export const periodOf = ({ items, start_date }: Pick<SubscriptionRecord, 'items' | 'start_date'>): Period => ({
  start: items[0]?.current_period_start ?? start_date,
  end: items[0]?.current_period_end ?? start_date,
})

export const priceOf = (simulation: Simulation, { price }: { price: string }): PriceRecord =>
  requireRecord(simulation.state.prices, 'price', price)

export function billingIntervalOf(simulation: Simulation, { items }: { items: { price: string }[] }): BillingInterval {
  const [first] = items
  if (first === undefined) throw invalidRequestError('You must have at least one item.', { param: 'items' })
  return billingIntervalOfPrice(priceOf(simulation, first))
}

/** Quantity of an item as asked. @throws 400 when it is less than nothing or too much */
export function quantityOf(form: Form, param: string): number | undefined {
  const quantity = optionalInteger(form, 'quantity')
  if (quantity === undefined) return undefined
  if (quantity < 0)
    throw invalidRequestError('This value must be greater than or equal to 0.', { param: `${param}[quantity]` })
  if (quantity > QUANTITY_MAX)
    throw invalidRequestError(`This value must be less than or equal to ${QUANTITY_MAX}.`, {
      param: `${param}[quantity]`,
    })
  return quantity
}

/** One currency, one cadence, each price once. @throws 400 */
export function assertCompatible(simulation: Simulation, items: { price: string }[]): void {
  const prices = items.map((item) => priceOf(simulation, item))
  const [first] = prices
  if (first === undefined) throw invalidRequestError('A subscription must have at least one item.', { param: 'items' })
  const odd = prices.find(({ currency }) => currency !== first.currency)
  if (odd !== undefined)
    throw invalidRequestError(
      `The price specified only supports \`${odd.currency}\`. This doesn't match the expected currency: \`${first.currency}\`.`,
      { param: 'items[0][price]' },
    )
  const own = JSON.stringify(billingIntervalOfPrice(first))
  if (prices.some((price) => JSON.stringify(billingIntervalOfPrice(price)) !== own))
    throw invalidRequestError('Currently, all subscription items must have the same interval.', { param: 'items' })
  if (new Set(items.map(({ price }) => price)).size !== items.length)
    throw invalidRequestError('Cannot add multiple subscription items with the same price.', { param: 'items' })
}

/** The items after a change: named ones are altered or taken out, others added. */
export function changedItems(simulation: Simulation, subscription: SubscriptionRecord, asked: Form[]): ItemRecord[] {
  const items = structuredClone(subscription.items)
  const { start, end } = periodOf(subscription)
  asked.forEach((form, index) => {
    const param = `items[${index}]`
    const price = optionalText(form, 'price')
    if (price !== undefined) requireSellablePrice(simulation, price, `${param}[price]`)
    const id = optionalText(form, 'id')
    if (id === undefined) {
      if (price === undefined)
        throw invalidRequestError(`Missing required param: ${param}[price].`, { param: `${param}[price]` })
      items.push({
        id: simulation.id('si', 14),
        created: simulation.now(),
        price,
        quantity: quantityOf(form, param) ?? 1,
        metadata: mergeMetadata(form),
        current_period_start: start,
        current_period_end: end,
      })
      return
    }
    const at = items.findIndex((item) => item.id === id)
    const item = items[at]
    if (item === undefined) throw notFoundError('subscription_item', id, `${param}[id]`)
    if (optionalBoolean(form, 'deleted') === true) items.splice(at, 1)
    item.price = price ?? item.price
    item.quantity = quantityOf(form, param) ?? item.quantity
    item.metadata = mergeMetadata(form, item.metadata)
  })
  assertCompatible(simulation, items)
  return items
}

const nameOf = (simulation: Simulation, { product }: PriceRecord): string =>
  simulation.state.products[product]?.name ?? product

/** One line per item for a whole period; of a part of it when `portion` says so. */
export function fullPeriodLines(
  simulation: Simulation,
  items: ItemRecord[],
  { period, trial = false, portion = { part: 1, whole: 1 } }: FullPeriodOptions,
): LineRecord[] {
  return items.map((item) => {
    const price = priceOf(simulation, item)
    const name = nameOf(simulation, price)
    const amount = trial ? 0 : prorate(price.unit_amount * item.quantity, portion.part, portion.whole)
    return {
      id: simulation.id('il', 24),
      amount,
      description: trial
        ? `Trial period for ${name}`
        : `${item.quantity} × ${name} (at ${amountInWords(price.unit_amount, price.currency)} / ${price.recurring?.interval ?? ''})`,
      price: price.id,
      quantity: item.quantity,
      proration: false,
      item: item.id,
      period,
    }
  })
}
interface FullPeriodOptions {
  period: Period
  trial?: boolean
  portion?: { part: number; whole: number }
}

const day = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })

/** A line as it is told: a proration names its day, which is as much older as everything that is told. */
export const lineText = (simulation: Simulation, { description, proration, period }: LineRecord): string =>
  proration ? `${description} after ${day(period.start - simulation.state.ahead)}` : description

/**
 * What a change in the middle of a period costs: what was paid for the rest of the period is given back for each item
 * that changed, and what stands there instead is asked for the rest; by the second, each line rounded by itself.
 */
export function prorations(
  simulation: Simulation,
  subscription: SubscriptionRecord,
  { before, after, at }: { before: ItemRecord[]; after: ItemRecord[]; at: number },
): LineRecord[] {
  const { end } = periodOf(subscription)
  const rest = (item: ItemRecord, sign: 1 | -1): LineRecord => {
    const price = priceOf(simulation, item)
    const whole = periodAround(subscription.billing_cycle_anchor, billingIntervalOfPrice(price), end - 1)
    const what = `${item.quantity > 1 ? `${item.quantity} × ` : ''}${nameOf(simulation, price)}`
    return {
      id: simulation.id('il', 24),
      amount: sign * prorate(price.unit_amount * item.quantity, end - at, whole.end - whole.start) || 0,
      description: `${sign < 0 ? 'Unused' : 'Remaining'} time on ${what}`,
      price: price.id,
      quantity: item.quantity,
      proration: true,
      item: item.id,
      period: { start: at, end },
    }
  }
  const same = (a: ItemRecord) => (b: ItemRecord) => a.id === b.id && a.price === b.price && a.quantity === b.quantity
  return [
    ...before.filter((item) => !after.some(same(item))).map((item) => rest(item, -1)),
    ...after.filter((item) => !before.some(same(item))).map((item) => rest(item, 1)),
  ]
}

/** What was paid for the rest of the period is given back, all of it. */
export const unusedTimeCredit = (simulation: Simulation, subscription: SubscriptionRecord, at: number): LineRecord[] =>
  prorations(simulation, subscription, { before: subscription.items, after: [], at })

/** Sets the period of every item. */
export function setPeriod(items: ItemRecord[], { start, end }: Period): void {
  for (const item of items) {
    item.current_period_start = start
    item.current_period_end = end
  }
}
