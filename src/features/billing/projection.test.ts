import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CANCEL_KEY, hasCustomPlan, projectSubscription, pickProjection, TRIAL_EXTENSION_KEY } from './projection'
import type { StripeObjects, PriorSubscription, StripeSchedule, StripeInvoice, StripeSubscription } from './projection'
import { PRICE_CATALOGUE } from '../../shared/billing/price-catalogue'

const DAY_S = 24 * 60 * 60
const NOW_S = 1_800_000_000
const NOW = NOW_S * 1000
const END_S = NOW_S + 20 * DAY_S

const BEFORE: PriorSubscription = {
  ...{ state: 'trialing', planId: null, tier: null, interval: null, addOns: {}, method: null, trialEndsAt: NOW + 1 },
  ...{ subscriptionId: null, premiumId: null, periodEndsAt: null, cancelAt: null, cancelReason: null },
  ...{ trialRestMs: null, invoiceDueAt: null, pastDueSince: null, scheduled: null },
}
const item = (key: string, quantity = 1) => ({
  price: { lookup_key: key, metadata: {} },
  quantity,
  current_period_start: NOW_S - 10 * DAY_S,
  current_period_end: END_S,
})
const sub = (keys: string[], more: Partial<StripeSubscription> = {}): StripeSubscription => ({
  ...{ id: 'sub_1', status: 'active', created: NOW_S - 10 * DAY_S, cancel_at: null, cancel_at_period_end: false },
  ...{ collection_method: 'charge_automatically', metadata: {}, schedule: null },
  items: { data: keys.map((key) => item(key)) },
  ...more,
})
const invoice = (more: Partial<StripeInvoice> & { of?: string } = {}): StripeInvoice => {
  const { of = 'sub_1', ...rest } = more
  return {
    ...{ collection_method: 'send_invoice', due_date: NOW_S + DAY_S, attempted: false, created: NOW_S - DAY_S },
    status_transitions: { finalized_at: NOW_S - DAY_S },
    parent: { subscription_details: { subscription: of } },
    ...rest,
  }
}
const CARD = { collection_method: 'charge_automatically', due_date: null } as const
const told = (subscriptions: StripeSubscription[], more: Partial<StripeObjects> = {}): StripeObjects => ({
  ...{ subscriptions, invoices: [], schedule: null },
  ...more,
})
const projected = (objects: StripeObjects, before: Partial<PriorSubscription> = {}) =>
  projectSubscription(objects, { ...BEFORE, ...before }, NOW)

