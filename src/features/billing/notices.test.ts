import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { dueNotice, BILLING_NOTICES } from './model/notice'
import { sendDueNotices } from './notices'
import { aMember, aPerson, signedIn } from '../../../test/worker/factories'
import { queuedMailsTo, templatesTo } from '../../../test/worker/mails'
import { depsAt } from '../../../test/worker/deps'
import { NO_SUBSCRIPTION, type Subscription } from '../../shared/billing/entitlements'

const DAY_MS = 24 * 60 * 60 * 1000
const START = Date.UTC(2026, 9, 25)
const TRIAL: Subscription = { ...NO_SUBSCRIPTION, state: 'trialing', trialEndsAt: START + 7 * DAY_MS }

const emailOf = (userId: string) =>
  env.DB.prepare('SELECT email FROM users WHERE id = ?').bind(userId).first<string>('email')
const roundAt = (now: number) => sendDueNotices(depsAt(now))

describe('which notice is due (TIME-3)', () => {
  it.each([
    [0, null],
    [5 * DAY_MS - 1, null],
    [5 * DAY_MS, 'trialEnding'],
    [7 * DAY_MS - 1, 'trialEnding'],
    [7 * DAY_MS, 'trialEnded'],
    [90 * DAY_MS, 'trialEnded'],
  ])('of a trial %d ms after it began, through the end of summer time, is %s', (after, notice) => {
    expect(dueNotice(TRIAL, START + after)).toBe(notice)
  })

  it.each([
    [{ state: 'invoice_pending', invoiceDueAt: START + 1 }, null],
    [{ state: 'invoice_pending', invoiceDueAt: START }, 'paymentMissing'],
    [{ state: 'past_due', pastDueSince: START - 13 * DAY_MS, fetchedAt: START }, 'paymentMissing'],
    [{ state: 'past_due', pastDueSince: START - 14 * DAY_MS, fetchedAt: START - 1 }, 'paymentMissing'],
    [{ state: 'past_due', pastDueSince: START - 14 * DAY_MS, fetchedAt: START }, 'workspaceRestricted'],
    [{ state: 'canceled' }, 'subscriptionEnded'],
    [{ state: 'active' }, null],
    [{ state: 'awaiting_checkout' }, null],
  ] as const)('of %j is %s', (row, notice) => {
    expect(dueNotice({ ...NO_SUBSCRIPTION, planId: 'standard', ...row }, START)).toBe(notice)
  })
})

