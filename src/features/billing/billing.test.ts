import { env } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createBillingFixture, type BillingFixture } from '../../../test/worker/billing-fixture'
import { createCustomer, type TestCustomer } from '../../../test/worker/customers'
import { aMember, aWorkspace, signedIn } from '../../../test/worker/factories'
import type { CallInit, Caller, SignedIn } from '../../../test/worker/factories'
import type { ChangePreview, SubscriptionView } from '../../shared/billing/subscription'

let billing: BillingFixture
let logged: ReturnType<typeof vi.spyOn>[]
beforeEach(async () => {
  logged = (['info', 'warn'] as const).map((level) => vi.spyOn(console, level).mockImplementation(() => undefined))
  billing = await createBillingFixture()
})
afterEach(() => logged.forEach((one) => one.mockRestore()))

const post = (who: Caller, path: string, json: unknown) => who.fetch(path, { method: 'POST', json })
const put = (who: Caller, path: string, json: unknown) => who.fetch(path, { method: 'PUT', json })
const view = async (who: Caller): Promise<SubscriptionView> => (await who.fetch('/api/subscription')).json()
const choice = (more: object = {}) => ({ planId: 'standard', interval: 'monthly', addOns: [], ...more })
/** Somebody whose subscription Stripe made and told us of. */
async function paying(keys: string[], options: { invoice?: boolean } = {}): Promise<TestCustomer> {
  const me = await createCustomer(billing)
  await me.buys(keys, options)
  await billing.emulator.tick()
  return me
}
const rowOf = ({ workspaceId }: SignedIn) =>
  env.DB.prepare('SELECT * FROM subscriptions WHERE workspace_id = ?').bind(workspaceId).first()

describe('while Stripe is away (BIL-6)', () => {
  it.each(['down', '500', '429'] as const)(
    '%s: nothing is sold, changed or half written, and access stays',
    async (mode) => {
      const [me, payer] = [await signedIn({ app: billing.app }), await paying(['standard_monthly'])]
      const before = [await rowOf(me), await rowOf(payer)]
      billing.emulator.fail(mode, 1e6)
      const answers = await Promise.all([
        post(me, '/api/stripe/checkout', choice({ method: 'card' })),
        post(me, '/api/stripe/checkout', choice({ method: 'invoice' })),
        post(payer, '/api/stripe/portal', {}),
        post(payer, '/api/subscription/preview', choice({ planId: 'professional' })),
        put(payer, '/api/subscription', choice({ planId: 'professional', version: 1 })),
        post(payer, '/api/subscription/cancel', { version: 1 }),
      ])
      for (const answer of answers)
        expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'billing_unavailable' }])
      expect(logged[0]).toHaveBeenCalledWith(expect.stringContaining('"Stripe did not do what it was asked","type":'))
      expect([await rowOf(me), await rowOf(payer)]).toEqual(before)
      expect((await payer.fetch('/api/insights')).status).toBe(200)
      expect((await view(payer)).state).toBe('active')
      billing.emulator.fail('none')
      expect((await post(me, '/api/stripe/checkout', choice({ method: 'card' }))).status).toBe(200)
      expect((await put(payer, '/api/subscription', choice({ planId: 'professional', version: 1 }))).status).toBe(200)
    },
  )
})

describe('older tiers', () => {
  const legacy = (more: object = {}) => choice({ planId: 'legacy', ...more })

  it('change their interval, in kronor, and nothing else (BIL-4, BIL-7)', async () => {
    const me = await paying(['older_3_monthly'])
    const shown = await (
      await post(me, '/api/subscription/preview', legacy({ interval: 'yearly' }))
    ).json<ChangePreview>()
    expect(shown).toMatchObject({ when: 'now', recurring: { minor: 995_000, currency: 'sek' } })
    const { version } = await view(me)
    const refused = await put(me, '/api/subscription', choice({ planId: 'professional', version }))
    expect(await refused.json()).toMatchObject({ code: 'invalid_input', fields: { planId: expect.any(String) } })
    const answer = await put(
      me,
      '/api/subscription',
      legacy({ interval: 'yearly', version, prorationAt: shown.prorationAt }),
    )
    expect(await answer.json()).toMatchObject({ planId: 'legacy', tier: 3, interval: 'yearly' })
    const { data } = await billing.stripe.invoices.list({ customer: me.customerId, limit: 1 })
    expect(data[0]).toMatchObject({ total: shown.dueNow.minor, currency: 'sek' })
  })
})

