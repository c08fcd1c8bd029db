import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { curationStore } from './curation-store'
import { otherWorkspace, signedIn, type SignedIn } from '../../../test/worker/factories'
import { loadedDataset } from '../../../test/worker/loaded-dataset'
import { Scope } from '../../scope'
import { openDatabase } from '../../db/database'
import { systemIds } from '../../deps'
import { VERSIONS_KEPT, VERSIONS_KEPT_CHARS } from '../../shared/insights'
import type { Category, InsightVersion, CreateInsightInput, Insight } from '../../shared/insights'
import type { ListPage } from '../../shared/field-schemas'

async function scene(me?: SignedIn) {
  const owner = me ?? (await signedIn())
  const dataset = await loadedDataset(owner.workspaceId, [
    ['SE', 100],
    ['NO', 250],
  ])
  const input = (name = 'Sales', column: 'c0' | 'c1' = 'c0'): CreateInsightInput => ({
    name,
    plan: {
      v: 1,
      kind: 'aggregate',
      measures: [{ kind: 'column', agg: 'sum', field: { dataset, column: 'c1' } }],
      dimensions: [{ field: { dataset, column } }],
      filters: [],
    },
    viz: { chart: 'bar' },
  })
  const post = async <T = Insight>(path: string, json: unknown = {}, who = owner) => {
    const answer = await who.fetch(path, { method: 'POST', json })
    return { status: answer.status, body: await answer.json<T & { code?: string }>() }
  }
  const { body: insight } = await post('/api/insights', input())
  const at = (tail: string) => `/api/insights/${insight.id}${tail}`
  const put = async (json: object, who = owner) => {
    const answer = await who.fetch(at(''), { method: 'PUT', json })
    return answer.json<Insight & { code?: string }>()
  }
  const get = async (who = owner): Promise<Insight> => (await who.fetch(at(''))).json()
  const versions = async () => (await (await owner.fetch(at('/versions'))).json<ListPage<InsightVersion>>()).items
  return { owner, insight, input, post, put, get, at, versions }
}

