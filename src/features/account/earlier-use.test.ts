import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { PASSWORD, registerUser, signInAs, withResponseSession } from '../../../test/worker/accounts'
import {
  aMember,
  aWorkspace,
  signedIn,
  unique,
  visitor,
  type Caller,
  type SignedIn,
} from '../../../test/worker/factories'
import { linkTokenInMail } from '../../../test/worker/mails'
import { auditOf, inviteToken, storedMember } from '../../../test/worker/people'
import { systemIds } from '../../deps'
import type { EarlierUse } from '../../shared/account'
import type { PageData } from '../../shared/session'

const NEW_PASSWORD = 'the sentence of the owner'
const EARLIER = '/api/account/earlier-use'
const seen = async (who: Caller) => (await who.fetch(EARLIER)).json<EarlierUse>()
/** `password`: of whoever took the account over, as a way in that stays or a workspace that goes asks for it. */
const answer = (who: Caller, json: object) =>
  who.fetch(EARLIER, { method: 'POST', json: { password: NEW_PASSWORD, ...json } })
const accounts = async (userId: string) =>
  (await env.DB.prepare('SELECT id FROM accounts WHERE user_id = ?').bind(userId).all<{ id: string }>()).results

interface Squat {
  squatter: Caller
  victim: Caller
  page: PageData
  userId: string
  workspaceId: string
  crony: SignedIn
  accountId: string
  inviteId: string
  email: string
  /** What `before` left to be done. */
  finish: () => Promise<void>
}

/**
 * Somebody registers the victim's address, makes a workspace, lets a crony in, invites another and connects a provider.
 * Then the victim asks for a new password. Rows stand in for what an unproven account could do before it was refused.
 */
async function squat(
  before: (to: { squatter: Caller; workspaceId: string; cronyId: string }) => Promise<() => Promise<void>> = async () =>
    async () => {},
): Promise<Squat> {
  const { me: squatter, userId, email, anon } = await registerUser()
  const { id: workspaceId } = await aWorkspace()
  await aMember(workspaceId, userId, 'owner')
  const crony = await signedIn({ workspaceId, role: 'admin' })
  const [accountId, inviteId] = [systemIds.next('account'), systemIds.next('invite')]
  await env.DB.batch([
    env.DB.prepare("UPDATE users SET onboarding = 'done' WHERE id = ?").bind(userId),
    env.DB.prepare(
      "INSERT INTO accounts (id, provider, issuer, subject, user_id, email, created_at, last_used_at) VALUES (?, 'google', 'g', ?, ?, 'squatter@example.com', 1, 2)",
    ).bind(accountId, unique('subject'), userId),
    env.DB.prepare(
      "INSERT INTO invites (id, workspace_id, email, role, invited_by, created_at, sent_at, expires_at) VALUES (?, ?, 'third@example.com', 'viewer', ?, 1, 1, ?)",
    ).bind(inviteId, workspaceId, userId, Date.now() + 1e9),
    env.DB.prepare(
      'INSERT INTO ownership_offers (workspace_id, from_user, to_user, created_at, expires_at) VALUES (?, ?, ?, 1, ?)',
    ).bind(workspaceId, userId, crony.userId, Date.now() + 1e9),
  ])
  const finish = await before({ squatter, workspaceId, cronyId: crony.userId })
  await anon.fetch('/api/account/reset', { method: 'POST', json: { email } })
  const token = await linkTokenInMail(email, 'reset')
  const reset = await anon.fetch('/api/account/reset/confirm', {
    method: 'POST',
    json: { token, password: NEW_PASSWORD },
  })
  const page = await reset.clone().json<PageData>()
  const victim = await withResponseSession(anon, reset)
  victim.headers['x-workspace'] = workspaceId
  return { squatter, victim, page, userId, workspaceId, crony, accountId, inviteId, email, finish }
}

const look = async (inviteId: string) =>
  (await (await visitor()).fetch('/api/invites/look', { method: 'POST', json: { token: await inviteToken(inviteId) } }))
    .status
const keepAll = ({ workspaceId, crony, accountId, inviteId }: Squat) => ({
  workspaces: [workspaceId],
  members: [{ workspaceId, userId: crony.userId }],
  invites: [inviteId],
  signIns: [accountId],
})