describe('the state that objects at Stripe make', () => {
  const S = ['standard_monthly']
  const ended = sub(S, { status: 'canceled' })
  const rows: [string, StripeObjects, Partial<PriorSubscription>, object][] = [
    ['nothing, in our trial', told([]), {}, { state: 'trialing', planId: null }],
    ['nothing, our trial over', told([]), { trialEndsAt: NOW - 1 }, { state: 'trialing' }],
    ['nothing, no trial', told([]), { trialEndsAt: null }, { state: 'awaiting_checkout' }],
    ['one that has ended', told([ended]), { trialEndsAt: NOW - 1 }, { state: 'canceled', planId: null, addOns: {} }],
    ['one that has ended, in our trial', told([ended]), {}, { state: 'trialing' }],
    ['one that was begun', told([sub(S, { status: 'incomplete' })]), {}, { state: 'trialing', planId: null }],
    [
      'one never paid',
      told([sub(S, { status: 'incomplete_expired' })]),
      { trialEndsAt: null },
      { state: 'awaiting_checkout' },
    ],
    ['active', told([sub(S)]), {}, { state: 'active', planId: 'standard', interval: 'monthly', method: 'card' }],
    ['trialing at Stripe', told([sub(S, { status: 'trialing' })]), {}, { state: 'active', periodEndsAt: END_S * 1000 }],
    ['unpaid', told([sub(S, { status: 'unpaid' })]), {}, { state: 'restricted', planId: 'standard' }],
    ['paused', told([sub(S, { status: 'paused' })]), {}, { state: 'restricted' }],
    [
      'an invoice that is not due',
      told([sub(S, { collection_method: 'send_invoice' })], { invoices: [invoice()] }),
      {},
      { state: 'invoice_pending', method: 'invoice', invoiceDueAt: (NOW_S + DAY_S) * 1000, pastDueSince: null },
    ],
    [
      'one that is overdue beside one that is not',
      told([sub(S)], { invoices: [invoice(), invoice({ due_date: NOW_S - 3 * DAY_S }), invoice({ due_date: NOW_S })] }),
      {},
      { state: 'past_due', pastDueSince: (NOW_S - 3 * DAY_S) * 1000 },
    ],
    [
      'a card that was refused',
      told([sub(S, { status: 'past_due' })], { invoices: [invoice({ ...CARD, attempted: true })] }),
      {},
      { state: 'past_due', pastDueSince: (NOW_S - DAY_S) * 1000, invoiceDueAt: null },
    ],
    ['a card that was not charged yet', told([sub(S)], { invoices: [invoice(CARD)] }), {}, { state: 'active' }],
    [
      'an overdue invoice of what was only begun',
      told([sub(S), sub(S, { id: 'sub_0', status: 'incomplete' })], {
        invoices: [invoice({ ...CARD, attempted: true, of: 'sub_0' })],
      }),
      {},
      { state: 'active', subscriptionId: 'sub_1' },
    ],
    [
      'past_due at Stripe, while no open invoice is past its own due date',
      told([sub(S, { status: 'past_due', collection_method: 'send_invoice' })], { invoices: [invoice()] }),
      { pastDueSince: 5 },
      { state: 'invoice_pending', invoiceDueAt: (NOW_S + DAY_S) * 1000, pastDueSince: null },
    ],
    [
      'past_due without an invoice, known since before',
      told([sub(S, { status: 'past_due' })]),
      { pastDueSince: 5 },
      { state: 'past_due', pastDueSince: 5 },
    ],
    [
      'cancelled for the end of the period',
      told([sub(S, { cancel_at_period_end: true })]),
      {},
      { cancelAt: END_S * 1000 },
    ],
    ['cancelled for a day', told([sub(S, { cancel_at: NOW_S + 5 })]), {}, { cancelAt: NOW + 5000, cancelReason: null }],
    [
      'with a rest of our trial',
      told([sub(S, { metadata: { [TRIAL_EXTENSION_KEY]: '86401' } })]),
      {},
      { periodEndsAt: (END_S + 86_401) * 1000, cancelAt: null, trialRestMs: 86_401_000 },
    ],
    [
      'cancelled with a rest of our trial',
      told([sub(S, { cancel_at_period_end: true, cancel_at: END_S, metadata: { [TRIAL_EXTENSION_KEY]: '60' } })]),
      {},
      { periodEndsAt: (END_S + 60) * 1000, cancelAt: (END_S + 60) * 1000 },
    ],
    [
      'cancelled for a day, with a rest of our trial',
      told([sub(S, { cancel_at: NOW_S + 5, metadata: { [TRIAL_EXTENSION_KEY]: '60' } })]),
      {},
      { periodEndsAt: (END_S + 60) * 1000, cancelAt: NOW + 5000 },
    ],
    [
      'stopped with a rest of our trial',
      told([sub(S, { status: 'unpaid', metadata: { [TRIAL_EXTENSION_KEY]: '60' } })]),
      {},
      { periodEndsAt: END_S * 1000, trialRestMs: null },
    ],
    [
      'something that is no rest of a trial',
      told([sub(S, { metadata: { [TRIAL_EXTENSION_KEY]: '-5 days' } })]),
      {},
      { periodEndsAt: END_S * 1000, trialRestMs: null },
    ],
    [
      'cancelled by us',
      told([sub(S, { cancel_at_period_end: true, metadata: { [CANCEL_KEY]: 'unpaid' } })]),
      {},
      { cancelReason: 'unpaid' },
    ],
    [
      'an older tier with Premium sync beside it',
      told([sub(['older_3_monthly']), sub(['premium_sync_3_monthly'], { id: 'sub_2' })]),
      {},
      { planId: 'legacy', tier: 3, addOns: { premium_sync_3: 1 }, subscriptionId: 'sub_1', premiumId: 'sub_2' },
    ],
    [
      'a plan of today with Premium sync that is left of an older tier: it gives nothing',
      told([sub(S), sub(['premium_sync_3_monthly'], { id: 'sub_2' })]),
      {},
      { planId: 'standard', addOns: {}, premiumId: 'sub_2' },
    ],
    [
      'Premium sync alone',
      told([sub(['premium_sync_3_monthly'])]),
      {},
      { state: 'trialing', planId: null, premiumId: 'sub_1' },
    ],
    ['something that is none of ours', told([sub(['coffee'])]), {}, { state: 'trialing', subscriptionId: null }],
    [
      'a plan of the operator',
      told([ended]),
      { state: 'active', planId: 'enterprise', trialEndsAt: null },
      { state: 'active', planId: 'enterprise', subscriptionId: null },
    ],
    [
      'a plan of the operator beside one that is still charged',
      told([sub(S)]),
      { state: 'active', planId: 'enterprise' },
      { state: 'active', planId: 'enterprise', subscriptionId: 'sub_1' },
    ],
    [
      'two that are paid for, the newer one first',
      told([sub(['professional_monthly'], { id: 'sub_9', created: NOW_S }), sub(S)]),
      {},
      { planId: 'standard', subscriptionId: 'sub_1' },
    ],
    [
      'two, of which the older one has stopped',
      told([sub(['professional_monthly'], { id: 'sub_9', created: NOW_S }), sub(S, { status: 'unpaid' })]),
      {},
      { state: 'active', planId: 'professional', subscriptionId: 'sub_9' },
    ],
  ]
  it.each(rows)('%s', (_what, answer, before, expected) => {
    expect(projected(answer, before)).toMatchObject(expected)
  })

  it('knows every price of the catalogue, one whose key a newer price took over too', () => {
    for (const { lookupKey, sold, interval } of PRICE_CATALOGUE) {
      const old = { ...item(lookupKey), price: { lookup_key: null, metadata: { insikt_key: lookupKey } } }
      for (const bought of [item(lookupKey, 2), { ...old, quantity: 2 }]) {
        const row = projected(told([sub([], { items: { data: [bought] } })]))
        if (sold.kind === 'plan') expect(row).toMatchObject({ planId: sold.planId, tier: sold.tier, interval })
        else expect(row).toMatchObject({ planId: null, addOns: { [sold.addOnId]: 2 } })
      }
    }
  })

  it('shows the change that waits, and none of a schedule that is over or on its last phase', () => {
    const phase = (start: number, keys: string[]) => ({
      start_date: start,
      items: keys.map((key) => ({ price: { id: key, lookup_key: key, metadata: {} }, quantity: 2 })),
    })
    const phases = [phase(NOW_S - 9, ['standard_monthly']), phase(END_S, ['personal_monthly', 'extra_source_monthly'])]
    const schedule: StripeSchedule = { status: 'active', phases }
    const scheduled = { planId: 'personal', interval: 'monthly', addOns: { extra_source: 2 }, at: END_S * 1000 }
    const of = (given: StripeSchedule) => projected(told([sub(['standard_monthly'])], { schedule: given })).scheduled
    expect(of(schedule)).toEqual(scheduled)
    expect(of({ ...schedule, status: 'released' })).toBeNull()
    expect(of({ ...schedule, phases: phases.slice(0, 1) })).toBeNull()
  })
})

