import { env } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createBillingFixture, type BillingFixture } from '../../../test/worker/billing-fixture'
import { signedIn, type Caller, type SignedIn } from '../../../test/worker/factories'
import { createApp } from '../../app'
import type { ChangePreview, CheckoutInput, PlanChoice, SubscriptionView } from '../../shared/billing/subscription'

const DAY_MS = 24 * 60 * 60 * 1000
let billing: BillingFixture
let me: SignedIn
let logged: ReturnType<typeof vi.spyOn>
beforeEach(async () => {
  logged = vi.spyOn(console, 'info').mockImplementation(() => undefined)
  billing = await createBillingFixture()
  me = await owner()
})
afterEach(() => logged.mockRestore())
/** An owner whose trial ended an hour ago, unless said. */
const owner = (trialEndsAt = billing.clock.now() - 60 * 60 * 1000): Promise<SignedIn> =>
  signedIn({ app: billing.app, subscription: { trialEndsAt } })

const STANDARD: CheckoutInput = { planId: 'standard', interval: 'monthly', addOns: [], method: 'card' }
const INVOICE: CheckoutInput = { ...STANDARD, method: 'invoice' }
const checkout = (json: unknown = STANDARD, who: Caller = me) =>
  who.fetch('/api/stripe/checkout', { method: 'POST', json })
