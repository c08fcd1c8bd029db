import type Stripe from 'stripe'
import type { sessionBody } from './checkout.ts'
import type { eventBody } from './events.ts'
import type { invoiceBody, lineBody } from './invoice-body.ts'
import type { portalBody } from './portal.ts'
import type { priceBody, productBody } from './prices.ts'
import type { scheduleBody } from './schedules.ts'
import type { itemBody, subscriptionBody } from './subscription-body.ts'

type Plain = string | number | boolean | null
type Needed<Real> = { [K in keyof Real]-?: object extends Pick<Real, K> ? never : K }[keyof Real]

/** Fields that the library says are always there and that are not told. */
type Lacking<Real, Told> = Exclude<Needed<Real>, keyof Told>
/** Names out of a closed set are told as any text. */
type Compared<Real, Told> = Exclude<keyof Real & keyof Told, 'object' | 'type'>
/** Fields of plain values that are told otherwise than the library says. */
type Wrong<Real, Told> = {
  [K in Compared<Real, Told>]: Real[K] extends Plain ? (Told[K] extends Real[K] ? never : K) : never
}[Compared<Real, Told>]
type Faults<Real, Told extends (...given: never[]) => object> =
  | Lacking<Real, ReturnType<Told>>
  | Wrong<Real, ReturnType<Told>>

/** Every object that is told has the library's fields: with a newer library this says what is missing. */
export type ShapeMismatches = [
  Faults<Stripe.Product, typeof productBody>,
  Faults<Stripe.Price, typeof priceBody>,
  Faults<Stripe.Subscription, typeof subscriptionBody>,
  Faults<Stripe.SubscriptionItem, typeof itemBody>,
  Faults<Stripe.SubscriptionSchedule, typeof scheduleBody>,
  Faults<Stripe.Invoice, typeof invoiceBody>,
  Faults<Stripe.InvoiceLineItem, typeof lineBody>,
  Faults<Stripe.Checkout.Session, typeof sessionBody>,
  Faults<Stripe.BillingPortal.Session, typeof portalBody>,
  Faults<Stripe.Event, typeof eventBody>,
]
export const matchesLibraryTypes: [ShapeMismatches[number]] extends [never] ? true : ShapeMismatches[number] = true
