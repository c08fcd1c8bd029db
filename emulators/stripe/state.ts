import type { Form } from './form.ts'

/** Everything the stand-in knows, as plain data: it can be saved as JSON. Instants are seconds of its own clock. */
export interface State {
  /** Seconds by which its clock is ahead of the real one. */
  ahead: number
  products: Record<string, ProductRecord>
  prices: Record<string, PriceRecord>
  customers: Record<string, CustomerRecord>
  taxIds: Record<string, TaxIdRecord>
  cards: Record<string, CardRecord>
  subscriptions: Record<string, SubscriptionRecord>
  invoices: Record<string, InvoiceRecord>
  /** Prorations that wait for the next invoice of their subscription. */
  pending: PendingRecord[]
  schedules: Record<string, ScheduleRecord>
  sessions: Record<string, SessionRecord>
  portals: Record<string, PortalRecord>
  portalConfigurations: Record<string, { id: string; created: number; settings: Form }>
  events: EventRecord[]
  deliveries: DeliveryRecord[]
  /** First answers by idempotency key. */
  replies: Record<string, ReplyRecord>
  faults: { mode: FaultMode; times: number; ms: number } | null
  declines: number
  webhooks: WebhookMode
}

export const FAULT_MODES = ['down', 'lost', 'slow', '500', '503', '429', 'decline', 'none'] as const
export type FaultMode = (typeof FAULT_MODES)[number]
export const WEBHOOK_MODES = ['ordered', 'disorder', 'duplicates', 'hold'] as const
export type WebhookMode = (typeof WEBHOOK_MODES)[number]

type Metadata = Record<string, string>

