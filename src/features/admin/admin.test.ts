import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { signedIn, visitor, type SignedIn, type SignedInOptions } from '../../../test/worker/factories'
import { STAFF_SESSION_MS, type AdminWorkspace } from '../../shared/admin'
import type { ListPage } from '../../shared/field-schemas'
import { planById } from '../../shared/billing/plans'
import type { PageData } from '../../shared/session'

const staff = (options: SignedInOptions = {}): Promise<SignedIn> => signedIn({ ...options, staff: true })
const listed = async (who: SignedIn, query = '') =>
  (await who.fetch(`/api/admin/workspaces${query}`)).json<ListPage<AdminWorkspace>>()

describe('the operator’s list of workspaces', () => {
  it('names every workspace with its owner, counts and plan, newest first, and no row of its data', async () => {
    // Newer than whatever other tests have made.
    const newest = Date.now() + 60 * 60 * 1000
    const me = await staff({ createdAt: newest })
    const other = await signedIn({ name: 'Zeta Verkstad', createdAt: newest + 1000 })
    const { items } = await listed(me)
    const order = items.map(({ id }) => id)
    expect(order.indexOf(me.workspaceId)).toBe(order.indexOf(other.workspaceId) + 1)
    const found = items.find(({ id }) => id === other.workspaceId)
    expect(found).toMatchObject({
      name: 'Zeta Verkstad',
      country: 'SE',
      members: 1,
      sources: 0,
      rows: 0,
      state: 'trialing',
    })
    expect(Object.keys(found ?? {})).not.toContain('columns')
  })

  it('finds by name, by id and by a member’s address', async () => {
    const me = await staff({ name: 'Alfa' })
    const other = await signedIn({ name: 'Beta 100 %' })
    const email = await env.DB.prepare('SELECT email FROM users WHERE id = ?').bind(other.userId).first<string>('email')
    for (const q of ['beta 100 %', other.workspaceId, email ?? ''])
      expect((await listed(me, `?q=${encodeURIComponent(q)}`)).items.map(({ id }) => id)).toEqual([other.workspaceId])
    expect((await listed(me, '?q=%25%25')).items).toEqual([])
  })

  it('pages without losing or repeating a workspace, also when several were made at the same moment', async () => {
    const me = await staff()
    for (let n = 0; n < 5; n++) await signedIn({ name: `Paged ${n}`, createdAt: 1_600_000_000_000 })
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const listPage: ListPage<AdminWorkspace> = await listed(
        me,
        `?q=paged&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      )
      seen.push(...listPage.items.map(({ id }) => id))
      cursor = listPage.nextCursor
    }
    expect(seen).toHaveLength(5)
    expect(new Set(seen).size).toBe(5)
  })

  it('writes each look into the audit log', async () => {
    const me = await staff()
    await listed(me)
    const entry = await env.DB.prepare('SELECT action FROM audit WHERE actor_id = ?').bind(me.userId).first('action')
    expect(entry).toBe('admin.workspaces.list')
  })

  it('does not exist for an owner or a visitor, and asks staff to sign in again after twelve hours (IDOR-5)', async () => {
    const owner = await signedIn()
    expect((await owner.fetch('/api/admin/workspaces')).status).toBe(404)
    expect((await (await visitor()).fetch('/api/admin/workspaces')).status).toBe(401)
    const late = await staff({ session: { createdAt: Date.now() - STAFF_SESSION_MS - 1000, lastSeenAt: Date.now() } })
    expect((await late.fetch('/api/admin/workspaces')).status).toBe(401)
  })

  it('shows its page to staff only; to everybody else the address is unknown', async () => {
    const [owner, me] = [await signedIn(), await staff()]
    const status = async (who: SignedIn) =>
      (await who.fetch('/admin/workspaces', { headers: { accept: 'text/html' } })).status
    expect([await status(owner), await status(me)]).toEqual([404, 200])
  })

  it('refuses a cursor it did not write', async () => {
    const me = await staff()
    expect((await me.fetch('/api/admin/workspaces?cursor=1.x')).status).toBe(422)
  })
})

describe('the terms of a workspace', () => {
  const terms = (over: object = {}) => ({
    ...{ planId: 'enterprise', override: { users: 250, clientPortal: false }, trialEndsAt: null },
    ...{ reason: 'Signed on 12 November', version: 1, ...over },
  })
  const set = (me: SignedIn, id: string, json: object) =>
    me.fetch(`/api/admin/workspaces/${id}/terms`, { method: 'PUT', json })

  it('are an agreement of its own: what was agreed is in force on the next call, the rest as in Professional', async () => {
    const [me, other] = [await staff(), await signedIn({ subscription: { trialEndsAt: 1 } })]
    const answer = await set(me, other.workspaceId, terms())
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { state: 'active', planId: 'enterprise', version: 2 },
    ])
    const { workspace } = await (await other.fetch('/api/session')).json<PageData>()
    expect(workspace?.entitlements).toMatchObject({ state: 'active', readOnly: null })
    expect(workspace?.entitlements.features).toEqual({
      ...planById('professional')?.features,
      users: 250,
      clientPortal: false,
    })
    const logged = await env.DB.prepare("SELECT workspace_id FROM audit WHERE entity_id = ? AND action LIKE '%terms%'")
      .bind(other.workspaceId)
      .all()
    expect(logged.results).toEqual([{ workspace_id: null }, { workspace_id: other.workspaceId }])
  })

  it('are a longer trial, from which nothing that was there is missing', async () => {
    const [me, other] = [await staff(), await signedIn({ subscription: { trialEndsAt: 1 } })]
    const trialEndsAt = new Date(Date.now() + 86_400_000).toISOString()
    expect((await set(me, other.workspaceId, terms({ planId: null, override: null, trialEndsAt }))).status).toBe(200)
    const read = await me.fetch(`/api/admin/workspaces/${other.workspaceId}/terms`)
    expect(await read.json()).toMatchObject({ state: 'trialing', planId: null, trialEndsAt, version: 2 })
    expect((await other.fetch('/api/workspace')).status).toBe(200)
  })

  it('are refused while it pays for a plan, when somebody set them first, and where they make no sense', async () => {
    const [me, other] = [await staff(), await signedIn()]
    const status = async (json: object) => (await set(me, other.workspaceId, json)).status
    expect(await status(terms({ version: 2 }))).toBe(409)
    expect(await status(terms({ planId: 'professional' }))).toBe(422)
    expect(await status(terms({ override: { users: -1 } }))).toBe(422)
    expect(await status(terms({ override: { everything: true } }))).toBe(422)
    expect(await status(terms({ planId: null }))).toBe(422)
    expect(await status(terms({ reason: '' }))).toBe(422)
    await env.DB.prepare("UPDATE subscriptions SET subscription_id = 'sub_1' WHERE workspace_id = ?")
      .bind(other.workspaceId)
      .run()
    const answer = await set(me, other.workspaceId, terms())
    expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'in_use' }])
  })
})
