import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { invitationAllowance } from './invitations'
import { createApp } from '../app'
import { deliverMail } from '../mail/deliver'
import { MailRefused } from '../mail/smtp'
import { depsAt } from '../../test/worker/deps'
import { signedIn, type SignedIn, type SignedInOptions } from '../../test/worker/factories'
import { SUBSCRIPTION_STATES } from '../shared/billing/entitlements'
import { PLANS } from '../shared/billing/plans'
import { DAY_MS } from '../shared/dates'
import type { CreateInvitesResult } from '../shared/invites'

// Mails wait in the outbox: what becomes of them is each test's own.
const app = createApp({ onOutbox: () => undefined })
const owned = (options: SignedInOptions = {}) =>
  signedIn({ app, subscription: { override: { users: null, analysts: null } }, ...options })
const addresses = (n: number, from = 0) => Array.from({ length: n }, (_, at) => `p${from + at}@example.com`)
const post = (who: SignedIn, emails: string[]) =>
  who.fetch('/api/invites', { method: 'POST', json: { emails, role: 'viewer' } })
const sentOf = async (who: SignedIn): Promise<number> => {
  const count = env.DB.prepare("SELECT count(*) AS n FROM outbox WHERE workspace_id = ? AND key LIKE 'mail:invite:%'")
  return (await count.bind(who.workspaceId).first<number>('n')) ?? -1
}

describe('invitations in a day', () => {
  it('grow with the plan, and are a trial’s wherever nothing is paid or a payment is overdue', () => {
    const perDay = (planId: (typeof PLANS)[number]['id']) => invitationAllowance({ state: 'active', planId }).perDay
    expect(['personal', 'standard', 'professional', 'enterprise'].map((id) => perDay(id as 'personal'))).toEqual([
      50, 100, 200, 500,
    ])
    for (const state of SUBSCRIPTION_STATES.filter((one) => !['active', 'invoice_pending'].includes(one)))
      for (const { id } of PLANS) expect(invitationAllowance({ state, planId: id }).perDay).toBe(20)
    expect(invitationAllowance({ state: 'active', planId: null }).perDay).toBe(20)
  })

  it('are 20 in a trial, mails sent again too; what does not fit is refused as a whole', async () => {
    const owner = await owned()
    const { lines } = await (await post(owner, addresses(18))).json<CreateInvitesResult>()
    const resent = await owner.fetch(`/api/invites/${lines[0]?.invite?.id ?? ''}/resend`, { method: 'POST', json: {} })
    expect(resent.status).toBe(200)
    const refused = await post(owner, addresses(2, 18))
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: 'limit_reached', limit: 'invitationsPerDay', used: 19, max: 20, resetsAt: expect.any(String) },
    ])
    expect((await post(owner, addresses(1, 18))).status).toBe(200)
    const again = await owner.fetch(`/api/invites/${lines[1]?.invite?.id ?? ''}/resend`, { method: 'POST', json: {} })
    expect([again.status, (await again.json<{ limit?: string }>()).limit]).toEqual([409, 'invitationsPerDay'])
    expect(await sentOf(owner)).toBe(20)
  })

  it('are counted by the write itself: of 30 calls at once exactly 20 send', async () => {
    const owner = await owned()
    const answers = await Promise.all(addresses(30).map((email) => post(owner, [email])))
    // Whoever lost to others too often is asked to try again: 20 is what the rest may not exceed.
    for (let n = 0; (await sentOf(owner)) < 20 && n < 20; n++) await post(owner, [`again-${n}@example.com`])
    expect(answers.every(({ status }) => [200, 409, 503].includes(status))).toBe(true)
    expect(await sentOf(owner)).toBe(20)
    expect((await post(owner, ['late@example.com'])).status).toBe(409)
  })

  it('begin anew with the next day', async () => {
    const now = Date.now()
    const clock = { at: now }
    const later = createApp({ onOutbox: () => undefined, clock: { now: () => clock.at } })
    const owner = await owned({ app: later })
    expect((await post(owner, addresses(20))).status).toBe(200)
    expect((await post(owner, addresses(1, 20))).status).toBe(409)
    clock.at = now + DAY_MS
    expect((await post(owner, addresses(1, 20))).status).toBe(200)
  })
})

describe('mails that servers refuse', () => {
  it('are counted for their workspace once each, and pause its invitations for the day', async () => {
    const [owner, other] = [await owned(), await owned()]
    await env.DB.prepare('DELETE FROM outbox').run()
    expect((await post(owner, addresses(4))).status).toBe(200)
    const send = (error: Error) => ({ send: () => Promise.reject(error) })
    const deliver = (error: Error) => deliverMail({ ...depsAt(Date.now()), mail: send(error) })
    await deliver(new MailRefused('550 no such person'))
    await deliver(new MailRefused('550 no such person'))
    expect((await post(owner, addresses(1, 4))).status).toBe(200)
    await deliver(new Error('421 try later'))
    expect((await post(owner, addresses(1, 5))).status).toBe(200)
    await deliver(new MailRefused('550 no such person'))
    const refused = await post(owner, addresses(1, 6))
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: 'limit_reached', limit: 'bouncedMails', used: 5, max: 5 },
    ])
    expect((await post(other, addresses(1))).status).toBe(200)
  })
})
