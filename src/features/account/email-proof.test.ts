import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { registerUser, signInAs, withResponseSession } from '../../../test/worker/accounts'
import { aMember, aPerson, aWorkspace, signedIn, unique, visitor, type Caller } from '../../../test/worker/factories'
import { linkTokenInMail, templatesTo } from '../../../test/worker/mails'
import { aRowOfEach } from '../../../test/worker/resources'
import type { EmailChange } from '../../shared/account'
import type { PageData } from '../../shared/session'

const PROOF = '/api/account/email/proof'
const resend = (who: Caller) => who.fetch(PROOF, { method: 'POST' })
const confirm = (who: Caller, token: string) => who.fetch(`${PROOF}/confirm`, { method: 'POST', json: { token } })
const userOf = async (who: Caller) => (await (await who.fetch('/api/session')).json<PageData>()).user
const codeOf = async (answer: Response) => {
  const { code, reason } = await answer.json<{ code?: string; reason?: string }>()
  return `${answer.status} ${code ?? ''} ${reason ?? ''}`.trim()
}
const UNVERIFIED = '403 forbidden email_unverified'

describe('the proof of an address', () => {
  it('is asked for by mail at registration, and counts when the account itself opens the link', async () => {
    const anon = await visitor()
    const email = `${unique('new')}@example.com`
    const json = { name: 'Anna', email, password: 'a sentence nobody guesses', acceptTerms: true }
    const me = await withResponseSession(anon, await anon.fetch('/api/account/register', { method: 'POST', json }))
    expect(await templatesTo(email)).toEqual(['confirmEmail'])
    expect(await userOf(me)).toMatchObject({ emailProven: false, earlierUse: false })
    const token = await linkTokenInMail(email, 'confirmEmail')
    const answer = await confirm(me, token)
    expect((await answer.json<PageData>()).user).toMatchObject({ emailProven: true, earlierUse: false })
    expect(await userOf(me)).toMatchObject({ emailProven: true })
    expect(await codeOf(await confirm(me, token))).toBe('410 expired')
  })

  it('is nobody’s who only reads the mailbox: the link counts in a session of its account alone', async () => {
    const { me, email, anon } = await registerUser()
    const other = await registerUser()
    await resend(me)
    const token = await linkTokenInMail(email, 'confirmEmail')
    expect((await confirm(anon, token)).status).toBe(401)
    expect(await codeOf(await confirm(other.me, token))).toBe('403 forbidden other_account')
    expect(await userOf(me)).toMatchObject({ emailProven: false })
    expect((await confirm(me, token)).status).toBe(200)
  })

  it('is by the newest mail, for the address that it went to', async () => {
    const { me, email, userId } = await registerUser()
    await resend(me)
    const first = await linkTokenInMail(email, 'confirmEmail')
    await resend(me)
    expect(await codeOf(await confirm(me, first))).toBe('410 expired')
    const second = await linkTokenInMail(email, 'confirmEmail')
    await env.DB.prepare('UPDATE users SET email = ? WHERE id = ?')
      .bind(`${unique('x')}@example.com`, userId)
      .run()
    expect(await codeOf(await confirm(me, second))).toBe('410 expired')
  })

  it('is mailed five times an hour, at registration first, and not once it is there', async () => {
    const { me, email } = await registerUser()
    const statuses: number[] = []
    for (let n = 0; n < 6; n++) statuses.push((await resend(me)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
    const proven = await registerUser({ proven: true })
    expect((await resend(proven.me)).status).toBe(422)
    expect(await templatesTo(email)).toHaveLength(4)
  })

  it('lets a mistyped address be changed: only the new one confirms, and the old one hears nothing', async () => {
    const { me, email, userId } = await registerUser()
    const next = `${unique('right')}@example.com`
    const json = { email: next, password: 'a sentence nobody guesses' }
    const change = await me.fetch('/api/account/email', { method: 'PUT', json })
    expect((await change.json<EmailChange>()).pending).toMatchObject({ oldConfirmed: true, newConfirmed: false })
    const token = await linkTokenInMail(next, 'emailNew')
    const done = await me.fetch('/api/account/email/confirm', { method: 'POST', json: { token } })
    expect(await done.json()).toEqual({ changed: true, email: next })
    expect(await templatesTo(email)).toEqual([])
    expect(await userOf(me)).toMatchObject({ email: next, emailProven: true })
    const row = await env.DB.prepare('SELECT email FROM users WHERE id = ?').bind(userId).first('email')
    expect(row).toBe(next)
  })
})

describe('without a proven address', () => {
  it('nothing reaches others: no invitation, no ownership, no mention', async () => {
    const me = await signedIn({ proven: false })
    const colleague = await signedIn({ workspaceId: me.workspaceId, role: 'admin' })
    const { insights = '', invites = '' } = await aRowOfEach(me.workspaceId, me.userId)
    const calls: [string, string, unknown][] = [
      ['POST', '/api/invites', { emails: ['bo@example.com'], role: 'viewer' }],
      ['POST', `/api/invites/${invites}/resend`, {}],
      ['PUT', '/api/workspace/ownership', { userId: colleague.userId }],
      ['POST', '/api/workspace/ownership/accept', {}],
      [
        'POST',
        `/api/insights/${insights}/notes`,
        { body: 'Look @Test Person', mentions: [colleague.userId], bucket: null },
      ],
    ]
    for (const [method, path, json] of calls)
      expect(`${path} ${await codeOf(await me.fetch(path, { method, json }))}`).toBe(`${path} ${UNVERIFIED}`)
    const { n } = (await env.DB.prepare("SELECT count(*) AS n FROM outbox WHERE workspace_id = ? AND kind = 'mail'")
      .bind(me.workspaceId)
      .first<{ n: number }>()) ?? { n: -1 }
    expect(n).toBe(0)
  })

  it('a person alone goes on: data, insights, notes', async () => {
    const me = await signedIn({ proven: false })
    const { insights = '' } = await aRowOfEach(me.workspaceId, me.userId)
    const note = { body: 'For myself', mentions: [], bucket: null }
    expect((await me.fetch(`/api/insights/${insights}/notes`, { method: 'POST', json: note })).status).toBe(201)
    expect((await me.fetch('/api/data-sources')).status).toBe(200)
  })

  it('sign-in stays possible', async () => {
    const { email, anon } = await registerUser()
    expect((await signInAs(anon, email)).status).toBe(200)
  })
})

describe('workspaces of others', () => {
  it('are joined by an invitation, which proves the address and detaches nothing', async () => {
    const { id } = await aWorkspace()
    await aMember(id, await aPerson(), 'owner')
    const { me, userId } = await registerUser()
    await aMember(id, userId, 'viewer')
    expect(await userOf(me)).toMatchObject({ emailProven: false, earlierUse: false })
  })
})
