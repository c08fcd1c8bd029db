import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import {
  PASSWORD,
  registerUser,
  signInAs,
  withResponseSession,
  type RegisteredUser,
} from '../../../test/worker/accounts'
import { depsAt } from '../../../test/worker/deps'
import { databaseDump } from '../../../test/worker/test-database'
import { signedIn, unique, type Caller } from '../../../test/worker/factories'
import { inviteToken } from '../../../test/worker/people'
import { queuedMailsTo, templatesTo, linkTokenInMail } from '../../../test/worker/mails'
import { requestEmailChange } from './email-change'
import { systemIds } from '../../deps'
import type { EmailChange } from '../../shared/account'

const HOUR_MS = 3_600_000
const newAddress = () => `${unique('new')}@example.com`
const put = (who: Caller, json: object) => who.fetch('/api/account/email', { method: 'PUT', json })
const confirm = (who: Caller, token: string) =>
  who.fetch('/api/account/email/confirm', { method: 'POST', json: { token } })
const stateOf = async (who: Caller) => (await who.fetch('/api/account/email')).json<EmailChange>()
const addressOf = (userId: string) =>
  env.DB.prepare('SELECT email, email_proven_at AS proven FROM users WHERE id = ?')
    .bind(userId)
    .first<{ email: string | null; proven: number | null }>()

async function asked(over: { deps?: object } = {}): Promise<RegisteredUser & { next: string }> {
  const person = await registerUser({ ...over, proven: true })
  const next = newAddress()
  expect((await put(person.me, { email: next, password: PASSWORD })).status).toBe(200)
  return { ...person, next }
}

