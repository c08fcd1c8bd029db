import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { signedIn, visitor } from '../../../test/worker/factories'
import type { SignedIn, SignedInOptions } from '../../../test/worker/factories'
import { STAFF_SESSION_MS } from '../../shared/admin'
import type { AdminWorkspace } from '../../shared/admin'
import type { Page } from '../../shared/names'

const staff = (options: SignedInOptions = {}): Promise<SignedIn> => signedIn({ ...options, staff: true })
const listed = async (who: SignedIn, query = '') =>
  (await who.fetch(`/api/admin/workspaces${query}`)).json<Page<AdminWorkspace>>()

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
      const page: Page<AdminWorkspace> = await listed(me, `?q=paged&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
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
