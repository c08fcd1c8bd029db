import { env } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { deleteOldEvents } from './webhook'
import { LONG } from '../../../test/long'
import { createBillingFixture, type BillingFixture } from '../../../test/worker/billing-fixture'
import { createCustomer, billingDeps, type TestCustomer } from '../../../test/worker/customers'
import { databaseDump } from '../../../test/worker/test-database'
import { callApp } from '../../../test/worker/factories'
import { createApp } from '../../app'
import { openDatabase } from '../../db/database'
import { hmacSha256Hex } from '../../lib/hash'

const SECRET = 'whsec_standin'
const DAY_MS = 24 * 60 * 60 * 1000

let billing: BillingFixture
let me: TestCustomer
let logged: ReturnType<typeof vi.spyOn>
beforeEach(async () => {
  logged = vi.spyOn(console, 'info').mockImplementation(() => undefined)
  billing = await createBillingFixture()
  me = await createCustomer(billing)
})
afterEach(() => logged.mockRestore())

const post = (body: BodyInit, signature?: string, app = billing.app): Promise<Response> =>
  callApp(app, '/api/stripe/webhook', {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      ...(signature === undefined ? {} : { 'stripe-signature': signature }),
    },
  })
const sign = (body: string, { at = billing.clock.now(), secret = SECRET, version = 'v1' } = {}): Promise<string> => {
  const t = Math.floor(at / 1000)
  return hmacSha256Hex(secret, `${t}.${body}`).then((hex) => `t=${t},${version}=${hex}`)
}
const deliver = async (event: object, app = billing.app): Promise<Response> => {
  const body = JSON.stringify(event)
  return post(body, await sign(body), app)
}
const eventsOf = (type: string) => billing.emulator.events().filter((event) => event.type === type)
const lastOf = (type: string) => {
  const event = eventsOf(type).at(-1)
  if (!event) throw new Error(`no ${type}`)
  return event
}
const inbox = async (): Promise<string[]> => {
  const { results } = await env.DB.prepare('SELECT outcome FROM stripe_events WHERE customer_id = ?')
    .bind(me.customerId)
    .all<{ outcome: string }>()
  return results.map(({ outcome }) => outcome)
}
const changes = async (): Promise<number> => {
  const row = await env.DB.prepare(
    "SELECT count(*) AS n FROM audit WHERE action = 'subscription.changed' AND workspace_id = ?",
  )
    .bind(me.workspaceId)
    .first<{ n: number }>()
  return row?.n ?? 0
}

describe('signatures (WH-1)', () => {
  it('takes an event that is signed, without session, token or app check', async () => {
    await me.buys(['standard_monthly'])
    const answer = await deliver(lastOf('customer.subscription.created'))
    expect([answer.status, await answer.json(), answer.headers.getSetCookie()]).toEqual([200, { received: true }, []])
    expect(await me.row()).toMatchObject({ state: 'active', planId: 'standard', interval: 'monthly' })
    const line = await env.DB.prepare('SELECT actor_id, before_hash, after_hash FROM audit WHERE workspace_id = ?')
      .bind(me.workspaceId)
      .all()
    expect(line.results).toEqual([
      { actor_id: null, before_hash: expect.stringMatching(/^.{64}$/), after_hash: expect.stringMatching(/^.{64}$/) },
    ])
  })

  it('refuses everything else before a single write', async () => {
    await me.buys(['standard_monthly'])
    const event = lastOf('customer.subscription.created')
    const body = JSON.stringify(event)
    const good = await sign(body)
    const v1 = good.split(',')[1] ?? ''
    const before = await databaseDump()
    const tries: [string, BodyInit, string | undefined][] = [
      ['no signature', body, undefined],
      ['an empty one', body, ''],
      ['a wrong one', body, good.replace(/.$/, (c) => (c === '0' ? '1' : '0'))],
      ['that of another secret', body, await sign(body, { secret: 'whsec_other' })],
      ['that of v0 only', body, await sign(body, { version: 'v0' })],
      ['one that is too old', body, await sign(body, { at: billing.clock.now() - 301_000 })],
      ['no instant', body, v1],
      ['a changed byte', body.replace('"livemode":false', '"livemode":true '), good],
      ['the same JSON written anew', JSON.stringify(event, null, 2), good],
      ['a byte order mark before it', `\uFEFF${body}`, good],
      ['bytes that are no text', new Uint8Array([0xff, 0xfe, 0x7b]), good],
      ['nothing', '', good],
    ]
    for (const [what, sent, signature] of tries) {
      const answer = await post(sent, signature)
      const { code } = await answer.json<{ code: string }>()
      expect([what, answer.status, code]).toEqual([what, 400, 'bad_signature'])
    }
    expect(await databaseDump()).toBe(before)
  })

  it('takes one of two signatures, as while a secret is replaced', async () => {
    await me.buys(['standard_monthly'])
    const body = JSON.stringify(lastOf('customer.subscription.created'))
    expect((await post(body, `${await sign(body)},v1=${'0'.repeat(64)}`)).status).toBe(200)
  })

  it('counts wrong signatures by address and right ones not (RATE-1)', async () => {
    await me.buys(['standard_monthly'])
    const body = JSON.stringify(lastOf('customer.subscription.created'))
    const signature = await sign(body)
    const from = (address: string, sent: string): Promise<Response> =>
      callApp(billing.app, '/api/stripe/webhook', {
        method: 'POST',
        body,
        headers: { 'stripe-signature': sent, 'cf-connecting-ip': address, 'x-forwarded-for': `${Math.random()}` },
      })
    const wrong = await Promise.all(Array.from({ length: 310 }, () => from('192.0.2.1', 'wrong')))
    expect(wrong.filter(({ status }) => status === 400)).toHaveLength(300)
    expect((await from('192.0.2.1', signature)).status).toBe(429)
    for (let n = 0; n < 3; n++) expect((await from('192.0.2.2', signature)).status).toBe(200)
  })
})