describe('a new address', () => {
  it.each([
    ['old, then new', ['emailOld', 'emailNew']],
    ['new, then old', ['emailNew', 'emailOld']],
  ] as const)('counts when both sides have said yes: %s', async (_what, order) => {
    const { me, anon, userId, email, next } = await asked()
    const to = { emailOld: email, emailNew: next }
    expect(await stateOf(me)).toMatchObject({
      email,
      pending: { email: next, oldConfirmed: false, newConfirmed: false },
    })
    const first = await confirm(me, await linkTokenInMail(to[order[0]], order[0]))
    expect(await first.json()).toEqual({ changed: false, email: next })
    expect(await stateOf(me)).toMatchObject({
      email,
      pending: { oldConfirmed: order[0] === 'emailOld', newConfirmed: order[0] === 'emailNew' },
    })
    expect((await addressOf(userId))?.email).toBe(email)
    const second = await confirm(me, await linkTokenInMail(to[order[1]], order[1]))
    expect(await second.json()).toEqual({ changed: true, email: next })
    expect(await addressOf(userId)).toEqual({ email: next, proven: expect.any(Number) })
    expect(await stateOf(me)).toEqual({ email: next, pending: null })
    expect((await signInAs(anon, next)).status).toBe(200)
    expect((await signInAs(anon, email)).status).toBe(401)
    expect(await templatesTo(email)).toEqual(['emailOld', 'emailChanged'])
    expect(await templatesTo(next)).toEqual(['emailNew'])
  })

  it('counts once when both sides say yes at once', async () => {
    const { me, userId, email, next } = await asked()
    const tokens = [await linkTokenInMail(email, 'emailOld'), await linkTokenInMail(next, 'emailNew')]
    const answers = await Promise.all(tokens.map((token) => confirm(me, token)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await addressOf(userId))?.email).toBe(next)
    expect((await templatesTo(email)).filter((name) => name === 'emailChanged')).toHaveLength(1)
    for (const token of tokens) expect((await confirm(me, token)).status).toBe(410)
  })

  it('needs the password, and is not the address of now', async () => {
    const { me, email } = await registerUser({ proven: true })
    const before = await databaseDump()
    expect((await put(me, { email: newAddress(), password: 'not the sentence' })).status).toBe(401)
    expect((await put(me, { email: newAddress() })).status).toBe(422)
    expect((await put(me, { email: email.toUpperCase(), password: PASSWORD })).status).toBe(422)
    expect(await databaseDump()).toBe(before)
  })

  it('that somebody has answers as a free one, and is refused when it would count', async () => {
    const [person, other] = [await registerUser({ proven: true }), await registerUser({ proven: true })]
    const answers: unknown[] = []
    for (const email of [newAddress(), other.email]) {
      const answer = await put(person.me, { email, password: PASSWORD })
      const body = await answer.json<EmailChange>()
      answers.push([answer.status, { ...body, pending: { ...body.pending, email: '', expiresAt: '' } }])
    }
    expect(answers[0]).toEqual(answers[1])
    await confirm(person.anon, await linkTokenInMail(person.email, 'emailOld'))
    const before = await databaseDump()
    const taken = await confirm(person.me, await linkTokenInMail(other.email, 'emailNew'))
    expect([taken.status, await taken.json()]).toMatchObject([409, { code: 'account_exists' }])
    expect(await databaseDump()).toBe(before)
  })

  it('given up or replaced by another, opens nothing any more', async () => {
    const { me, anon, email, next } = await asked()
    const [old, fresh] = [await linkTokenInMail(email, 'emailOld'), await linkTokenInMail(next, 'emailNew')]
    const other = newAddress()
    await put(me, { email: other, password: PASSWORD })
    for (const token of [old, fresh]) expect((await confirm(anon, token)).status).toBe(410)
    const cancelled = await me.fetch('/api/account/email', { method: 'DELETE' })
    expect(await cancelled.json()).toEqual({ email, pending: null })
    expect(await stateOf(me)).toEqual({ email, pending: null })
    expect((await confirm(anon, await linkTokenInMail(other, 'emailNew'))).status).toBe(410)
  })

  it('half confirmed and then given up is no half of the next one', async () => {
    const { me, anon, userId, email, next } = await asked()
    await confirm(anon, await linkTokenInMail(email, 'emailOld'))
    await put(me, { email: next, password: PASSWORD })
    expect(await stateOf(me)).toMatchObject({ pending: { oldConfirmed: false, newConfirmed: false } })
    expect(await (await confirm(me, await linkTokenInMail(next, 'emailNew'))).json()).toMatchObject({
      changed: false,
    })
    expect((await addressOf(userId))?.email).toBe(email)
  })

  it('waits 24 hours', async () => {
    let now = Date.now()
    const { me, anon, email } = await asked({ deps: { clock: { now: () => now } } })
    now += 24 * HOUR_MS
    expect((await confirm(anon, await linkTokenInMail(email, 'emailOld'))).status).toBe(410)
    expect(await stateOf(me)).toEqual({ email, pending: null })
  })

  it('of a person without one needs the new side only', async () => {
    const me = await signedIn()
    await env.DB.prepare('UPDATE users SET email = NULL WHERE id = ?').bind(me.userId).run()
    const next = newAddress()
    const answer = await put(me, { email: next })
    expect(await answer.json()).toMatchObject({ email: null, pending: { oldConfirmed: true, newConfirmed: false } })
    expect(await queuedMailsTo(next)).toMatchObject([{ template: 'emailNew', oldEmail: null }])
    expect(await (await confirm(me, await linkTokenInMail(next, 'emailNew'))).json()).toEqual({
      changed: true,
      email: next,
    })
    expect(await addressOf(me.userId)).toEqual({ email: next, proven: expect.any(Number) })
  })

  it('ends links that went to the old one (AUTH-6)', async () => {
    const { me, anon, email, next } = await asked()
    await anon.fetch('/api/account/reset', { method: 'POST', json: { email } })
    const reset = await linkTokenInMail(email, 'reset')
    await confirm(anon, await linkTokenInMail(email, 'emailOld'))
    await confirm(me, await linkTokenInMail(next, 'emailNew'))
    const late = await anon.fetch('/api/account/reset/confirm', {
      method: 'POST',
      json: { token: reset, password: 'another long sentence' },
    })
    expect(late.status).toBe(410)
  })

  it('is confirmed by its reader in a session of the account alone; the old side by whoever reads it', async () => {
    const [{ me, anon, userId, email, next }, other] = [await asked(), await registerUser({ proven: true })]
    const fresh = await linkTokenInMail(next, 'emailNew')
    expect((await confirm(anon, fresh)).status).toBe(401)
    const foreign = await confirm(other.me, fresh)
    expect([foreign.status, await foreign.json()]).toMatchObject([403, { code: 'forbidden', reason: 'other_account' }])
    expect((await confirm(anon, await linkTokenInMail(email, 'emailOld'))).status).toBe(200)
    expect((await addressOf(userId))?.email).toBe(email)
    expect(await (await confirm(me, fresh)).json()).toEqual({ changed: true, email: next })
  })
})

