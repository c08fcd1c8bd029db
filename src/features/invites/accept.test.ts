import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { createApp } from '../../app'
import { databaseDump } from '../../../test/worker/test-database'
import { otherWorkspace, signedIn, visitor, type Caller, type SignedIn } from '../../../test/worker/factories'
import {
  auditOf,
  emailOf,
  inviteToken,
  setSeatLimits,
  queuedMailsOf,
  countTakenSeats,
  storedMember,
} from '../../../test/worker/people'
import { spendTries } from '../../../test/worker/http/rate-limits'
import { aRowOfEach } from '../../../test/worker/resources'
import { systemIds } from '../../deps'
import type { CreateInvitesInput, Invite, InvitePreview, CreateInvitesResult } from '../../shared/invites'

const app = createApp()
const owned = (users: number | null = 100) => signedIn({ app, subscription: { override: { users, analysts: null } } })
async function invited(who: SignedIn, email: string, more: Partial<CreateInvitesInput> = {}): Promise<Invite> {
  const sent: CreateInvitesResult = await (
    await who.fetch('/api/invites', { method: 'POST', json: { emails: [email], role: 'viewer', ...more } })
  ).json()
  const made = sent.lines[0]?.invite
  if (!made) throw new Error(sent.lines[0]?.outcome ?? 'no line')
  return made
}
const accept = (who: Caller, token: string) => who.fetch('/api/invites/accept', { method: 'POST', json: { token } })
const look = (who: Caller, token: string) => who.fetch('/api/invites/look', { method: 'POST', json: { token } })
const standing = async (who: Caller, token: string) => (await (await look(who, token)).json<InvitePreview>()).standing
const codeOf = async (answer: Response) => `${answer.status} ${(await answer.json<{ code?: string }>()).code ?? ''}`
const personRow = (userId: string) =>
  env.DB.prepare('SELECT email, email_proven_at IS NOT NULL AS proven, onboarding FROM users WHERE id = ?')
    .bind(userId)
    .first<{ email: string | null; proven: number; onboarding: string }>()
const setPerson = (userId: string, set: string) =>
  env.DB.prepare(`UPDATE users SET ${set} WHERE id = ?`).bind(userId).run()

/** An owner, somebody of another workspace, and an invitation to the latter's address. */
async function scene(more: Partial<CreateInvitesInput> = {}, users: number | null = 100) {
  const owner = await owned(users)
  const guest = await signedIn({ app })
  const made = await invited(owner, await emailOf(guest.userId), more)
  return { owner, guest, invite: made, token: await inviteToken(made.id) }
}
const inWorkspace = (who: SignedIn, workspaceId: string, path = '/api/members') =>
  who.fetch(path, { headers: { 'x-workspace': workspaceId } })

describe('looking at an invitation', () => {
  it('says whose it is and how the reader stands, and consumes nothing', async () => {
    const { owner, guest, token } = await scene({ role: 'analyst' })
    const stranger = await otherWorkspace(app)
    const before = await databaseDump()
    const seen: InvitePreview = await (await look(guest, token)).json()
    expect(seen).toMatchObject({
      email: await emailOf(guest.userId),
      invitedBy: 'Test Person',
      role: 'analyst',
      standing: 'ready',
      workspace: { logo: null },
    })
    expect(await standing(await visitor({ app }), token)).toBe('signIn')
    expect(await standing(stranger, token)).toBe('otherAccount')
    expect(await standing(owner, token)).toBe('member')
    expect(await databaseDump()).toBe(before)
  })

  it('tells forged, unknown, revoked, lapsed and deleted ones apart in nothing', async () => {
    const { owner, guest, invite, token } = await scene()
    const other = await invited(owner, 'other@example.com')
    const forged = `${invite.id}.${(await inviteToken(other.id)).split('.')[1] ?? ''}`
    const unknown = await inviteToken(systemIds.next('invite'))
    const answers = [await look(guest, forged), await look(guest, unknown), await accept(guest, forged)]
    const lapse = (at: number) =>
      env.DB.prepare('UPDATE invites SET expires_at = ? WHERE id = ?').bind(at, invite.id).run()
    await lapse(Date.now() - 1)
    answers.push(await look(guest, token), await accept(guest, token))
    await lapse(Date.now() + 60_000)
    await env.DB.prepare('UPDATE workspaces SET deleted_at = 1 WHERE id = ?').bind(owner.workspaceId).run()
    answers.push(await look(guest, token), await accept(guest, token))
    await env.DB.prepare('UPDATE workspaces SET deleted_at = NULL WHERE id = ?').bind(owner.workspaceId).run()
    await owner.fetch(`/api/invites/${invite.id}/revoke`, { method: 'POST', json: {} })
    answers.push(await look(guest, token), await accept(guest, token))
    const bodies = await Promise.all(
      answers.map(async (answer) => ({ ...(await answer.json<object>()), requestId: '', status: answer.status })),
    )
    expect(bodies[0]).toMatchObject({ status: 410, code: 'expired', what: 'invite' })
    for (const body of bodies) expect(body).toEqual(bodies[0])
    expect(await storedMember(owner.workspaceId, guest.userId)).toBeNull()
  })

  it('is limited by network address', async () => {
    const who = await visitor({ app })
    const token = await inviteToken(systemIds.next('invite'))
    const headers = { 'cf-connecting-ip': '203.0.113.77' }
    await spendTries('lookAtInviteFromAddress', '203.0.113.77', { left: 2 })
    const statuses: number[] = []
    for (let n = 0; n < 3; n++)
      statuses.push((await who.fetch('/api/invites/look', { method: 'POST', json: { token }, headers })).status)
    expect(statuses).toEqual([410, 410, 429])
  })
})

