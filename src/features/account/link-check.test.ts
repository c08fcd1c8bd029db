import { describe, expect, it } from 'vitest'
import { PASSWORD, registerUser } from '../../../test/worker/accounts'
import { env } from 'cloudflare:test'
import { signedIn, unique, visitor, type Caller } from '../../../test/worker/factories'
import { linkTokenInMail } from '../../../test/worker/mails'
import { signReportToken } from '../../mail/email-links'
import type { CreateInvitesResult } from '../../shared/invites'
import type { LinkPurpose } from '../../shared/account'

const check = async (who: Caller, token: string, purpose: LinkPurpose) => {
  const answer = await who.fetch('/api/account/links/check', { method: 'POST', json: { token, purpose } })
  const body = await answer.json<{ state?: string; code?: string }>()
  return body.state ?? body.code
}
const post = (who: Caller, path: string, json: object) => who.fetch(path, { method: 'POST', json })

describe('a link, before anything is typed', () => {
  it('to a new password works until it is used, replaced or opened on another page', async () => {
    const { anon, email } = await registerUser()
    await post(anon, '/api/account/reset', { email })
    const first = await linkTokenInMail(email, 'reset')
    expect([await check(anon, first, 'reset'), await check(anon, first, 'reset')]).toEqual(['usable', 'usable'])
    expect(await check(anon, first, 'signIn')).toBe('expired')
    await post(anon, '/api/account/reset', { email })
    expect(await check(anon, first, 'reset')).toBe('expired')
    const second = await linkTokenInMail(email, 'reset')
    expect((await post(anon, '/api/account/reset/confirm', { token: second, password: PASSWORD })).status).toBe(200)
    expect(await check(anon, second, 'reset')).toBe('expired')
  })

  it('of a change of address is the account’s own, and dead once the change is cancelled', async () => {
    const { me, anon, email } = await registerUser({ proven: true })
    const other = await registerUser()
    const next = `${unique('next')}@example.com`
    await me.fetch('/api/account/email', { method: 'PUT', json: { email: next, password: PASSWORD } })
    const [old, fresh] = [await linkTokenInMail(email, 'emailOld'), await linkTokenInMail(next, 'emailNew')]
    expect(await check(anon, old, 'changeEmail')).toBe('usable')
    expect(await check(anon, fresh, 'changeEmail')).toBe('signIn')
    expect(await check(other.me, fresh, 'changeEmail')).toBe('otherAccount')
    expect(await check(me, fresh, 'changeEmail')).toBe('usable')
    await me.fetch('/api/account/email', { method: 'DELETE' })
    expect([await check(me, fresh, 'changeEmail'), await check(anon, old, 'changeEmail')]).toEqual([
      'expired',
      'expired',
    ])
  })

  it('that proves an address is dead for one that is proven, and a forged one never works', async () => {
    const { me, email } = await registerUser()
    const { me: proven } = await registerUser({ proven: true })
    await me.fetch('/api/account/email/proof', { method: 'POST' })
    const token = await linkTokenInMail(email, 'confirmEmail')
    expect([await check(me, token, 'proveEmail'), await check(proven, token, 'proveEmail')]).toEqual([
      'usable',
      'otherAccount',
    ])
    await post(me, '/api/account/email/proof/confirm', { token })
    expect(await check(me, token, 'proveEmail')).toBe('expired')
    expect(await check(me, token.slice(0, -64) + 'ab'.repeat(32), 'proveEmail')).toBe('expired')
  })

  it('that restores an account works once', async () => {
    const { me, anon, email } = await registerUser()
    await post(me, '/api/account/delete', { confirm: email, password: PASSWORD })
    const token = await linkTokenInMail(email, 'accountDeleted')
    expect(await check(anon, token, 'restoreAccount')).toBe('usable')
    await post(anon, '/api/account/undelete', { token })
    expect(await check(anon, token, 'restoreAccount')).toBe('expired')
  })

  it('by which an invitation is reported is looked at without reporting it', async () => {
    const owner = await signedIn({ subscription: { override: { users: null, analysts: null } } })
    const sent = await post(owner, '/api/invites', { emails: [`${unique('new')}@example.com`], role: 'viewer' })
    const id = (await sent.json<CreateInvitesResult>()).lines[0]?.invite?.id ?? ''
    const token = await signReportToken({ SESSION_SECRET: String(env['SESSION_SECRET']) }, id)
    const anon = await visitor()
    expect((await post(anon, '/api/invites/report/check', { token })).status).toBe(200)
    const stored = env.DB.prepare('SELECT state FROM invites WHERE id = ?').bind(id)
    expect(await stored.first('state')).toBe('pending')
    await env.DB.prepare("UPDATE invites SET state = 'accepted' WHERE id = ?").bind(id).run()
    expect((await post(anon, '/api/invites/report/check', { token })).status).toBe(410)
  })
})