const urlOf = async (answer: Response | Promise<Response>): Promise<string> => {
  const response = await answer
  expect(response.status).toBe(200)
  return (await response.json<{ url: string }>()).url
}
const idIn = (url: string): string => url.split('/').at(-1)?.split(/[?#]/)[0] ?? ''
const view = async (who: Caller = me): Promise<SubscriptionView> => (await who.fetch('/api/subscription')).json()
const buy = async (input: CheckoutInput = STANDARD): Promise<SubscriptionView> => {
  const url = await urlOf(checkout(input))
  if (input.method === 'card') expect(billing.emulator.desk.payCheckout(idIn(url), 'works')).toEqual({ ok: true })
  await billing.emulator.tick()
  return view()
}
const wanted = ({ planId, interval }: Partial<PlanChoice>, addOns: { id: string; qty: number }[] = []) => ({
  ...{ planId: planId ?? 'standard', interval: interval ?? 'monthly', addOns },
})
const preview = async (choice: object): Promise<ChangePreview> => {
  const answer = await me.fetch('/api/subscription/preview', { method: 'POST', json: choice })
  expect(answer.status).toBe(200)
  return answer.json()
}
const put = (json: object) => me.fetch('/api/subscription', { method: 'PUT', json })
const change = async (choice: object): Promise<{ shown: ChangePreview; after: SubscriptionView }> => {
  const shown = await preview(choice)
  const { version } = await view()
  const answer = await put({ ...choice, version, prorationAt: shown.prorationAt })
  expect([answer.status, answer.status === 200 ? null : await answer.text()]).toEqual([200, null])
  await billing.emulator.tick()
  return { shown, after: await answer.json() }
}
const sessions = () => billing.stripe.checkout.sessions.list({ limit: 100 })
const subscriptions = () => billing.stripe.subscriptions.list({ status: 'all', limit: 100 })
const newestInvoice = async () => {
  const { data } = await billing.stripe.invoices.list({ limit: 1 })
  if (!data[0]) throw new Error('no invoice')
  return data[0]
}
const actions = async (): Promise<string[]> => {
  const { results } = await env.DB.prepare(
    "SELECT action FROM audit WHERE workspace_id = ? AND actor_id = ? AND action LIKE 'subscription.%' ORDER BY at, id",
  )
    .bind(me.workspaceId, me.userId)
    .all<{ action: string }>()
  return results.map(({ action }) => action)
}

describe('a first payment by card', () => {
  it('leads to one page, whatever is clicked how often by whom (BIL-4)', async () => {
    const admin = await signedIn({ app: billing.app, workspaceId: me.workspaceId, role: 'admin' })
    const urls = await Promise.all([checkout(), checkout(), checkout(STANDARD, admin)].map(urlOf))
    expect(new Set(urls).size).toBe(1)
    expect(await urlOf(checkout())).toBe(urls[0])
    expect((await sessions()).data.map(({ status }) => status)).toEqual(['open'])
    expect((await billing.stripe.customers.list({ limit: 100 })).data).toHaveLength(1)
  })

  it('closes the page of an earlier choice, so that nobody pays for two (BIL-4)', async () => {
    const first = await urlOf(checkout())
    const second = await urlOf(checkout({ ...STANDARD, planId: 'personal' }))
    expect(second).not.toBe(first)
    expect(billing.emulator.desk.payCheckout(idIn(first), 'works')).toMatchObject({ ok: false })
    const both = await Promise.all([checkout(), checkout({ ...STANDARD, interval: 'yearly' })])
    expect(both.map(({ status }) => status)).toContain(200)
    expect((await sessions()).data.filter(({ status }) => status === 'open')).toHaveLength(1)
  })

  it('grants nothing before it is paid, whatever address is opened (BIL-8)', async () => {
    await urlOf(checkout())
    await me.fetch(`/settings/workspace/subscription?checkout=done&w=${me.workspaceId}`)
    await me.fetch('/api/subscription/refresh', { method: 'POST' })
    await billing.emulator.tick()
    expect(await view()).toMatchObject({ state: 'trial_expired', planId: null, interval: null })
  })

  it('is what was shown, and told to the workspace once it is paid (BIL-7)', async () => {
    const choice = wanted({}, [{ id: 'extra_source', qty: 2 }])
    const shown = await preview({ ...choice, method: 'card' })
    const after = await buy({ ...choice, planId: 'standard', addOns: [{ id: 'extra_source', qty: 2 }], method: 'card' })
    expect(after).toMatchObject({ state: 'active', planId: 'standard', addOns: { extra_source: 2 }, method: 'card' })
    expect(shown).toMatchObject({
      when: 'checkout',
      dueNow: { minor: 49_000, currency: 'eur' },
    })
    expect(apart(shown.recurringFrom, after.periodEndsAt)).toBeLessThan(1000)
    expect((await newestInvoice()).amount_paid).toBe(shown.dueNow.minor)
    expect((await actions()).toSorted()).toEqual(['subscription.checkout', 'subscription.customer'])
  })

  it('keeps what is left of the trial, and the plan works at once', async () => {
    me = await owner(billing.clock.now() + 5 * DAY_MS)
    const shown = await preview({ ...STANDARD })
    const after = await buy()
    expect(after).toMatchObject({ state: 'active', planId: 'standard' })
    expect(shown).toMatchObject({ dueNow: { minor: 0 }, lines: [], recurring: { minor: 45_000 } })
    expect(apart(after.periodEndsAt, shown.recurringFrom)).toBeLessThan(1000)
    const larger = await change(wanted({ planId: 'professional' }))
    expect(larger.shown).toMatchObject({ when: 'now', dueNow: { minor: 0 }, recurringFrom: after.periodEndsAt })
    expect(larger.after).toMatchObject({ planId: 'professional', periodEndsAt: after.periodEndsAt })
    const smaller = await change(wanted({ planId: 'personal' }))
    expect(smaller.after).toMatchObject({ planId: 'professional', scheduled: { at: after.periodEndsAt } })
    expect((await newestInvoice()).total).toBe(0)
  })

  it('is not taken twice: a workspace that pays is told where to change (BIL-4)', async () => {
    const url = await urlOf(checkout())
    billing.emulator.desk.payCheckout(idIn(url), 'works')
    for (const again of [STANDARD, INVOICE, { ...STANDARD, planId: 'personal' }])
      expect(await (await checkout(again)).json()).toMatchObject({ code: 'in_use' })
    expect(await view()).toMatchObject({ state: 'active', planId: 'standard' })
    expect((await subscriptions()).data).toHaveLength(1)
  })

  it.each(['card', 'invoice'] as const)(
    'is followed by another by %s once what was bought has ended',
    async (method) => {
      await buy()
      const [first] = (await subscriptions()).data
      await billing.stripe.subscriptions.cancel(first?.id ?? '')
      await billing.emulator.tick()
      expect(await view()).toMatchObject({ state: 'canceled', planId: null })
      expect(await buy({ ...STANDARD, method })).toMatchObject({ planId: 'standard', method })
    },
  )

  it('leaves no page open that is forgotten when billing details change (BIL-4)', async () => {
    await urlOf(checkout())
    const { version } = await view()
    const details = { companyName: 'Alfa AB', billingEmail: '', taxId: '', poReference: '' }
    await me.fetch('/api/subscription/details', { method: 'PUT', json: { ...details, version } })
    await urlOf(checkout())
    expect((await sessions()).data.map(({ status }) => status)).toEqual(['open', 'expired'])
  })

  it('takes no other thing than is sold (BIL-4)', async () => {
    for (const forged of FORGED) {
      const answer = await checkout({ ...STANDARD, ...forged })
      expect([forged, answer.status, await answer.json()]).toMatchObject([forged, 422, { code: 'invalid_input' }])
    }
    expect((await sessions()).data).toEqual([])
  })
})

const addOn = (id: string, qty: number) => ({ id, qty })
const FORGED = [
  { planId: 'legacy' },
  { planId: 'enterprise' },
  { planId: 'older_50' },
  { priceId: 'price_forged' },
  { currency: 'sek' },
  { amount: 1 },
  { interval: 'daily' },
  { addOns: [addOn('extra_source', -1)] },
  { addOns: [addOn('extra_source', 1e9)] },
  { addOns: [addOn('extra_source', 1.5)] },
  { addOns: [addOn('frequent_sync', 2)] },
  { addOns: [addOn('premium_sync_1', 1)] },
  { addOns: [addOn('extra_source', 1), addOn('extra_source', 1)] },
]

describe('a first payment by invoice', () => {
  it('makes one subscription with an open invoice, whatever is clicked how often', async () => {
    const shown = await preview(INVOICE)
    const urls = await Promise.all([checkout(INVOICE), checkout(INVOICE)])
    const url = await urlOf(urls.find(({ status }) => status === 200) ?? Response.error())
    expect((await subscriptions()).data).toHaveLength(1)
    expect(await newestInvoice()).toMatchObject({
      status: 'open',
      amount_due: shown.dueNow.minor,
      hosted_invoice_url: url,
    })
    expect(await view()).toMatchObject({ state: 'invoice_pending', planId: 'standard', method: 'invoice' })
  })

  it('prolongs the first period by what is left of the trial', async () => {
    me = await owner(billing.clock.now() + 5 * DAY_MS)
    const shown = await preview(INVOICE)
    const after = await buy(INVOICE)
    expect(apart(shown.recurringFrom, after.periodEndsAt)).toBeLessThanOrEqual(1000)
    const { data } = await billing.stripe.invoices.list({ status: 'open' })
    expect(data.map((invoice) => invoice.amount_due)).toEqual([shown.dueNow.minor])
  })

  it('goes on where it stopped, and orders once, when an answer is lost after any of its calls (BIL-6)', async () => {
    for (const lost of env.LONG === '1' ? CALLS.keys() : [5, 8, 11]) {
      const { mend } = await ownerLosing(lost, billing.clock.now() + 5 * DAY_MS)
      const before = (await subscriptions()).data.length
      expect(await (await checkout(INVOICE)).json()).toMatchObject(
        lost < CALLS.length - 1 ? { code: 'billing_unavailable' } : {},
      )
      mend()
      const again = await checkout(INVOICE)
      if (lost < CALLS.length - 1) expect(await urlOf(again)).toContain('/invoices/')
      expect((await subscriptions()).data).toHaveLength(before + 1)
      expect(await view()).toMatchObject({ state: 'invoice_pending', planId: 'standard' })
      expect(Date.parse((await view()).periodEndsAt ?? '')).toBeGreaterThan(billing.clock.now() + 32 * DAY_MS)
    }
  })

  it('says to pay by card where the country takes no transfers', async () => {
    billing = await createBillingFixture()
    billing.settings.BANK_TRANSFER_COUNTRY = 'XX'
    me = await owner()
    expect(await (await checkout(INVOICE)).json()).toMatchObject({
      code: 'invalid_input',
      fields: { method: expect.stringContaining('card') },
    })
    expect(await urlOf(checkout())).toContain('/checkout/')
  })
})

/** As many calls as an order by invoice asks Stripe for. */
const CALLS = Array.from({ length: 13 })
const LOST = { error: { type: 'api_error', message: 'lost' } }
const apart = (one: string | null, other: string | null): number =>
  Math.abs(Date.parse(one ?? '') - Date.parse(other ?? ''))
/** An owner whose calls to Stripe are done, but whose answers get lost from the `nth` on, until `mend` is called. */
async function ownerLosing(nth: number, trialEndsAt?: number): Promise<{ mend: () => void }> {
  let left = nth
  const operatorFetcher = async (request: Request): Promise<Response> => {
    const answer = await billing.emulator.fetch(request)
    return left-- > 0 ? answer : Response.json(LOST, { status: 500, headers: { 'stripe-should-retry': 'false' } })
  }
  const app = createApp({ ...billing.overrides, operatorFetcher })
  me = await signedIn({ app, subscription: { trialEndsAt: trialEndsAt ?? billing.clock.now() - 1 } })
  return {
    mend: () => {
      left = Infinity
    },
  }
}

describe('a change', () => {
  it('that gives more happens at once, and charges what was shown (BIL-7)', async () => {
    await buy()
    billing.clock.move(10 * DAY_MS)
    const { shown, after } = await change(wanted({ planId: 'professional' }, [{ id: 'extra_analyst', qty: 3 }]))
    expect(shown.when).toBe('now')
    expect(after).toMatchObject({ planId: 'professional', addOns: { extra_analyst: 3 }, scheduled: null })
    const { total, amount_paid: paid } = await newestInvoice()
    expect([total, paid]).toEqual([shown.dueNow.minor, shown.dueNow.minor])
    expect(shown.lines.reduce((sum, { amount }) => sum + amount.minor, 0)).toBe(shown.dueNow.minor)
  })

  it('that takes something away waits for the end of the period, and is taken back until then', async () => {
    const { periodEndsAt } = await buy()
    const choice = wanted({ planId: 'personal' })
    const { shown, after } = await change(choice)
    expect(shown).toMatchObject({
      when: 'periodEnd',
      at: periodEndsAt,
      dueNow: { minor: 0 },
      recurring: { minor: 19_500 },
    })
    expect(after).toMatchObject({ planId: 'standard', scheduled: { planId: 'personal', at: periodEndsAt } })
    const resumed = await me.fetch('/api/subscription/resume', { method: 'POST', json: { version: after.version } })
    expect(await resumed.json()).toMatchObject({ planId: 'standard', scheduled: null })
    await change(choice)
    billing.clock.move(Date.parse(periodEndsAt ?? '') - billing.clock.now() + DAY_MS)
    await billing.emulator.tick()
    const row = await env.DB.prepare('SELECT plan_id, scheduled, state FROM subscriptions WHERE workspace_id = ?')
      .bind(me.workspaceId)
      .first()
    expect(row).toEqual({ plan_id: 'personal', scheduled: null, state: 'active' })
  })

  it('replaces a change that waits', async () => {
    await buy()
    await change(wanted({ planId: 'personal' }))
    const { after } = await change(wanted({ planId: 'professional' }))
    expect(after).toMatchObject({ planId: 'professional', scheduled: null })
  })

  it('to another interval is charged at once when longer, and waits when shorter', async () => {
    await buy()
    const { shown, after } = await change(wanted({ interval: 'yearly' }))
    expect(after).toMatchObject({ interval: 'yearly', periodEndsAt: shown.recurringFrom })
    expect((await newestInvoice()).amount_paid).toBe(shown.dueNow.minor)
    expect((await change(wanted({ interval: 'monthly' }))).shown.when).toBe('periodEnd')
  })

  it('is not made when the card is declined, and works once it is not', async () => {
    const before = await buy()
    const choice = { ...wanted({ planId: 'professional' }), version: before.version }
    billing.emulator.fail('decline', 1)
    const declined = await put(choice)
    expect([declined.status, await declined.json()]).toMatchObject([422, { fields: { payment: expect.any(String) } }])
    await billing.emulator.tick()
    expect(await view()).toEqual(before)
    expect((await put(choice)).status).toBe(200)
  })

  it('of two at once is made once', async () => {
    const { version } = await buy()
    const answers = await Promise.all([
      put({ ...wanted({ planId: 'professional' }), version }),
      put({ ...wanted({ interval: 'yearly' }), version }),
    ])
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
    const late = await put({ ...wanted({ planId: 'personal' }), version })
    expect(await late.json()).toMatchObject({ code: 'version_conflict' })
  })

  it('is counted from when it was shown, and from no other day', async () => {
    const { version } = await buy()
    billing.clock.move(10 * DAY_MS)
    for (const prorationAt of [billing.clock.now() - DAY_MS, billing.clock.now() + 10 * DAY_MS]) {
      const answer = await put({ ...wanted({ planId: 'professional' }), version, prorationAt })
      expect(await answer.json()).toMatchObject({ code: 'invalid_input', fields: { prorationAt: expect.any(String) } })
    }
  })

  it('is shown anew when it was shown before the period that is paid for began', async () => {
    const { version } = await buy()
    billing.clock.move(10 * 60_000)
    const prorationAt = billing.clock.now() - 40 * 60_000
    const answer = await put({ ...wanted({ planId: 'professional' }), version, prorationAt })
    expect(await answer.json()).toMatchObject({ code: 'invalid_input', fields: { prorationAt: expect.any(String) } })
  })

  it('of add-ons goes up at once and down with the period', async () => {
    await buy()
    const { after } = await change(
      wanted({}, [
        { id: 'user_pack_10', qty: 2 },
        { id: 'extra_source', qty: 1 },
      ]),
    )
    expect(after.addOns).toEqual({ user_pack_10: 2, extra_source: 1 })
    const down = await change(wanted({}, [{ id: 'user_pack_10', qty: 1 }]))
    expect(down.after).toMatchObject({ addOns: after.addOns, scheduled: { addOns: { user_pack_10: 1 } } })
  })

  it('sells hourly sync once a workspace (decision 166)', async () => {
    const hourly = [{ id: 'frequent_sync', qty: 1 }]
    await buy()
    const { after } = await change(wanted({}, hourly))
    expect(after.addOns).toEqual({ frequent_sync: 1 })
    const twice = await put({ ...wanted({}, [{ id: 'frequent_sync', qty: 2 }]), version: after.version })
    expect(twice.status).toBe(422)
  })

  it('ends with the period, and is resumed until then', async () => {
    const { version, periodEndsAt } = await buy()
    const cancelled = await me.fetch('/api/subscription/cancel', { method: 'POST', json: { version } })
    const after = await cancelled.json<SubscriptionView>()
    expect(after).toMatchObject({ state: 'active', cancelAt: periodEndsAt })
    const resumed = await me.fetch('/api/subscription/resume', { method: 'POST', json: { version: after.version } })
    expect(await resumed.json()).toMatchObject({ state: 'active', cancelAt: null })
  })
})
