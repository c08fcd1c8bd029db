import { cardBody } from './cards.ts'
import { customerBody, taxIdBody } from './customers.ts'
import { invoiceBody } from './invoice-body.ts'
import { priceBody, productBody } from './prices.ts'
import { scheduleBody } from './schedules.ts'
import { subscriptionBody } from './subscription-body.ts'
import type { Simulation } from './simulation.ts'

/** The object that a field names by its id; undefined = none that is known. */
function findById(simulation: Simulation, field: string, id: string): object | undefined {
  const { customers, subscriptions, invoices, schedules, prices, products, cards, taxIds } = simulation.state
  const of = <T>(
    records: Record<string, T>,
    body: (simulation: Simulation, record: T) => object,
  ): object | undefined => {
    const record = Object.hasOwn(records, id) ? records[id] : undefined
    return record === undefined ? undefined : body(simulation, record)
  }
  if (field === 'customer') return of(customers, customerBody)
  if (field === 'subscription' || field === 'released_subscription') return of(subscriptions, subscriptionBody)
  if (field === 'invoice' || field === 'latest_invoice') return of(invoices, invoiceBody)
  if (field === 'schedule') return of(schedules, scheduleBody)
  if (field === 'price') return of(prices, priceBody)
  if (field === 'product') return of(products, productBody)
  if (field === 'default_payment_method') return of(cards, cardBody)
  if (field === 'account_tax_ids') return of(taxIds, taxIdBody)
  return undefined
}

/** Puts objects in the place of ids along a path such as `data.latest_invoice.subscription`; unknown paths change nothing. */
function expandPath(simulation: Simulation, value: unknown, path: string[]): unknown {
  const [field, ...rest] = path
  if (field === undefined || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one: unknown) => expandPath(simulation, one, path))
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => {
      if (name !== field) return [name, inner]
      const expanded = (one: unknown): unknown =>
        typeof one === 'string' ? (findById(simulation, name, one) ?? one) : one
      return [name, expandPath(simulation, Array.isArray(inner) ? inner.map(expanded) : expanded(inner), rest)]
    }),
  )
}

export const expandPaths = (simulation: Simulation, body: object, paths: string[]): object =>
  paths.reduce<object>((so, path) => {
    const next = expandPath(simulation, so, path.split('.'))
    return typeof next === 'object' && next !== null ? next : so
  }, body)
