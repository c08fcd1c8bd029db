import { subForm, optionalText, textList } from './form.ts'
import { embeddedList } from './lists.ts'
import { priceBody } from './prices.ts'
import type { ItemRecord, SubscriptionRecord } from './state.ts'
import type { Simulation } from './simulation.ts'

export function itemBody(simulation: Simulation, { price: id, ...item }: ItemRecord, subscription: string) {
  const price = simulation.state.prices[id]
  const recurring = price?.recurring
  return {
    ...item,
    object: 'subscription_item',
    billing_thresholds: null,
    current_trial: null,
    discounts: [],
    plan: price && {
      id,
      object: 'plan',
      active: price.active,
      amount: price.unit_amount,
      amount_decimal: String(price.unit_amount),
      billing_scheme: 'per_unit',
      created: price.created,
      currency: price.currency,
      interval: recurring?.interval,
      interval_count: recurring?.interval_count,
      livemode: simulation.options.livemode,
      metadata: price.metadata,
      meter: null,
      nickname: price.nickname,
      product: price.product,
      tiers_mode: null,
      transform_usage: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    price: price && priceBody(simulation, price),
    subscription,
    tax_rates: [],
  }
}

const NO_OPTIONS = { card: null, customer_balance: null }

/** What the stand-in does not have, as an account without it tells it. */
const DEFAULT_FIELDS = {
  application: null,
  application_fee_percent: null,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null },
  billing_cycle_anchor_config: null,
  billing_schedules: [],
  billing_thresholds: null,
  customer_account: null,
  default_source: null,
  default_tax_rates: [],
  discounts: [],
  managed_payments: null,
  next_pending_invoice_item_invoice: null,
  on_behalf_of: null,
  pause_collection: null,
  pending_invoice_item_interval: null,
  pending_setup_intent: null,
  pending_update: null,
  test_clock: null,
  transfer_data: null,
}

export function subscriptionBody(simulation: Simulation, subscription: SubscriptionRecord) {
  const { items, cancel_reason, payment_settings, invoice_settings, ...plain } = subscription
  return {
    ...plain,
    ...DEFAULT_FIELDS,
    object: 'subscription',
    billing_mode: { type: 'flexible', flexible: { proration_discounts: 'included' } },
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: cancel_reason },
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: invoice_settings['custom_fields'] || null,
      description: optionalText(invoice_settings, 'description') || null,
      footer: optionalText(invoice_settings, 'footer') || null,
      issuer: { type: 'self' },
    },
    items: embeddedList(
      `/v1/subscription_items?subscription=${subscription.id}`,
      items.map((item) => itemBody(simulation, item, subscription.id)),
    ),
    livemode: simulation.options.livemode,
    payment_settings: {
      payment_method_options: { ...NO_OPTIONS, ...subForm(payment_settings, 'payment_method_options') },
      payment_method_types: textList(payment_settings, 'payment_method_types').length
        ? textList(payment_settings, 'payment_method_types')
        : null,
      save_default_payment_method: optionalText(payment_settings, 'save_default_payment_method') ?? 'off',
    },
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' } },
  }
}