describe('events that are none for us (WH-5)', () => {
  it('are answered 200, noted and change nothing', async () => {
    await me.buys(['standard_monthly'])
    const event = lastOf('customer.subscription.created')
    const gone = await createCustomer(billing)
    await env.DB.prepare('UPDATE workspaces SET deleted_at = 1 WHERE id = ?').bind(gone.workspaceId).run()
    const of = (customer: string) => ({ data: { object: { ...event.data.object, customer } } })
    const before = await me.row()
    const cases = [
      ['unknown_type', { type: 'customer.discount.created' }],
      ['unknown_type', { type: 'something.new' }],
      ['other_mode', { livemode: true }],
      ['other_account', { account: 'acct_2' }],
      ['unknown_customer', of('cus_nobody')],
      ['unknown_customer', { data: { object: {} } }],
      ['deleted_workspace', of(gone.customerId)],
    ] as const
    for (const [at, [outcome, change]] of cases.entries()) {
      const answer = await deliver({ ...event, id: `evt_${at}`, ...change })
      const noted = await env.DB.prepare('SELECT outcome FROM stripe_events WHERE id = ?').bind(`evt_${at}`).first()
      expect([answer.status, noted]).toEqual([200, { outcome }])
    }
    expect(await me.row()).toEqual(before)
  })

  it('refuses a body of 5 MB without reading it to its end', async () => {
    const body = JSON.stringify({ id: 'evt_big', padding: 'x'.repeat(5_000_000) })
    const answer = await post(body, await sign(body))
    expect([answer.status, await answer.json()]).toMatchObject([413, { code: 'too_large' }])
    expect(await inbox()).toEqual([])
  })

  it('takes nothing away when the key is that of another account', async () => {
    await me.buys(['standard_monthly'])
    await deliver(lastOf('customer.subscription.created'))
    const before = await me.row()
    const other = await createBillingFixture({ now: billing.clock.now })
    const app = createApp(other.overrides)
    expect((await deliver({ ...lastOf('customer.subscription.created'), id: 'evt_other' }, app)).status).toBe(200)
    expect((await inbox()).toSorted()).toEqual(['applied', 'other_account'])
    expect(await me.row()).toEqual(before)
  })
})

const AT_ONCE = LONG ? 100 : 20