export interface ProductRecord {
  id: string
  created: number
  updated: number
  active: boolean
  name: string
  description: string | null
  metadata: Metadata
}
export interface PriceRecord {
  id: string
  created: number
  active: boolean
  product: string
  currency: string
  unit_amount: number
  recurring: { interval: 'day' | 'week' | 'month' | 'year'; interval_count: number } | null
  lookup_key: string | null
  nickname: string | null
  tax_behavior: string
  metadata: Metadata
}
export interface CustomerRecord {
  id: string
  created: number
  deleted: boolean
  name: string | null
  email: string | null
  phone: string | null
  description: string | null
  address: Form | null
  /** Less than nothing = credit that lowers the next invoice. */
  balance: number
  preferred_locales: string[]
  tax_exempt: string
  invoice_settings: { default_payment_method: string | null; custom_fields: Form[] | null; footer: string | null }
  invoice_prefix: string
  next_invoice_sequence: number
  metadata: Metadata
}
export interface TaxIdRecord {
  id: string
  created: number
  /** Null = the seller's own. */
  customer: string | null
  type: string
  value: string
}
export interface CardRecord {
  id: string
  created: number
  customer: string
  last4: string
  /** Every charge of it is refused. */
  declines: boolean
}
export interface ItemRecord {
  id: string
  created: number
  price: string
  quantity: number
  metadata: Metadata
  current_period_start: number
  current_period_end: number
}
export type Collection = 'charge_automatically' | 'send_invoice'
export interface SubscriptionRecord {
  id: string
  created: number
  customer: string
  status: 'active' | 'canceled' | 'incomplete' | 'incomplete_expired' | 'past_due' | 'trialing' | 'unpaid'
  currency: string
  collection_method: Collection
  days_until_due: number | null
  billing_cycle_anchor: number
  start_date: number
  trial_start: number | null
  trial_end: number | null
  cancel_at: number | null
  cancel_at_period_end: boolean
  canceled_at: number | null
  ended_at: number | null
  cancel_reason: 'cancellation_requested' | 'payment_failed' | null
  latest_invoice: string | null
  schedule: string | null
  default_payment_method: string | null
  description: string | null
  payment_settings: Form
  invoice_settings: Form
  metadata: Metadata
  items: ItemRecord[]
}
export interface LineRecord {
  id: string
  amount: number
  description: string
  price: string
  quantity: number
  proration: boolean
  /** Item of the subscription. */
  item: string
  period: { start: number; end: number }
}
export interface PendingRecord {
  subscription: string
  line: LineRecord
}
/** What an invoice says of its customer. */
export interface InvoiceCustomer {
  address: Form | null
  email: string | null
  name: string | null
  phone: string | null
  tax_exempt: string
  tax_ids: { type: string; value: string }[]
}
export interface InvoiceRecord {
  id: string
  created: number
  customer: string
  subscription: string | null
  number: string | null
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'
  billing_reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'manual' | 'upcoming'
  collection_method: Collection
  auto_advance: boolean
  automatically_finalizes_at: number | null
  currency: string
  days_until_due: number | null
  due_date: number | null
  /** Whether it was said that the due date has passed. */
  overdue: boolean
  amount_paid: number
  attempt_count: number
  attempted: boolean
  next_payment_attempt: number | null
  starting_balance: number
  ending_balance: number | null
  period_start: number
  period_end: number
  effective_at: number | null
  description: string | null
  footer: string | null
  custom_fields: Form[] | null
  payment_settings: Form
  /** Ids of the seller's own numbers on it. */
  account_tax_ids: string[] | null
  /** Who it is for as it was when it was finalised; null = a draft, which follows the customer. */
  finalized_customer: InvoiceCustomer | null
  status_transitions: {
    finalized_at: number | null
    marked_uncollectible_at: number | null
    paid_at: number | null
    voided_at: number | null
  }
  metadata: Metadata
  /** Metadata of the subscription when it was made. */
  subscription_metadata: Metadata
  lines: LineRecord[]
}
export interface PhaseRecord {
  start_date: number
  end_date: number
  items: { price: string; quantity: number; metadata: Metadata }[]
  proration_behavior: 'create_prorations' | 'always_invoice' | 'none'
  billing_cycle_anchor: 'automatic' | 'phase_start' | null
  trial_end: number | null
  metadata: Metadata
}
export interface ScheduleRecord {
  id: string
  created: number
  customer: string
  subscription: string | null
  released_subscription: string | null
  status: 'active' | 'canceled' | 'completed' | 'not_started' | 'released'
  end_behavior: 'cancel' | 'release'
  canceled_at: number | null
  completed_at: number | null
  released_at: number | null
  phases: PhaseRecord[]
  /** Which phase is in force. */
  phase: number
  metadata: Metadata
}
export interface SessionRecord {
  id: string
  created: number
  expires_at: number
  status: 'open' | 'complete' | 'expired'
  mode: 'subscription' | 'setup'
  payment_status: 'paid' | 'unpaid' | 'no_payment_required'
  customer: string | null
  customer_email: string | null
  client_reference_id: string | null
  success_url: string
  cancel_url: string | null
  currency: string
  items: { id: string; price: string; quantity: number }[]
  subscription_data: Form
  subscription: string | null
  invoice: string | null
  metadata: Metadata
}
export interface PortalRecord {
  id: string
  created: number
  customer: string
  configuration: string
  return_url: string | null
  flow: Form | null
}
export interface EventRecord {
  id: string
  created: number
  type: string
  object: object
  previous: object | null
  /** Id and idempotency key of the call that caused it. */
  request: { id: string | null; idempotency_key: string | null }
}
export interface DeliveryRecord {
  event: string
  attempts: number
  next: number
  /** Whether its answer was a good one. */
  done: boolean
}
export interface ReplyRecord {
  at: number
  /** Method, path and body of the first call. */
  call: string
  status: number
  body: object
  requestId: string
}

export const emptyState = (): State => ({
  ahead: 0,
  products: {},
  prices: {},
  customers: {},
  taxIds: {},
  cards: {},
  subscriptions: {},
  invoices: {},
  pending: [],
  schedules: {},
  sessions: {},
  portals: {},
  portalConfigurations: {},
  events: [],
  deliveries: [],
  replies: {},
  faults: null,
  declines: 0,
  webhooks: 'ordered',
})
