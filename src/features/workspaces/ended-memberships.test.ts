import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { PASSWORD, registerUser } from '../../../test/worker/accounts'
import { aMember, aPerson, aWorkspace, signedIn, type Caller } from '../../../test/worker/factories'
import { linkTokenInMail } from '../../../test/worker/mails'
import type { AuditItem } from '../../shared/audit'
import type { ListPage } from '../../shared/field-schemas'
import type { Member } from '../../shared/members'
import type { PageData } from '../../shared/session'
import type { EndedMembership } from '../../shared/workspaces/workspaces'

const ended = async (who: Caller) =>
  (await (await who.fetch('/api/workspaces/ended')).json<ListPage<EndedMembership>>()).items
const memberOf = async (who: Caller, userId: string) =>
  (await (await who.fetch('/api/members')).json<ListPage<Member>>()).items.find((one) => one.userId === userId)
const remove = (who: Caller, userId: string) => who.fetch(`/api/members/${userId}?version=1`, { method: 'DELETE' })
const change = (who: Caller, userId: string, json: object) =>
  who.fetch(`/api/members/${userId}`, { method: 'PUT', json })

/** An owner, and a person whose only workspace is the owner's. */
async function twoOfUs() {
  const owner = await signedIn()
  const person = await registerUser()
  await aMember(owner.workspaceId, person.userId, 'analyst')
  await env.DB.prepare("UPDATE users SET onboarding = 'done' WHERE id = ?").bind(person.userId).run()
  const { name } = (await env.DB.prepare('SELECT name FROM workspaces WHERE id = ?')
    .bind(owner.workspaceId)
    .first<{ name: string }>()) ?? { name: '' }
  return { owner, ...person, name }
}

describe('somebody in no workspace', () => {
  it('is told that they were removed, and nothing more once they belong to it again', async () => {
    const { owner, me, userId, name } = await twoOfUs()
    expect(await ended(me)).toEqual([])
    expect((await remove(owner, userId)).status).toBe(200)
    expect(await ended(me)).toEqual([{ workspace: name, reason: 'removed', at: expect.any(String) }])
    expect(await ended(owner)).toEqual([])
  })

  it('is told that they left, are suspended, or that the workspace was deleted', async () => {
    const { owner, me, userId, name } = await twoOfUs()
    expect((await change(owner, userId, { role: 'analyst', status: 'suspended', version: 1 })).status).toBe(200)
    expect(await ended(me)).toEqual([{ workspace: name, reason: 'suspended', at: null }])
    expect((await change(owner, userId, { role: 'analyst', status: 'active', version: 2 })).status).toBe(200)
    const gone = await aWorkspace()
    await aMember(gone.id, userId, 'viewer')
    await env.DB.prepare('UPDATE workspaces SET deleted_at = ? WHERE id = ?').bind(Date.now(), gone.id).run()
    expect(await ended(me)).toMatchObject([{ workspace: gone.name, reason: 'deleted' }])
    const headers = { 'x-workspace': owner.workspaceId }
    expect((await me.fetch(`/api/members/${userId}?version=3`, { method: 'DELETE', headers })).status).toBe(200)
    expect((await ended(me)).map(({ reason }) => reason)).toContain('left')
  })

  it('reads every page of the product, whichever workspace its address names', async () => {
    const { owner, me, userId } = await twoOfUs()
    await remove(owner, userId)
    expect((await me.fetch(`/data-sources?w=${owner.workspaceId}`)).status).toBe(200)
    expect((await me.fetch('/no-workspace')).status).toBe(200)
    expect((await me.fetch('/api/account/sign-ins')).status).toBe(200)
  })
})

describe('a deleted account that is restored', () => {
  async function restored() {
    const { owner, me, anon, userId, email, name } = await twoOfUs()
    const group = await owner.fetch('/api/groups', { method: 'POST', json: { name: 'Sales' } })
    const { id: groupId } = await group.json<{ id: string }>()
    await env.DB.prepare('INSERT INTO group_members (group_id, user_id, is_member) VALUES (?, ?, 1)')
      .bind(groupId, userId)
      .run()
    const gone = await me.fetch('/api/account/delete', { method: 'POST', json: { confirm: email, password: PASSWORD } })
    expect(gone.status).toBe(200)
    expect(await memberOf(owner, userId)).toBeUndefined()
    const token = await linkTokenInMail(email, 'accountDeleted')
    const back = await anon.fetch('/api/account/undelete', { method: 'POST', json: { token } })
    expect(await back.json()).toEqual({ email, waiting: [name] })
    const json = { email, password: PASSWORD }
    const signIn = await anon.fetch('/api/session/sign-in', { method: 'POST', json })
    return { owner, userId, name, groupId, signIn }
  }

  it('waits for its workspaces, with role and groups as they were, until it is reactivated there', async () => {
    const { owner, userId, groupId, signIn } = await restored()
    // Somebody who edits the list meanwhile is told: once as the person left, once as they came back.
    const group = env.DB.prepare('SELECT version FROM user_groups WHERE id = ?').bind(groupId)
    expect(await group.first('version')).toBe(3)
    expect(await signIn.json<PageData>()).toMatchObject({ workspace: null, workspaces: [] })
    const waiting = await memberOf(owner, userId)
    expect(waiting).toMatchObject({ role: 'analyst', status: 'suspended', restored: true })
    expect(waiting?.groups.map(({ id }) => id)).toEqual([groupId])
    const log = await (await owner.fetch('/api/audit?action=member.')).json<ListPage<AuditItem>>()
    expect(log.items[0]?.words).toBe('restored their account and awaits reactivation')
    const version = waiting?.version ?? 0
    expect((await change(owner, userId, { role: 'analyst', status: 'active', version })).status).toBe(200)
    expect(await memberOf(owner, userId)).toMatchObject({ status: 'active', restored: false })
  })

  it('comes back as an admin where it was an owner, and not where it was removed before', async () => {
    const person = await registerUser()
    const [kept, lost] = [await signedIn(), await signedIn()]
    await aMember(kept.workspaceId, person.userId, 'owner')
    await aMember(lost.workspaceId, person.userId, 'viewer')
    await aMember(kept.workspaceId, await aPerson(), 'viewer')
    await remove(lost, person.userId)
    const json = { confirm: person.email, password: PASSWORD }
    expect((await person.me.fetch('/api/account/delete', { method: 'POST', json })).status).toBe(200)
    const token = await linkTokenInMail(person.email, 'accountDeleted')
    await person.anon.fetch('/api/account/undelete', { method: 'POST', json: { token } })
    expect(await memberOf(kept, person.userId)).toMatchObject({ role: 'admin', status: 'suspended', restored: true })
    expect(await memberOf(lost, person.userId)).toBeUndefined()
  })
})

it('says of an owner that nobody else owns the workspace, until somebody does', async () => {
  const owner = await signedIn()
  expect(await memberOf(owner, owner.userId)).toMatchObject({ soleOwner: true })
  await aMember(owner.workspaceId, await aPerson(), 'owner')
  expect(await memberOf(owner, owner.userId)).toMatchObject({ soleOwner: false })
})