describe('history of an insight', () => {
  it('keeps every saved version with who, when and its question in words', async () => {
    const { owner, insight, input, put, versions } = await scene()
    const analyst = await signedIn({ workspaceId: owner.workspaceId, role: 'analyst' })
    const { plan } = input()
    await put({ ...input('Sales by country'), plan: { ...plan, limit: 5 }, version: 1 }, analyst)
    const kept = await versions()
    expect(kept.map(({ version, name, savedBy }) => [version, name, savedBy])).toEqual([
      [2, 'Sales by country', analyst.userId],
      [1, 'Sales', owner.userId],
    ])
    expect(kept[0]?.parts).toEqual({
      ...{ measures: 'Sum of Amount', splits: 'Country', period: '', filters: '', rest: 'at most 5 rows' },
    })
    expect(kept[1]).toMatchObject({ plan: insight.plan, parts: { rest: '' }, restoredFrom: null })
  })

  it('brings an old version back as a new one, and loses nothing', async () => {
    const { input, post, put, at, versions, insight } = await scene()
    await put({ ...input('Changed'), viz: { chart: 'table' }, version: 1 })
    expect((await post(at('/versions/1/restore'), { version: 1 })).body.code).toBe('version_conflict')
    const { body } = await post(at('/versions/1/restore'), { version: 2 })
    expect(body).toMatchObject({ name: 'Sales', viz: insight.viz, version: 3 })
    expect((await versions()).map(({ version, restoredFrom }) => [version, restoredFrom])).toEqual([
      [3, 1],
      [2, null],
      [1, null],
    ])
    expect((await post(at('/versions/9/restore'), { version: 3 })).status).toBe(404)
    expect((await post(at('/versions/x/restore'), { version: 3 })).status).toBe(404)
  })

  it('forgets what is older than the newest hundred', async () => {
    const { owner, insight, versions } = await scene()
    const row = env.DB.prepare(
      `INSERT INTO insight_versions (workspace_id, insight_id, version, name, description, plan, viz, saved_by, saved_at)
       SELECT workspace_id, insight_id, ?, name, description, plan, viz, saved_by, saved_at
       FROM insight_versions WHERE insight_id = ? AND version = 1`,
    )
    await env.DB.batch(Array.from({ length: VERSIONS_KEPT }, (_, n) => row.bind(n + 2, insight.id)))
    await env.DB.prepare('UPDATE insights SET version = ? WHERE id = ?')
      .bind(VERSIONS_KEPT + 2, insight.id)
      .run()
    const scope = Scope.forJob({ workspaceId: owner.workspaceId, userId: owner.userId, epoch: '1.1' })
    await env.DB.batch(curationStore(openDatabase(env.DB), { scope, max: null }).saveVersion(insight.id, null))
    const kept = (await versions()).map(({ version }) => version)
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([VERSIONS_KEPT, VERSIONS_KEPT + 2, 3])
  })

  it('forgets sooner what is large: a history is read at once', async () => {
    const { owner, insight, versions } = await scene()
    const large = JSON.stringify({ ...insight.plan, sort: [], padding: 'x'.repeat(VERSIONS_KEPT_CHARS / 4) })
    const row = env.DB.prepare(
      `INSERT INTO insight_versions (workspace_id, insight_id, version, name, description, plan, viz, saved_by, saved_at)
       SELECT workspace_id, insight_id, ?, name, description, ?, viz, saved_by, saved_at
       FROM insight_versions WHERE insight_id = ? AND version = 1`,
    )
    await env.DB.batch([2, 3, 4, 5, 6].map((version) => row.bind(version, large, insight.id)))
    await env.DB.prepare('UPDATE insights SET version = 7 WHERE id = ?').bind(insight.id).run()
    const scope = Scope.forJob({ workspaceId: owner.workspaceId, userId: owner.userId, epoch: '1.1' })
    await env.DB.batch(curationStore(openDatabase(env.DB), { scope, max: null }).saveVersion(insight.id, null))
    expect((await versions()).map(({ version }) => version)).toEqual([7, 6, 5, 4])
  })

  it('is not made of a question too large to be read with many others', async () => {
    const { input, put } = await scene()
    const { plan } = input('Large')
    const [field] = plan.dimensions.map((each) => each.field)
    const values = Array.from({ length: 1000 }, (_, n) => `${n} ${'x'.repeat(50)}`)
    const filters = [{ field, any: [{ op: 'in', values }] }]
    const refused = await put({ ...input('Large'), plan: { ...plan, filters }, version: 1 })
    expect(refused).toMatchObject({ code: 'invalid_input', fields: { plan: expect.stringMatching(/too many values/) } })
  })
})

describe('vouching for an insight', () => {
  it('lasts through another name and chart, and ends with another question', async () => {
    const { owner, input, post, put, get, at } = await scene()
    expect((await post(at('/verify'), { version: 7 })).body.code).toBe('version_conflict')
    expect((await post(at('/verify'), { version: 1 })).body.verified).toMatchObject({ by: owner.userId })
    expect(await put({ ...input('Renamed'), viz: { chart: 'table' }, version: 1 })).toMatchObject({
      verified: { by: owner.userId },
    })
    expect((await get()).verified).toMatchObject({ by: owner.userId, byName: 'Test Person' })
    expect((await put({ ...input('Renamed', 'c1'), version: 2 })).verified).toBeNull()
    // Asking the old question again does not make it vouched for.
    expect((await put({ ...input('Renamed'), version: 3 })).verified).toBeNull()
    expect((await get()).verified).toBeNull()
  })

  it('ends when a metric that the question names means something else', async () => {
    const { owner, insight, input, post, put, get, at } = await scene()
    const metric = systemIds.next('metric')
    const measure = JSON.stringify(insight.plan.measures[0])
    await env.DB.prepare(
      `INSERT INTO metrics (id, workspace_id, name, dataset_id, measure, formula, direction, owner_id, created_at, updated_at)
       VALUES (?, ?, 'Sales', ?, ?, '', 'up', ?, 1, 1)`,
    )
      .bind(metric, owner.workspaceId, insight.plan.dimensions[0]?.field.dataset ?? '', measure, owner.userId)
      .run()
    const { plan } = input()
    await put({ ...input(), plan: { ...plan, v: 2, measures: [{ kind: 'metric', id: metric }] }, version: 1 })
    expect((await post(at('/verify'), { version: 2 })).body.verified).not.toBeNull()
    const set = (column: string, value: string) =>
      env.DB.prepare(`UPDATE metrics SET ${column} = ? WHERE id = ?`).bind(value, metric).run()
    await set('name', 'Revenue')
    expect((await get()).verified).not.toBeNull()
    await set('measure', JSON.stringify({ kind: 'column', agg: 'count' }))
    expect((await get()).verified).toBeNull()
  })

  it('can be taken back, and is for administrators', async () => {
    const { owner, post, get, at } = await scene()
    const analyst = await signedIn({ workspaceId: owner.workspaceId, role: 'analyst' })
    expect((await post(at('/verify'), { version: 1 }, analyst)).status).toBe(403)
    await post(at('/verify'), { version: 1 })
    expect((await owner.fetch(at('/verify'), { method: 'DELETE' })).status).toBe(200)
    expect((await get()).verified).toBeNull()
  })
})