describe('the round of notices', () => {
  // A round takes up a hundred: what is due of other files is not due here.
  beforeEach(() => env.DB.prepare("UPDATE subscriptions SET state = 'awaiting_checkout'").run())

  it('tells the owners on the fifth and on the seventh day, once each, and nobody else', async () => {
    const now = Date.now()
    const me = await signedIn({ subscription: { trialEndsAt: now + 7 * DAY_MS } })
    const admin = await aPerson()
    await aMember(me.workspaceId, admin, 'admin')
    const owner = (await emailOf(me.userId)) ?? ''
    for (const day of [1, 4, 5, 5.5, 6, 7, 7.2, 20]) await roundAt(now + day * DAY_MS)
    expect(await templatesTo(owner)).toEqual(['trialEnding', 'trialEnded'])
    expect(await queuedMailsTo((await emailOf(admin)) ?? '')).toEqual([])
  })

  it('reminds no owner of a trial who turned reminders off', async () => {
    const now = Date.now()
    const me = await signedIn({ subscription: { trialEndsAt: now + 7 * DAY_MS } })
    await env.DB.prepare('UPDATE users SET notifications = ? WHERE id = ?').bind('{"billing":false}', me.userId).run()
    await roundAt(now + 5 * DAY_MS)
    expect(await queuedMailsTo((await emailOf(me.userId)) ?? '')).toEqual([])
  })

  it('tells only the newest when it slept through the fifth day (TIME-2)', async () => {
    const now = Date.now()
    const me = await signedIn({ subscription: { trialEndsAt: now + 7 * DAY_MS } })
    await roundAt(now + 9 * DAY_MS)
    expect(await templatesTo((await emailOf(me.userId)) ?? '')).toEqual(['trialEnded'])
  })

  it('orders one mail when two rounds run at once', async () => {
    const me = await signedIn({ subscription: { trialEndsAt: Date.now() } })
    await Promise.all(Array.from({ length: 5 }, () => roundAt(Date.now() + 1000)))
    expect(await templatesTo((await emailOf(me.userId)) ?? '')).toEqual(['trialEnded'])
  })

  it('tells of a missing payment, and of the next one again, also where invoices go', async () => {
    const now = Date.now()
    const me = await signedIn({ subscription: { state: 'past_due', planId: 'standard', pastDueSince: now } })
    const books = `${me.workspaceId}@books.example`
    const set = (sql: string, ...values: unknown[]) =>
      env.DB.prepare(`UPDATE subscriptions SET ${sql} WHERE workspace_id = ?`)
        .bind(...values, me.workspaceId)
        .run()
    await set('details = ?', JSON.stringify({ billingEmail: books }))
    await roundAt(now)
    await roundAt(now + DAY_MS)
    expect(await queuedMailsTo(books)).toMatchObject([{ template: 'paymentMissing', readOnlyAt: now + 14 * DAY_MS }])
    await set("state = 'active', past_due_since = NULL")
    await roundAt(now + 2 * DAY_MS)
    await set("state = 'past_due', past_due_since = ?", now + 30 * DAY_MS)
    await roundAt(now + 30 * DAY_MS)
    await set('fetched_at = ?', now + 45 * DAY_MS)
    await roundAt(now + 45 * DAY_MS)
    expect(await templatesTo(books)).toEqual(['paymentMissing', 'paymentMissing', 'workspaceRestricted'])
    expect(await templatesTo((await emailOf(me.userId)) ?? '')).toEqual(await templatesTo(books))
  })

  it('finds whatever the model says is due: its question to the database leaves nothing out', async () => {
    const me = await signedIn()
    const at = fc.option(fc.integer({ min: -20, max: 20 }).map((day) => START + day * DAY_MS))
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          state: fc.constantFrom('trialing', 'active', 'invoice_pending', 'past_due', 'restricted', 'canceled'),
          trial: fc.integer({ min: -20, max: 20 }),
          due: at,
          since: at,
          fetched: fc.integer({ min: -20, max: 20 }),
          told: fc.option(fc.constantFrom(...BILLING_NOTICES)),
        }),
        async ({ state, trial, due, since, fetched, told }) => {
          const days = (day: number) => START + day * DAY_MS
          // Billing always says since when, or when it is due.
          const invoiceDueAt = state === 'invoice_pending' ? (due ?? START) : due
          const pastDueSince = state === 'past_due' ? (since ?? START) : state === 'invoice_pending' ? null : since
          await env.DB.prepare(
            `UPDATE subscriptions SET state = ?, plan_id = 'standard', trial_ends_at = ?, invoice_due_at = ?, past_due_since = ?,
               fetched_at = ?, told = ? WHERE workspace_id = ?`,
          )
            .bind(state, days(trial), invoiceDueAt, pastDueSince, days(fetched), told, me.workspaceId)
            .run()
          await roundAt(START)
          const row = await env.DB.prepare('SELECT told FROM subscriptions WHERE workspace_id = ?')
            .bind(me.workspaceId)
            .first<string>('told')
          const expected = dueNotice(
            {
              ...{ ...NO_SUBSCRIPTION, state, planId: 'standard', trialEndsAt: days(trial) },
              ...{ invoiceDueAt, pastDueSince, fetchedAt: days(fetched) },
            },
            START,
          )
          // What nobody needs to hear any more may stand until something new is due.
          if (expected !== null || state !== 'trialing') expect(row).toBe(expected)
        },
      ),
      { numRuns: env['LONG'] === '1' ? 1000 : 12 },
    )
  })
})