describe('accepting', () => {
  it('makes a member of the invited role, in the groups and on the page named, and tells the inviter', async () => {
    const owner = await owned()
    const guest = await signedIn({ app })
    await setPerson(guest.userId, "onboarding = 'workspace'")
    const rows = await aRowOfEach(owner.workspaceId, owner.userId)
    const landing = `/insights/${rows['insights'] ?? ''}`
    const { id } = await invited(owner, await emailOf(guest.userId), {
      role: 'analyst',
      groupIds: [rows['groups'] ?? ''],
      landing,
    })
    const done = await accept(guest, await inviteToken(id))
    expect(done.status).toBe(200)
    expect(await done.json()).toEqual({ workspaceId: owner.workspaceId, landing })
    expect(await storedMember(owner.workspaceId, guest.userId)).toEqual({ role: 'analyst', status: 'active', epoch: 1 })
    expect(await personRow(guest.userId)).toMatchObject({ proven: 1, onboarding: 'done' })
    const inGroup = await env.DB.prepare('SELECT is_member FROM group_members WHERE group_id = ? AND user_id = ?')
      .bind(rows['groups'] ?? '', guest.userId)
      .first()
    expect(inGroup).toEqual({ is_member: 1 })
    expect((await inWorkspace(guest, owner.workspaceId)).status).toBe(200)
    expect((await queuedMailsOf(owner.workspaceId)).at(-1)).toMatchObject({
      to: await emailOf(owner.userId),
      template: 'invitationAccepted',
      role: 'analyst',
    })
    expect((await auditOf(owner.workspaceId)).slice(-2)).toEqual(['invite.accept - after', 'member.join - after'])
  })

  it('lands on the sources when the page is gone, leaves deleted groups out, and respects who wants no mail', async () => {
    const owner = await owned()
    const guest = await signedIn({ app })
    const rows = await aRowOfEach(owner.workspaceId, owner.userId)
    const terms = { groupIds: [rows['groups'] ?? ''], landing: `/insights/${rows['insights'] ?? ''}` }
    const { id } = await invited(owner, await emailOf(guest.userId), terms)
    await env.DB.batch([
      env.DB.prepare('UPDATE insights SET deleted_at = 1 WHERE id = ?').bind(rows['insights'] ?? ''),
      env.DB.prepare('UPDATE user_groups SET deleted_at = 1 WHERE id = ?').bind(rows['groups'] ?? ''),
      env.DB.prepare(`UPDATE users SET notifications = '{"invitationAccepted":false}' WHERE id = ?`).bind(owner.userId),
    ])
    expect(await (await accept(guest, await inviteToken(id))).json()).toMatchObject({ landing: '/data-sources' })
    const joined = await env.DB.prepare('SELECT count(*) AS n FROM group_members WHERE user_id = ?')
      .bind(guest.userId)
      .first('n')
    expect(joined).toBe(0)
    expect((await queuedMailsOf(owner.workspaceId)).map(({ template }) => template)).toEqual(['invitation'])
  })

  it('needs the invited address: others are told whose it is, and nothing changes', async () => {
    const { owner, guest, token } = await scene()
    const stranger = await otherWorkspace(app)
    const before = await databaseDump()
    const refused = await accept(stranger, token)
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining(await emailOf(guest.userId)),
    })
    expect((await accept(await visitor({ app }), token)).status).toBe(401)
    expect(await databaseDump()).toBe(before)
    expect(await storedMember(owner.workspaceId, stranger.userId)).toBeNull()
  })

  it('gives a free address to a person without one, and never one that another account has', async () => {
    const owner = await owned()
    const [nameless, other] = [await signedIn({ app }), await signedIn({ app })]
    await setPerson(nameless.userId, 'email = NULL')
    const taken = await inviteToken((await invited(owner, await emailOf(other.userId))).id)
    expect(await standing(nameless, taken)).toBe('otherAccount')
    expect(await codeOf(await accept(nameless, taken))).toBe('403 forbidden')
    const free = await inviteToken((await invited(owner, 'free-address@example.com')).id)
    expect(await standing(nameless, free)).toBe('ready')
    expect((await accept(nameless, free)).status).toBe(200)
    expect(await personRow(nameless.userId)).toMatchObject({ email: 'free-address@example.com', proven: 1 })
  })

  it('uses the link up: the same person is answered the same, and nobody else anything', async () => {
    const { owner, guest, token } = await scene()
    const answers = await Promise.all(Array.from({ length: 10 }, () => accept(guest, token)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(await (await accept(guest, token)).json()).toEqual({
      workspaceId: owner.workspaceId,
      landing: '/data-sources',
    })
    expect((await auditOf(owner.workspaceId)).filter((line) => line.startsWith('member.join'))).toHaveLength(1)
    expect(await codeOf(await accept(await otherWorkspace(app), token))).toBe('410 expired')
    expect((await look(await visitor({ app }), token)).status).toBe(410)
  })

  it('is no second door for whoever was removed or suspended (AUTH-9)', async () => {
    const { owner, guest, token } = await scene()
    await accept(guest, token)
    const change = { role: 'viewer', status: 'suspended', version: 1 }
    await owner.fetch(`/api/members/${guest.userId}`, { method: 'PUT', json: change })
    expect(await codeOf(await accept(guest, token))).toBe('410 expired')
    const address = await emailOf(guest.userId)
    const again = await owner.fetch('/api/invites', { method: 'POST', json: { emails: [address], role: 'viewer' } })
    expect((await again.json<CreateInvitesResult>()).lines[0]?.outcome).toBe('member')
    await owner.fetch(`/api/members/${guest.userId}?version=2`, { method: 'DELETE' })
    expect(await codeOf(await accept(guest, token))).toBe('410 expired')
    expect((await inWorkspace(guest, owner.workspaceId)).status).toBe(404)
    const anew = await invited(owner, address)
    expect((await accept(guest, await inviteToken(anew.id))).status).toBe(200)
    expect((await inWorkspace(guest, owner.workspaceId)).status).toBe(200)
  })

  it('does not restore a suspended member by an invitation to another address of theirs', async () => {
    const owner = await owned()
    const member = await signedIn({ app, workspaceId: owner.workspaceId, role: 'viewer' })
    await env.DB.prepare("UPDATE members SET status = 'suspended' WHERE user_id = ?").bind(member.userId).run()
    const { id } = await invited(owner, 'second-address@example.com')
    await setPerson(member.userId, "email = 'second-address@example.com'")
    expect(await codeOf(await accept(member, await inviteToken(id)))).toBe('403 forbidden')
    expect((await storedMember(owner.workspaceId, member.userId))?.status).toBe('suspended')
  })

  it('of somebody else is not used up by a member who opens its link', async () => {
    const { owner, guest, token } = await scene()
    expect((await accept(owner, token)).status).toBe(200)
    expect(await countTakenSeats(owner.workspaceId)).toBe(2)
    expect((await auditOf(owner.workspaceId)).filter((line) => line.startsWith('invite.accept'))).toEqual([])
    expect((await accept(guest, token)).status).toBe(200)
    expect((await storedMember(owner.workspaceId, guest.userId))?.status).toBe('active')
  })

  it('leaves the role of a member as it is', async () => {
    const owner = await owned()
    const member = await signedIn({ app, workspaceId: owner.workspaceId, role: 'viewer' })
    const { id } = await invited(owner, 'third-address@example.com', { role: 'admin' })
    await setPerson(member.userId, "email = 'third-address@example.com'")
    expect((await accept(member, await inviteToken(id))).status).toBe(200)
    expect((await storedMember(owner.workspaceId, member.userId))?.role).toBe('viewer')
    expect(await countTakenSeats(owner.workspaceId)).toBe(2)
  })
})

describe('the seat of an invitation', () => {
  it('is its own: a full workspace takes who holds one, and not when the plan has become smaller', async () => {
    const { owner, guest, token } = await scene({}, 2)
    expect(await countTakenSeats(owner.workspaceId)).toBe(2)
    await setSeatLimits(owner.workspaceId, { users: 1 })
    const full = await accept(guest, token)
    expect(full.status).toBe(409)
    expect(await full.json()).toMatchObject({ code: 'limit_reached', limit: 'users', max: 1, addOn: 'user_pack_10' })
    await setSeatLimits(owner.workspaceId, { users: 2 })
    expect((await accept(guest, token)).status).toBe(200)
    expect(await countTakenSeats(owner.workspaceId)).toBe(2)
  })

  it('cannot be taken while the workspace is read-only, and can when it no longer is', async () => {
    const { owner, guest, token } = await scene()
    const until = (at: number) =>
      env.DB.prepare('UPDATE subscriptions SET trial_ends_at = ? WHERE workspace_id = ?')
        .bind(at, owner.workspaceId)
        .run()
    await until(1)
    expect(await codeOf(await accept(guest, token))).toBe('402 read_only')
    await until(Date.now() + 60_000)
    expect((await accept(guest, token)).status).toBe(200)
  })
})