describe('whatever Stripe says', () => {
  const statuses = fc.constantFrom(
    ...['active', 'trialing', 'past_due', 'unpaid', 'paused', 'incomplete', 'incomplete_expired', 'canceled', 'new'],
  )
  const anySub = fc
    .record({
      id: fc.nat({ max: 99 }).map((n) => `sub_${n}`),
      status: statuses,
      created: fc.integer({ min: NOW_S - 99, max: NOW_S }),
      keys: fc.subarray([...PRICE_CATALOGUE.map(({ lookupKey }) => lookupKey), 'coffee'], { maxLength: 3 }),
      cancel_at_period_end: fc.boolean(),
      reason: fc.constantFrom('unpaid', 'deleted', 'other', ''),
    })
    .map(({ keys, reason, ...more }) => sub(keys, { ...more, metadata: { [CANCEL_KEY]: reason } }))
  const anyInvoice = fc
    .record({
      due: fc.option(fc.integer({ min: NOW_S - 99, max: NOW_S + 99 })),
      attempted: fc.boolean(),
      of: fc.nat({ max: 99 }).map((n) => `sub_${n}`),
    })
    .map(({ due, ...more }) => invoice({ ...(due === null ? CARD : { due_date: due }), ...more }))
  const anyAnswer = fc.record({
    subscriptions: fc.uniqueArray(anySub, { maxLength: 5, selector: ({ id }) => id }),
    invoices: fc.array(anyInvoice, { maxLength: 3 }),
    schedule: fc.constant(null),
  })

  it('the row hangs on what is there, not on the order in which it is listed, nor on the row before', () => {
    fc.assert(
      fc.property(anyAnswer, anyAnswer, (answer, earlier) => {
        const reversed = {
          ...answer,
          subscriptions: answer.subscriptions.toReversed(),
          invoices: answer.invoices.toReversed(),
        }
        const row = projected(answer)
        expect(pickProjection(projected(reversed))).toEqual(pickProjection(row))
        const between = projectSubscription(earlier, BEFORE, NOW)
        // But for when a payment failed that no invoice tells of, which is kept as it was first heard of.
        const known = { ...between, pastDueSince: null }
        expect(pickProjection(projectSubscription(answer, { ...BEFORE, ...known }, NOW))).toEqual(pickProjection(row))
        expect(pickProjection(projectSubscription(answer, { ...BEFORE, ...row }, NOW))).toEqual(pickProjection(row))
      }),
    )
  })

  it('nothing is granted by what is not in force, and no more than one plan by what is', () => {
    fc.assert(
      fc.property(anyAnswer, (answer) => {
        const row = projected(answer, { trialEndsAt: null })
        const live = answer.subscriptions.filter(({ status }) =>
          /^(active|trialing|past_due|unpaid|paused)$/.test(status),
        )
        const kept = live.filter(({ id }) => id === row.subscriptionId || id === row.premiumId)
        expect(kept).toHaveLength([row.subscriptionId, row.premiumId].filter(Boolean).length)
        const bought = kept.flatMap(({ items }) => items.data.map(({ price }) => price.lookup_key ?? ''))
        for (const [id, count = 0] of Object.entries(row.addOns))
          expect(count).toBeLessThanOrEqual(bought.filter((key) => key.startsWith(`${id}_`)).length)
        if (row.subscriptionId === null) expect(['awaiting_checkout', 'canceled']).toContain(row.state)
        else expect(row.planId).not.toBeNull()
        expect(hasCustomPlan(row)).toBe(false)
      }),
    )
  })
})