describe('who pays by invoice', () => {
  it('gets an open invoice for a larger plan, of what was shown (BIL-7)', async () => {
    const me = await paying(['personal_monthly'], { invoice: true })
    const shown = await (await post(me, '/api/subscription/preview', choice())).json<ChangePreview>()
    const { version } = await view(me)
    const answer = await put(me, '/api/subscription', choice({ version, prorationAt: shown.prorationAt }))
    expect(await answer.json()).toMatchObject({ planId: 'standard', method: 'invoice' })
    const { data } = await billing.stripe.invoices.list({ customer: me.customerId, limit: 1 })
    expect(data[0]).toMatchObject({ status: 'open', amount_due: shown.dueNow.minor })
  })
})

describe('what stands on invoices', () => {
  const details = {
    companyName: 'Exempel AB',
    billingEmail: 'faktura@example.com',
    taxId: 'SE556677889901',
    poReference: 'PO 17',
  }

  it('is told to Stripe, with one tax id', async () => {
    const me = await paying(['standard_monthly'])
    const first = await (
      await put(me, '/api/subscription/details', { ...details, version: 1 })
    ).json<SubscriptionView>()
    expect(first).toMatchObject({ details, version: 2 })
    const other = { ...details, taxId: 'DE123456789', poReference: '', version: 2 }
    expect(await (await put(me, '/api/subscription/details', other)).json()).toMatchObject({ version: 3 })
    expect(await billing.stripe.customers.retrieve(me.customerId)).toMatchObject({
      name: 'Exempel AB',
      email: 'faktura@example.com',
      invoice_settings: { custom_fields: null },
    })
    const { data } = await billing.stripe.customers.listTaxIds(me.customerId)
    expect(data.map(({ type, value }) => [type, value])).toEqual([['eu_vat', 'DE123456789']])
    const late = await put(me, '/api/subscription/details', other)
    expect(await late.json()).toMatchObject({ code: 'version_conflict', current: 3 })
  })

  it('is kept for the first purchase when nothing has been bought', async () => {
    const me = await signedIn({ app: billing.app })
    expect((await put(me, '/api/subscription/details', { ...details, version: 1 })).status).toBe(200)
    expect((await post(me, '/api/stripe/checkout', choice({ method: 'invoice' }))).status).toBe(200)
    const { data } = await billing.stripe.invoices.list({ limit: 1 })
    expect(data[0]).toMatchObject({
      customer_name: 'Exempel AB',
      customer_email: 'faktura@example.com',
      custom_fields: [{ name: 'PO reference', value: 'PO 17' }],
    })
  })
})

describe('the portal', () => {
  it('opens for whoever has bought, anew each time, and changes no plan', async () => {
    const me = await paying(['standard_monthly'])
    const ask = { method: 'POST', json: {}, headers: { 'idempotency-key': 'portal' } }
    const [first, again] = [await me.fetch('/api/stripe/portal', ask), await me.fetch('/api/stripe/portal', ask)]
    expect([first.status, again.status]).toEqual([200, 200])
    expect(await again.json()).not.toEqual(await first.json())
    const { data } = await billing.stripe.billingPortal.configurations.list()
    expect(data).toHaveLength(1)
    expect(data[0]?.features.subscription_cancel).toMatchObject({ mode: 'at_period_end' })
    expect(data[0]?.features.subscription_update?.enabled ?? false).toBe(false)
    expect((await post(await signedIn({ app: billing.app }), '/api/stripe/portal', {})).status).toBe(404)
  })
})

describe('questions to sales', () => {
  const statusOf = async (who: Caller, init: CallInit) => (await who.fetch('/api/subscription/contact', init)).status
  it('go to whoever sells, so many an hour, also where nothing can be bought (RATE-1)', async () => {
    const me = await signedIn()
    const ask = () => post(me, '/api/subscription/contact', { people: 300, message: 'We are\nmany.' })
    const answers = await Promise.all(Array.from({ length: 6 }, ask))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 202, 202, 202, 202, 429])
    const row = await env.DB.prepare("SELECT payload FROM outbox WHERE workspace_id = ? AND kind = 'mail'")
      .bind(me.workspaceId)
      .first<{ payload: string }>()
    expect(JSON.parse(row?.payload ?? '')).toMatchObject({ template: 'planQuestion', people: 300 })
    const another = await aWorkspace()
    await aMember(another.id, me.userId, 'owner')
    const elsewhere = { method: 'POST', json: { people: 1, message: 'Me too' } }
    expect(await statusOf(me, { ...elsewhere, headers: { 'x-workspace': another.id } })).toBe(429)
    expect(await statusOf(await signedIn(), elsewhere)).toBe(202)
  })
})

describe('where billing is off', () => {
  it('nothing can be bought, and it is said so', async () => {
    const me = await signedIn()
    for (const answer of [
      await post(me, '/api/stripe/checkout', choice({ method: 'card' })),
      await post(me, '/api/subscription/preview', choice()),
      await put(me, '/api/subscription', choice({ version: 1 })),
    ])
      expect(await answer.json()).toMatchObject({ code: 'not_enabled', feature: 'billing' })
  })
})
