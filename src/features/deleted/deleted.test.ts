import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import type { DeletedItem } from '../../shared/deleted'
import { DELETED_RETENTION_MS } from '../../shared/limits'
import type { ListPage } from '../../shared/field-schemas'
import { systemIds } from '../../deps'
import { expiredTrial, signedIn, type SignedIn } from '../../../test/worker/factories'
import { aRowOfEach } from '../../../test/worker/resources'

const list = async (me: SignedIn, search = ''): Promise<ListPage<DeletedItem>> =>
  (await me.fetch(`/api/deleted${search}`)).json()
const HOUR_MS = 60 * 60 * 1000

/** A group's row; `at`: when it was deleted. */
async function deletedGroup(workspaceId: string, name: string, at: number): Promise<string> {
  const id = systemIds.next('group')
  await env.DB.prepare(
    `INSERT INTO user_groups (id, workspace_id, name, name_key, color, created_at, deleted_at) VALUES (?, ?, ?, ?, 'blue', 1, ?)`,
  )
    .bind(id, workspaceId, name, name, at)
    .run()
  return id
}

describe('what was deleted', () => {
  it('is listed with who deleted it and until when it can come back, and is gone from the list once restored', async () => {
    const me = await signedIn()
    const ids = await aRowOfEach(me.workspaceId, me.userId)
    const [source, insight] = [`/api/data-sources/${ids['data-sources']}`, `/api/insights/${ids['insights']}`]
    expect((await me.fetch(`${source}?version=1&force=1`, { method: 'DELETE' })).status).toBe(200)
    expect((await me.fetch(`${insight}?version=1`, { method: 'DELETE' })).status).toBe(200)
    const { items } = await list(me)
    expect(items).toHaveLength(2)
    expect(items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'insight', id: ids['insights'], deletedBy: 'Test Person' }),
        expect.objectContaining({ kind: 'source', id: ids['data-sources'], deletedBy: 'Test Person' }),
      ]),
    )
    for (const { deletedAt, until } of items)
      expect(Date.parse(until) - Date.parse(deletedAt)).toBe(DELETED_RETENTION_MS)
    await me.fetch(`${source}/restore`, { method: 'POST' })
    await me.fetch(`${insight}/restore`, { method: 'POST' })
    expect((await list(me)).items).toEqual([])
  })

  it('has groups among it, newest first, page by page, each once', async () => {
    const me = await signedIn()
    const now = Date.now()
    const times = [now - 5, now - 5, now - 1, now - 9 * HOUR_MS, now - 5]
    const made = await Promise.all(
      times.map(async (at, i) => ({ at, id: await deletedGroup(me.workspaceId, `g${i}`, at) })),
    )
    const expected = made.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).map(({ id }) => id)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const listPage: ListPage<DeletedItem> = await list(me, `?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
      seen.push(...listPage.items.map(({ id }) => id))
      cursor = listPage.nextCursor
    }
    expect(seen).toEqual(expected)
  })

  it('leaves out what is past its 30 days, other workspaces, and the sample company', async () => {
    const [me, other] = [await signedIn(), await signedIn()]
    await deletedGroup(me.workspaceId, 'old', Date.now() - DELETED_RETENTION_MS)
    await deletedGroup(other.workspaceId, 'theirs', Date.now())
    const ids = await aRowOfEach(me.workspaceId, me.userId)
    await env.DB.prepare('UPDATE data_sources SET sample = 1, deleted_at = ? WHERE id = ?')
      .bind(Date.now(), ids['data-sources'])
      .run()
    expect((await list(me)).items).toEqual([])
  })

  it('is shown to analysts and up, also after the trial, and to nobody else', async () => {
    const me = await expiredTrial()
    const viewer = await signedIn({ workspaceId: me.workspaceId, role: 'viewer' })
    const analyst = await signedIn({ workspaceId: me.workspaceId, role: 'analyst' })
    expect((await me.fetch('/api/deleted')).status).toBe(200)
    expect((await analyst.fetch('/api/deleted')).status).toBe(200)
    expect((await viewer.fetch('/api/deleted')).status).toBe(403)
  })

  it('is told to every member at its own address, and to nobody else: a draft only to those who write reports', async () => {
    const [me, other] = [await signedIn(), await signedIn()]
    const viewer = await signedIn({ workspaceId: me.workspaceId, role: 'viewer' })
    const ids = await aRowOfEach(me.workspaceId, me.userId)
    const { insights = '', reports = '' } = ids
    const at = (who: SignedIn, id: string) => who.fetch(`/api/deleted/${id}`)
    expect((await at(viewer, insights)).status).toBe(404)
    expect((await me.fetch(`/api/insights/${insights}?version=1`, { method: 'DELETE' })).status).toBe(200)
    expect(await (await at(viewer, insights)).json()).toMatchObject({ kind: 'insight', deletedBy: 'Test Person' })
    expect((await at(other, insights)).status).toBe(404)

    await env.DB.prepare('UPDATE reports SET deleted_at = ? WHERE id = ?').bind(Date.now(), reports).run()
    expect([(await at(me, reports)).status, (await at(viewer, reports)).status]).toEqual([200, 404])
    await env.DB.prepare('UPDATE reports SET publication = 1 WHERE id = ?').bind(reports).run()
    expect((await at(viewer, reports)).status).toBe(200)

    const group = await deletedGroup(me.workspaceId, 'team', Date.now())
    expect([(await at(me, group)).status, (await at(viewer, group)).status]).toEqual([200, 404])
    const old = await deletedGroup(me.workspaceId, 'old', Date.now() - DELETED_RETENTION_MS)
    expect((await at(me, old)).status).toBe(404)
  })

  it('refuses a cursor it did not write', async () => {
    const me = await signedIn()
    for (const cursor of ['1', '1.', "1.x' OR 1=1--", 'a.grp_00000000000000000000', '1.grp_0.2'])
      expect((await me.fetch(`/api/deleted?cursor=${encodeURIComponent(cursor)}`)).status).toBe(422)
  })
})
