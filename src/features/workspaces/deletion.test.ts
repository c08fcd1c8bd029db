import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { createApp } from '../../app'
import { DELETED_RETENTION_MS } from '../../shared/limits'
import type { PageData } from '../../shared/session'
import type { DeletedWorkspace, Workspace } from '../../shared/workspaces/workspaces'
import {
  aMember,
  aPerson,
  aWorkspace,
  callApp,
  expiredTrial,
  signedIn,
  type SignedIn,
} from '../../../test/worker/factories'

const nameOf = async (me: SignedIn) => (await (await me.fetch('/api/workspace')).json<Workspace>()).name
const remove = (me: SignedIn, name: string, version = 1) =>
  me.fetch('/api/workspace/delete', { method: 'POST', json: { name, version } })
const deleted = async (me: SignedIn): Promise<DeletedWorkspace[]> =>
  (await (await me.fetch('/api/workspaces/deleted')).json<{ items: DeletedWorkspace[] }>()).items
const restore = (me: SignedIn, id = me.workspaceId) => me.fetch(`/api/workspaces/${id}/restore`, { method: 'POST' })

describe('deleting a workspace', () => {
  it('asks for its name, and closes it for everybody at once', async () => {
    const me = await signedIn()
    const viewer = await signedIn({ workspaceId: me.workspaceId, role: 'viewer' })
    const name = await nameOf(me)
    const refused = await remove(me, `${name}?`)
    expect(await refused.json()).toMatchObject({ code: 'invalid_input', fields: { name: expect.any(String) } })
    const answer = await remove(me, ` ${name.toUpperCase()} `)
    expect(answer.status).toBe(200)
    const gone = await answer.json<DeletedWorkspace>()
    expect(Date.parse(gone.until) - Date.parse(gone.deletedAt)).toBe(DELETED_RETENTION_MS)
    for (const who of [me, viewer]) {
      expect((await who.fetch('/api/workspace')).status).toBe(404)
      expect((await who.fetch('/api/insights')).status).toBe(404)
      const page = await (await who.fetch('/api/session')).json<PageData>()
      expect([page.workspace, page.workspaces]).toEqual([null, []])
    }
    const members = env.DB.prepare('SELECT count(*) AS n FROM members WHERE workspace_id = ?').bind(me.workspaceId)
    expect(await members.first('n')).toBe(2)
  })

  it('asks for the password of who has one, and for a fresh sign-in of who has none', async () => {
    const me = await signedIn()
    const name = await nameOf(me)
    await env.DB.prepare('UPDATE users SET password_hash = ? WHERE id = ?').bind('$scrypt$x', me.userId).run()
    expect(await (await remove(me, name)).json()).toMatchObject({
      code: 'invalid_input',
      fields: { password: expect.any(String) },
    })
    await env.DB.prepare('UPDATE users SET password_hash = NULL WHERE id = ?').bind(me.userId).run()
    const late = createApp({ clock: { now: () => Date.now() + 3_600_000 } })
    const call = { method: 'POST', headers: me.headers, body: JSON.stringify({ name, version: 1 }) }
    expect((await callApp(late, '/api/workspace/delete', call)).status).toBe(401)
    expect((await me.fetch('/api/workspace')).status).toBe(200)
    expect((await remove(me, name)).status).toBe(200)
  })

  it('keeps nothing of a body that holds a password, not even a hash', async () => {
    const me = await signedIn()
    const json = { name: await nameOf(me), version: 1, password: 'not looked at: this person has none' }
    const headers = { 'idempotency-key': 'd-2' }
    expect((await me.fetch('/api/workspace/delete', { method: 'POST', headers, json })).status).toBe(200)
    const kept = env.DB.prepare("SELECT count(*) AS n FROM idempotency WHERE key = 'd-2'")
    expect(await kept.first('n')).toBe(0)
  })

  it('is for owners only, also when the right was lost in that moment, and works after the trial', async () => {
    const me = await expiredTrial()
    const admin = await signedIn({ workspaceId: me.workspaceId, role: 'admin' })
    const name = await nameOf(me)
    expect((await remove(admin, name)).status).toBe(403)
    expect(await (await remove(me, name, 7)).json()).toMatchObject({ code: 'version_conflict', current: { name } })
    expect((await remove(me, name)).status).toBe(200)
  })

  it('ends the loads under way', async () => {
    const me = await signedIn()
    const now = Date.now()
    const [source, dataset, run] = [
      `src_${crypto.randomUUID()}`,
      `ds_${crypto.randomUUID()}`,
      `run_${crypto.randomUUID()}`,
    ]
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO data_sources (id, workspace_id, type, name, name_key, state, owner_id, created_at, updated_at) VALUES (?, ?, 'file', 'A', 'a', 'syncing', ?, ?, ?)",
      ).bind(source, me.workspaceId, me.userId, now, now),
      env.DB.prepare("INSERT INTO datasets (id, workspace_id, source_id, name) VALUES (?, ?, ?, 'A')").bind(
        dataset,
        me.workspaceId,
        source,
      ),
      env.DB.prepare(
        `INSERT INTO runs (id, workspace_id, source_id, dataset_id, actor_id, "trigger", mode, file_name, request, state, started_at)
         VALUES (?, ?, ?, ?, ?, 'upload', 'create', 'a.csv', '{}', 'running', ?)`,
      ).bind(run, me.workspaceId, source, dataset, me.userId, now),
    ])
    expect((await remove(me, await nameOf(me))).status).toBe(200)
    expect(await env.DB.prepare('SELECT state FROM runs WHERE id = ?').bind(run).first('state')).toBe('cancelled')
  })

  it('tells every owner and administrator once, and nobody else', async () => {
    const me = await signedIn()
    const [admin, viewer, mute] = [await aPerson({ email: 'adm@example.com' }), await aPerson(), await aPerson()]
    await aMember(me.workspaceId, admin, 'admin')
    await aMember(me.workspaceId, viewer, 'viewer')
    await aMember(me.workspaceId, mute, 'admin')
    await env.DB.prepare('UPDATE users SET email = NULL WHERE id = ?').bind(mute).run()
    const name = await nameOf(me)
    const once = { method: 'POST', headers: { 'idempotency-key': 'd-1' }, json: { name, version: 1 } }
    await me.fetch('/api/workspace/delete', once)
    const { results } = await env.DB.prepare("SELECT payload FROM outbox WHERE workspace_id = ? AND kind = 'mail'")
      .bind(me.workspaceId)
      .all<{ payload: string }>()
    const mine = await env.DB.prepare('SELECT email FROM users WHERE id = ?').bind(me.userId).first('email')
    const orders = results.map(({ payload }): { to: string } => JSON.parse(payload))
    expect(orders).toHaveLength(2)
    expect(new Set(orders.map(({ to }) => to))).toEqual(new Set(['adm@example.com', mine]))
    expect(orders[0]).toMatchObject({ template: 'workspaceDeleted', workspace: name, by: 'Test Person' })
  })

  it('happens once when two owners ask at once, and is told of once', async () => {
    const me = await signedIn()
    const second = await signedIn({ workspaceId: me.workspaceId })
    const name = await nameOf(me)
    const answers = await Promise.all([remove(me, name), remove(second, name)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => [404, 409].includes(status))).toHaveLength(1)
    const mails = env.DB.prepare("SELECT count(*) AS n FROM outbox WHERE workspace_id = ? AND kind = 'mail'")
    expect(await mails.bind(me.workspaceId).first('n')).toBe(2)
  })

  it('leaves the person in another workspace of theirs', async () => {
    const me = await signedIn()
    const second = await aWorkspace({ name: 'Second' })
    await aMember(second.id, me.userId, 'viewer')
    await remove(me, await nameOf(me))
    const page = await (await me.fetch('/api/session')).json<PageData>()
    expect(page.workspace?.id).toBe(second.id)
  })
})

