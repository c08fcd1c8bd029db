import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { LOGO_MAX_BYTES } from '../../shared/account'
import type { PageData } from '../../shared/session'
import type { Workspace } from '../../shared/workspaces/workspaces'
import { expiredTrial, signedIn, type Caller } from '../../../test/worker/factories'
import { aPng } from '../../../test/worker/pictures'

const LOGO = '/files/workspace/logo'
const put = (who: Caller, bytes: BodyInit) =>
  who.fetch(LOGO, { method: 'PUT', headers: { 'content-type': 'application/octet-stream' }, body: bytes })

describe('the logo of a workspace', () => {
  it('stands in the page data and in the list of workspaces, and raises the version', async () => {
    const me = await signedIn()
    const saved = await (await put(me, aPng())).json<Workspace>()
    expect(saved.version).toBe(2)
    expect(saved.logo).toMatch(/^\/files\/pictures\/[0-9a-f]{40}$/)
    const page = await (await me.fetch('/api/session')).json<PageData>()
    expect([page.workspace?.logo, page.workspaces[0]?.logo]).toEqual([saved.logo, saved.logo])
    expect((await me.fetch(saved.logo ?? '')).status).toBe(200)
    expect(await (await me.fetch('/api/workspace')).json()).toEqual(saved)
  })

  it('is let go of when another takes its place, and when it is removed', async () => {
    const me = await expiredTrial()
    const first = (await (await put(me, aPng())).json<Workspace>()).logo ?? ''
    const second = (await (await put(me, aPng(9, 9))).json<Workspace>()).logo ?? ''
    expect((await me.fetch(first)).status).toBe(404)
    const removed = await (await me.fetch(LOGO, { method: 'DELETE' })).json<Workspace>()
    expect([removed.logo, removed.version]).toEqual([null, 4])
    expect((await me.fetch(second)).status).toBe(404)
  })

  it('is a form that was open before told of', async () => {
    const me = await signedIn()
    const { logo: _logo, id: _id, ...form } = await (await me.fetch('/api/workspace')).json<Workspace>()
    const { logo } = await (await put(me, aPng())).json<Workspace>()
    const answer = await me.fetch('/api/workspace', { method: 'PUT', json: form })
    expect(await answer.json()).toMatchObject({ code: 'version_conflict', current: { logo, version: 2 } })
  })

  it('may have one megabyte', async () => {
    const me = await signedIn()
    const answer = await put(me, new Uint8Array(LOGO_MAX_BYTES + 1))
    expect(await answer.json()).toMatchObject({ code: 'too_large', max: LOGO_MAX_BYTES })
  })

  it('is set by owners and administrators, and written into the log', async () => {
    const me = await signedIn({ role: 'admin' })
    const analyst = await signedIn({ workspaceId: me.workspaceId, role: 'analyst' })
    expect((await put(analyst, aPng())).status).toBe(403)
    await put(me, aPng())
    await me.fetch(LOGO, { method: 'DELETE' })
    const { results } = await env.DB.prepare('SELECT action FROM audit WHERE workspace_id = ? ORDER BY at, rowid')
      .bind(me.workspaceId)
      .all()
    expect(results).toEqual([{ action: 'logo.update' }, { action: 'logo.remove' }])
  })
})