describe('following an insight', () => {
  it('is each person’s own, and may be said twice', async () => {
    const { owner, post, get, at } = await scene()
    const viewer = await signedIn({ workspaceId: owner.workspaceId, role: 'viewer' })
    expect((await post(at('/follow'), {}, viewer)).body.following).toBe(true)
    expect((await post(at('/follow'), {}, viewer)).status).toBe(200)
    expect([(await get(viewer)).following, (await get()).following]).toEqual([true, false])
    const stop = async () => (await viewer.fetch(at('/follow'), { method: 'DELETE' })).json<Insight>()
    expect([(await stop()).following, (await stop()).following, (await get(viewer)).following]).toEqual([
      ...[false, false, false],
    ])
    expect((await post(at('/follow'), {}, await otherWorkspace())).status).toBe(404)
  })
})

describe('duplicating an insight', () => {
  it('makes one of the person’s own in the same category, each under a free name', async () => {
    const { owner, post, at, insight } = await scene()
    const category = (await post<Category>('/api/categories', { name: 'Sales', icon: 'coins' })).body
    const settings = { categoryId: category.id, findings: 'off' }
    expect((await owner.fetch(at('/settings'), { method: 'PUT', json: settings })).status).toBe(200)
    const first = await post(at('/duplicate'))
    expect(first.status).toBe(201)
    expect(first.body).toMatchObject({ name: 'Sales copy', plan: insight.plan, ...settings, origin: 'person' })
    expect((await post(at('/duplicate'))).body.name).toBe('Sales copy 2')
    expect((await post(`/api/insights/${first.body.id}/duplicate`)).body.name).toBe('Sales copy 3')
    const stored = await (await owner.fetch(`/api/insights/${first.body.id}`)).json()
    expect(stored).toEqual(first.body)
  })

  it('counts against the limit of the plan', async () => {
    const override = { customInsights: 1 }
    const me = await signedIn({ subscription: { state: 'active', planId: 'personal', override } })
    const { post, at } = await scene(me)
    expect((await post(at('/duplicate'))).body).toMatchObject({ code: 'limit_reached', used: 1, max: 1 })
  })
})

describe('where an insight is put', () => {
  it('refuses a category of another workspace, and lists by category', async () => {
    const { owner, post, at, insight } = await scene()
    const foreign = (await post<Category>('/api/categories', { name: 'A', icon: 'box' }, await otherWorkspace())).body
    const set = (categoryId: string | null) =>
      owner.fetch(at('/settings'), { method: 'PUT', json: { categoryId, findings: 'on' } })
    expect((await set(foreign.id)).status).toBe(422)
    const own = (await post<Category>('/api/categories', { name: 'A', icon: 'box' })).body
    await set(own.id)
    const listed = async (category: string) =>
      (await (await owner.fetch(`/api/insights?category=${category}`)).json<ListPage<Insight>>()).items.map(
        ({ id }) => id,
      )
    expect([await listed(own.id), await listed('none')]).toEqual([[insight.id], []])
  })
})