describe('bringing a workspace back', () => {
  it('opens it again for everybody who was in it, with all it held', async () => {
    const me = await signedIn()
    const viewer = await signedIn({ workspaceId: me.workspaceId, role: 'viewer' })
    const before = await (await me.fetch('/api/workspace')).json<Workspace>()
    await remove(me, before.name)
    expect((await deleted(me)).map(({ id }) => id)).toEqual([me.workspaceId])
    const answer = await restore(me)
    expect(await answer.json()).toEqual({ id: me.workspaceId, name: before.name, role: 'owner', logo: null })
    expect(await (await viewer.fetch('/api/workspace')).json()).toEqual({ ...before, version: 3 })
    expect(await deleted(me)).toEqual([])
    expect((await restore(me)).status).toBe(404)
  })

  it('is for its owners only: to everybody else it is unknown (IDOR-1)', async () => {
    const me = await signedIn()
    const [stranger, admin] = [await signedIn(), await signedIn({ workspaceId: me.workspaceId, role: 'admin' })]
    const demoted = await signedIn({ workspaceId: me.workspaceId })
    await env.DB.prepare("UPDATE members SET status = 'suspended' WHERE user_id = ?").bind(demoted.userId).run()
    await remove(me, await nameOf(me))
    for (const who of [stranger, admin, demoted]) {
      expect(await deleted(who)).toEqual([])
      expect((await restore(who, me.workspaceId)).status).toBe(404)
    }
    expect((await restore(me, 'ws_nonsense')).status).toBe(404)
  })

  it('ends after 30 days', async () => {
    const me = await signedIn()
    await remove(me, await nameOf(me))
    const at = Number(
      await env.DB.prepare('SELECT deleted_at FROM workspaces WHERE id = ?').bind(me.workspaceId).first('deleted_at'),
    )
    const later = createApp({ clock: { now: () => at + DELETED_RETENTION_MS } })
    await env.DB.prepare('UPDATE sessions SET last_seen_at = ?2, created_at = ?2 WHERE hash = ?1')
      .bind(me.sessionHash, at + DELETED_RETENTION_MS)
      .run()
    const call = (path: string, method: string) =>
      later.fetch(new Request(`http://localhost:8787${path}`, { method, headers: me.headers }), env)
    expect(await (await call('/api/workspaces/deleted', 'GET')).json()).toMatchObject({ items: [] })
    expect((await call(`/api/workspaces/${me.workspaceId}/restore`, 'POST')).status).toBe(404)
  })

  it('gives the same answer to the same call twice', async () => {
    const me = await signedIn()
    await remove(me, await nameOf(me))
    const once = () =>
      me.fetch(`/api/workspaces/${me.workspaceId}/restore`, { method: 'POST', headers: { 'idempotency-key': 'r-1' } })
    const [first, second] = [await once(), await once()]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(await second.json()).toEqual(await first.json())
  })
})