describe('repetition, crashes and outages', () => {
  it(`acts once on the same event sent ${AT_ONCE} times at once (WH-2)`, async () => {
    await me.buys(['standard_monthly'])
    const event = lastOf('customer.subscription.created')
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => deliver(event)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect([await inbox(), await changes()]).toEqual([['applied'], 1])
    expect(await me.row()).toMatchObject({ planId: 'standard' })
  })

  it('is whole or not at all wherever the database fails, and a repetition completes it (WH-4)', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    await me.buys(['standard_monthly'])
    const event = lastOf('customer.subscription.created')
    const before = await databaseDump(['sqlite_sequence'])
    let size = 0
    for (let at = 0; at <= size; at++) {
      const d1 = failingAt(at, (length) => {
        size = length
      })
      const app = createApp({ ...billing.overrides, db: openDatabase(d1) })
      expect((await deliver(event, app)).status).toBe(500)
      expect(await databaseDump(['sqlite_sequence'])).toBe(before)
    }
    expect(size).toBeGreaterThan(3)
    // The answer of the database is lost after everything was written.
    const lost = createApp({ ...billing.overrides, db: openDatabase(failingAt(-1)) })
    expect((await deliver(event, lost)).status).toBe(500)
    expect((await deliver(event)).status).toBe(200)
    expect([await inbox(), await changes()]).toEqual([['applied'], 1])
    expect(await me.row()).toMatchObject({ state: 'active', planId: 'standard' })
  })

  it('answers 503 while Stripe does not, and does it when the event comes again (BIL-6)', async () => {
    await me.buys(['standard_monthly'])
    const event = lastOf('customer.subscription.created')
    for (const mode of ['down', '500', '429'] as const) {
      billing.emulator.fail(mode, 10)
      const answer = await deliver(event)
      expect([mode, answer.status, await answer.json()]).toMatchObject([mode, 503, { code: 'billing_unavailable' }])
      billing.emulator.fail('none')
    }
    expect([await inbox(), (await me.row()).planId]).toEqual([[], null])
    expect((await deliver(event)).status).toBe(200)
    expect((await me.row()).planId).toBe('standard')
  })

  it('forgets events after 90 days', async () => {
    await me.buys(['standard_monthly'])
    await deliver(lastOf('customer.subscription.created'))
    const deps = billingDeps(billing)
    await deleteOldEvents({ ...deps, clock: { now: () => billing.clock.now() + 90 * DAY_MS - 1 } })
    expect(await inbox()).toHaveLength(1)
    await deleteOldEvents({ ...deps, clock: { now: () => billing.clock.now() + 90 * DAY_MS } })
    expect(await inbox()).toEqual([])
  })
})

describe('what comes late (WH-6)', () => {
  it('takes nothing back: an update after the end, an old subscription beside a new one', async () => {
    const { stripe } = billing
    const first = await me.buys(['standard_monthly'])
    await stripe.subscriptions.update(first.id, { metadata: { note: 'x' } })
    const updated = lastOf('customer.subscription.updated')
    await stripe.subscriptions.cancel(first.id)
    await deliver(lastOf('customer.subscription.deleted'))
    // The trial of our own goes on.
    expect(await me.row()).toMatchObject({ state: 'trialing', planId: null, subscriptionId: null })
    await deliver(updated)
    expect(await me.row()).toMatchObject({ state: 'trialing', planId: null, subscriptionId: null })

    const second = await me.buys(['professional_yearly'])
    await deliver({ ...lastOf('customer.subscription.deleted'), id: 'evt_late' })
    expect(await me.row()).toMatchObject({ state: 'active', planId: 'professional', subscriptionId: second.id })
  })

  it('keeps one of two plans that are paid for at once, grants no sum of them and tells the operator', async () => {
    const report = vi.fn()
    const app = createApp({ ...billing.overrides, reporter: { report } })
    const first = await me.buys(['standard_monthly', 'extra_source_monthly'])
    billing.clock.move(1000)
    const second = await me.buys(['personal_monthly', 'extra_source_monthly'])
    for (const event of eventsOf('customer.subscription.created').toReversed()) await deliver(event, app)
    expect(await me.row()).toMatchObject({ planId: 'standard', subscriptionId: first.id, addOns: { extra_source: 1 } })
    expect(String(report.mock.calls.at(-1)?.[0])).toContain(second.id)
  })
})

/** A database whose n-th statement of a batch fails in the middle of it; -1: the batch is done and its answer lost. */
function failingAt(at: number, sized: (length: number) => void = () => undefined): D1Database {
  return new Proxy(env.DB, {
    get(db, name) {
      if (name !== 'batch') {
        const value: unknown = Reflect.get(db, name)
        return typeof value === 'function' ? value.bind(db) : value
      }
      return async (statements: D1PreparedStatement[]) => {
        sized(statements.length)
        if (at >= 0) return db.batch(statements.toSpliced(at, 0, db.prepare('INSERT INTO nowhere VALUES (1)')))
        await db.batch(statements)
        throw new Error('the answer was lost')
      }
    },
  })
}