describe('a new address that was asked for while the old one was unproven', () => {
  const unproven = async () => {
    const person = await registerUser()
    const next = newAddress()
    expect((await put(person.me, { email: next, password: PASSWORD })).status).toBe(200)
    return { ...person, next, fresh: await linkTokenInMail(next, 'emailNew') }
  }
  const prove = {
    'the mail of the proof': async ({ me, email }: RegisteredUser) => {
      await me.fetch('/api/account/email/proof', { method: 'POST' })
      const token = await linkTokenInMail(email, 'confirmEmail')
      return me.fetch('/api/account/email/proof/confirm', { method: 'POST', json: { token } })
    },
    'a reset': async ({ anon, email }: RegisteredUser) => {
      await anon.fetch('/api/account/reset', { method: 'POST', json: { email } })
      const token = await linkTokenInMail(email, 'reset')
      return anon.fetch('/api/account/reset/confirm', { method: 'POST', json: { token, password: PASSWORD } })
    },
    'an invitation': async ({ me, email, userId }: RegisteredUser) => {
      const { workspaceId } = await signedIn({ subscription: { override: { users: null, analysts: null } } })
      const id = systemIds.next('invite')
      await env.DB.prepare(
        "INSERT INTO invites (id, workspace_id, email, role, invited_by, created_at, sent_at, expires_at) VALUES (?, ?, ?, 'viewer', ?, 1, 1, ?)",
      )
        .bind(id, workspaceId, email, userId, Date.now() + 1e9)
        .run()
      return me.fetch('/api/invites/accept', { method: 'POST', json: { token: await inviteToken(id) } })
    },
  }

  it.each(Object.entries(prove))('is given up when %s proves it', async (_what, proveBy) => {
    const person = await unproven()
    expect((await proveBy(person)).status).toBe(200)
    const again = await withResponseSession(person.anon, await signInAs(person.anon, person.email))
    expect((await confirm(again, person.fresh)).status).toBe(410)
    expect(await addressOf(person.userId)).toEqual({ email: person.email, proven: expect.any(Number) })
    expect(await stateOf(again)).toEqual({ email: person.email, pending: null })
  })

  it('does not come from a link either that outlived the proof', async () => {
    const { me, userId, email, fresh } = await unproven()
    await env.DB.prepare('UPDATE users SET email_proven_at = 1 WHERE id = ?').bind(userId).run()
    expect((await confirm(me, fresh)).status).toBe(410)
    expect((await addressOf(userId))?.email).toBe(email)
  })

  it('is not asked for by a session that ended while the body was under way', async () => {
    const { me, userId, email } = await registerUser()
    const emailProven = false
    const row = await env.DB.prepare('SELECT hash, epoch FROM sessions WHERE user_id = ?')
      .bind(userId)
      .first<{ hash: string; epoch: number }>()
    await me.fetch('/api/session/sign-out', { method: 'POST' })
    const stale = { userId, email, emailProven, epoch: row?.epoch ?? 0, sessionHash: row?.hash ?? '' }
    await expect(requestEmailChange(depsAt(Date.now()), { me: stale, email: newAddress() })).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    expect(await stateOf(await withResponseSession(me, await signInAs(me, email)))).toEqual({ email, pending: null })
  })
})