describe('an account that was used before a mailbox proved its address', () => {
  it('is the mailbox’s alone from the first reset on: the squatter is out, the crony too', async () => {
    const it = await squat()
    expect((await it.squatter.fetch('/api/account/sessions')).status).toBe(401)
    expect((await signInAs(it.squatter, it.email, PASSWORD)).status).toBe(401)
    expect((await it.crony.fetch('/api/data-sources')).status).toBe(404)
    expect((await it.crony.fetch('/api/workspace/ownership/accept', { method: 'POST', json: {} })).status).toBe(404)
    expect(await look(it.inviteId)).toBe(410)
    expect(await accounts(it.userId)).toEqual([])
    expect(await auditOf(it.workspaceId)).toEqual(['member.update - after'])
    expect(it.page.user).toMatchObject({ emailProven: true, earlierUse: true })
  })

  it('shows the person what was there: sessions, ways in, workspaces with their people and invitations', async () => {
    const { victim, workspaceId, crony, accountId, inviteId } = await squat()
    expect(await seen(victim)).toMatchObject({
      sessions: [{ device: expect.any(String) }],
      signIns: [{ id: accountId, provider: 'google', email: 'squatter@example.com' }],
      workspaces: [
        {
          ...{ id: workspaceId, dataSources: 0 },
          members: [{ userId: crony.userId, role: 'admin' }],
          invites: [{ id: inviteId, email: 'third@example.com', role: 'viewer' }],
        },
      ],
    })
  })

  it('is as it was when everything is kept, but for sessions and the password', async () => {
    const it = await squat()
    expect((await answer(it.victim, keepAll(it))).status).toBe(200)
    expect((await it.crony.fetch('/api/data-sources')).status).toBe(200)
    expect(await look(it.inviteId)).toBe(200)
    expect(await accounts(it.userId)).toEqual([{ id: it.accountId }])
    expect((await it.squatter.fetch('/api/account/sessions')).status).toBe(401)
    const { user } = await (await it.victim.fetch('/api/session')).json<PageData>()
    expect(user).toMatchObject({ earlierUse: false })
    expect((await it.victim.fetch(EARLIER)).status).toBe(404)
  })

  it('keeps a workspace without its people: what they owned is the person’s', async () => {
    const it = await squat()
    await env.DB.prepare(
      "INSERT INTO data_sources (id, workspace_id, type, name, name_key, state, owner_id, created_at, updated_at) VALUES (?, ?, 'file', 'Orders', 'orders', 'ready', ?, 1, 1)",
    )
      .bind(systemIds.next('source'), it.workspaceId, it.crony.userId)
      .run()
    expect((await answer(it.victim, { workspaces: [it.workspaceId] })).status).toBe(200)
    expect(await storedMember(it.workspaceId, it.crony.userId)).toBeNull()
    expect(await look(it.inviteId)).toBe(410)
    expect(await accounts(it.userId)).toEqual([])
    const owner = 'SELECT owner_id FROM data_sources WHERE workspace_id = ?'
    expect(await env.DB.prepare(owner).bind(it.workspaceId).first('owner_id')).toBe(it.userId)
    expect((await it.victim.fetch('/api/data-sources')).status).toBe(200)
  })

  it('is empty when nothing is kept; the workspace can be brought back as any deleted one', async () => {
    const it = await squat()
    expect((await answer(it.victim, {})).status).toBe(200)
    const { user, workspaces } = await (await it.victim.fetch('/api/session')).json<PageData>()
    expect([workspaces, user?.earlierUse]).toEqual([[], false])
    expect(await (await it.victim.fetch('/api/workspaces/deleted')).json()).toMatchObject({
      items: [{ id: it.workspaceId }],
    })
  })

  it('takes no answer about what was not held, and only one', async () => {
    const it = await squat()
    const other = await squat()
    for (const wrong of [
      { workspaces: [other.workspaceId] },
      { members: [{ workspaceId: it.workspaceId, userId: it.crony.userId }] },
      { workspaces: [it.workspaceId], invites: [other.inviteId] },
      { signIns: [other.accountId] },
    ])
      expect((await answer(it.victim, wrong)).status).toBe(404)
    const all = keepAll(it)
    const statuses = (await Promise.all([answer(it.victim, all), answer(it.victim, all)])).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 404)).toHaveLength(1)
  })

  it('takes no answer of a session that ended while its body was under way', async () => {
    const held = new TransformStream<Uint8Array, Uint8Array>()
    const body = held.writable.getWriter()
    const writing: { late?: Promise<Response> } = {}
    const it = await squat(async ({ squatter, workspaceId, cronyId }) => {
      writing.late = squatter.fetch(EARLIER, {
        method: 'POST',
        body: held.readable,
        headers: { 'content-type': 'application/json' },
      })
      const answered = { workspaces: [workspaceId], members: [{ workspaceId, userId: cronyId }] }
      await body.write(new TextEncoder().encode(JSON.stringify(answered).slice(0, 5)))
      return async () => {
        await body.write(new TextEncoder().encode(JSON.stringify(answered).slice(5)))
        await body.close()
      }
    })
    await it.finish()
    expect((await writing.late)?.status).toBe(401)
    expect((await it.crony.fetch('/api/data-sources')).status).toBe(404)
    expect((await seen(it.victim)).workspaces).toHaveLength(1)
  })

  it('asks who it is before a way in stays or a workspace goes', async () => {
    const it = await squat()
    const { accountId, workspaceId } = it
    for (const json of [{}, { workspaces: [workspaceId], signIns: [accountId] }])
      for (const password of [undefined, PASSWORD]) {
        const refused = await answer(it.victim, { ...json, password })
        expect(refused.status).toBe(password === undefined ? 422 : 401)
      }
    expect((await answer(it.victim, { workspaces: [workspaceId], password: undefined })).status).toBe(200)
  })

  it('is about workspaces of which the person is still an active owner', async () => {
    const it = await squat()
    await env.DB.prepare("UPDATE members SET role = 'viewer' WHERE workspace_id = ? AND user_id = ?")
      .bind(it.workspaceId, it.userId)
      .run()
    expect((await seen(it.victim)).workspaces).toEqual([])
    expect((await answer(it.victim, { workspaces: [it.workspaceId] })).status).toBe(404)
    expect((await answer(it.victim, {})).status).toBe(200)
    const row = env.DB.prepare('SELECT deleted_at FROM workspaces WHERE id = ?').bind(it.workspaceId)
    expect(await row.first('deleted_at')).toBeNull()
    expect(await storedMember(it.workspaceId, it.crony.userId)).toMatchObject({ status: 'suspended' })
  })

  it('keeps invitations closed that their reader reported', async () => {
    const it = await squat()
    await env.DB.prepare(
      "INSERT INTO invite_reports (workspace_id, email, invite_id, invited_by, at) VALUES (?, 'third@example.com', ?, ?, 1)",
    )
      .bind(it.workspaceId, it.inviteId, it.userId)
      .run()
    expect((await answer(it.victim, keepAll(it))).status).toBe(200)
    expect(await look(it.inviteId)).toBe(410)
  })

  it('is not asked about twice: a later reset detaches nothing', async () => {
    const it = await squat()
    await answer(it.victim, keepAll(it))
    await it.victim.fetch('/api/account/reset', { method: 'POST', json: { email: it.email } })
    const token = await linkTokenInMail(it.email, 'reset')
    const json = { token, password: PASSWORD }
    const page = await (await it.victim.fetch('/api/account/reset/confirm', { method: 'POST', json })).json<PageData>()
    expect(page.user).toMatchObject({ earlierUse: false })
    expect((await it.crony.fetch('/api/data-sources')).status).toBe(200)
  })

  it('leaves workspaces of others as they are', async () => {
    const owner = await signedIn()
    const { userId, email, anon } = await registerUser()
    await aMember(owner.workspaceId, userId, 'viewer')
    await anon.fetch('/api/account/reset', { method: 'POST', json: { email } })
    const token = await linkTokenInMail(email, 'reset')
    const json = { token, password: NEW_PASSWORD }
    const page = await (await anon.fetch('/api/account/reset/confirm', { method: 'POST', json })).json<PageData>()
    expect(page.user).toMatchObject({ earlierUse: false })
    expect((await owner.fetch('/api/data-sources')).status).toBe(200)
    expect(await storedMember(owner.workspaceId, userId)).toMatchObject({ status: 'active' })
  })
})
