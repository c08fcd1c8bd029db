import { env } from 'cloudflare:test'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { Scope } from '../scope'
import { createApp } from '../app'
import { openDatabase } from '../db/database'
import { updateUnmatchedCounts } from '../features/groupings/values'
import { groupingStore } from '../features/groupings/store'
import { sourceStore } from '../features/data-sources/store'
import { depsAt } from '../../test/worker/deps'
import { aMember, aWorkspace, signedIn, type SignedIn } from '../../test/worker/factories'
import { aRowOfEach, pathWith, type ResourceIds } from '../../test/worker/resources'
import { systemIds } from '../deps'
import type { Subscription } from '../shared/billing/entitlements'
import type { Grouping, GroupingSummary } from '../shared/groupings/groupings'
import type { Insight } from '../shared/insights'
import type { ListPage } from '../shared/field-schemas'
import type { PlanFeatures, PlanId } from '../shared/billing/plans'
import type { PageData } from '../shared/session'
import type { DataSource } from '../shared/data-sources/data-sources'
import type { SubscriptionView } from '../shared/billing/subscription'
import { jobScope } from '../sync/load-steps'
import { runStore } from '../sync/store'

const app = createApp()
const db = openDatabase(env.DB)
const DAY = 24 * 60 * 60 * 1000

const run = (sql: string, ...values: (string | number | null)[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run()
const limit = (workspaceId: string, override: Partial<PlanFeatures> | null) =>
  run('UPDATE subscriptions SET override = ? WHERE workspace_id = ?', override && JSON.stringify(override), workspaceId)
const jsonOf = async <T>(asked: Promise<Response>): Promise<T> => (await asked).json()
const refusal = async (asked: Promise<Response>) => {
  const answer = await asked
  const { code, reason } = await answer.json<{ code?: string; reason?: string }>()
  return [answer.status, code, reason]
}
const FROZEN = [402, 'read_only', 'frozen']

/** A workspace with two sources and two insights: the older ones, then the newer. */
async function two(subscription: Partial<Subscription> = {}) {
  const me = await signedIn({ app, subscription })
  const [older, newer] = [await aRowOfEach(me.workspaceId, me.userId), await aRowOfEach(me.workspaceId, me.userId)]
  for (const [ids, at] of [
    [older, 1],
    [newer, 2],
  ] as const) {
    await run('UPDATE data_sources SET created_at = ? WHERE id = ?', at, ids['data-sources'] ?? '')
    await run('UPDATE insights SET created_at = ? WHERE id = ?', at, ids['insights'] ?? '')
    await run('UPDATE groupings SET created_at = ? WHERE id = ?', at, ids['groupings'] ?? '')
    await run('UPDATE forecasts SET created_at = ? WHERE id = ?', at, ids['forecasts'] ?? '')
    await run('UPDATE datasets SET data_version = 1 WHERE id = ?', ids['datasets'] ?? '')
  }
  return { me, older, newer }
}
const frozenOf = async (me: SignedIn) => {
  const sources = await jsonOf<ListPage<DataSource>>(me.fetch('/api/data-sources'))
  const insights = await jsonOf<ListPage<Insight>>(me.fetch('/api/insights'))
  return [...sources.items, ...insights.items].filter(({ frozen }) => frozen).map(({ id }) => id)
}
const [CSV, COLUMN] = [
  { encoding: 'utf-8', delimiter: ',', quote: '"', escape: '"', header: true, skipLines: 0 },
  { index: 0, label: 'a', type: 'text', role: 'dimension', format: { style: 'plain' }, include: true },
]
const settings = { ...CSV, decimalMark: '.', dateOrder: 'ymd' }
const file = { uploadId: systemIds.next('upload'), settings, columns: [COLUMN] }
const computed = {
  label: 'Two',
  expr: { kind: 'number', value: 2 },
  format: { style: 'plain' },
  role: 'measure',
  version: 1,
}
/** Every call that brings something into a source or changes its tables. */
const WRITES: [string, string, unknown][] = [
  ['POST', '/api/data-sources/:id/datasets', { tables: [{ name: 'More', ...file }] }],
  ['POST', '/api/datasets/:id/loads', { ...file, mode: 'replace', mapping: [] }],
  ['POST', '/api/datasets/:id/rollback', { dataVersion: 1 }],
  ['PUT', '/api/datasets/:id', { name: 'Mine', version: 1, columns: [] }],
  ['POST', '/api/datasets/:id/computed', computed],
  ['PUT', '/api/datasets/:id/computed/c9', computed],
  ['DELETE', '/api/datasets/:id/computed/c9?version=1', undefined],
  ['POST', '/api/runs/:id/retry', undefined],
]

describe('sources and insights that the plan has no room for (BIL-3)', () => {
  let all: Awaited<ReturnType<typeof two>>
  beforeAll(async () => {
    all = await two({ override: { dataSources: 1 } })
  })
  it.each(WRITES)('answer everything, and refuse %s %s', async (method, path, json) => {
    const { me, older, newer } = all
    const call = (ids: ResourceIds) =>
      me.fetch(pathWith(path, ids), { method, ...(json === undefined ? {} : { json }) })
    expect(await refusal(call(newer))).toEqual(FROZEN)
    expect((await refusal(call(older)))[2]).toBeUndefined()
    const source = await jsonOf<DataSource>(me.fetch(`/api/data-sources/${newer['data-sources']}`))
    expect([source.state, source.frozen]).toEqual(['frozen', true])
    expect((await me.fetch(`/api/datasets/${newer['datasets']}`)).status).toBe(200)
  })

  it('are decided by the very statement that writes', async () => {
    const { me, newer } = await two()
    const scope = Scope.forJob({ workspaceId: me.workspaceId, userId: me.userId, epoch: '1.1' })
    const store = (max: number) => sourceStore(db, { scope, max })
    const [source, dataset] = [newer['data-sources'] ?? '', newer['datasets'] ?? '']
    const stored = await runStore(db, scope).get(newer['runs'] ?? '')
    const row = await store(2).dataset(dataset)
    if (!stored || !row) throw new Error('no rows')
    const writes = (max: number) => [
      runStore(db, scope).insert({ ...stored, id: systemIds.next('run'), state: 'failed' }, max),
      store(max).updateDataset(dataset, { name: 'New', version: row.version, columns: [] }),
      store(max).insertDatasets(source, [{ ...row, id: systemIds.next('dataset') }]),
    ]
    const changed = async (max: number) => (await env.DB.batch(writes(max))).map(({ meta }) => meta.changes > 0)
    expect(await changed(1)).toEqual([false, false, false])
    expect(await changed(2)).toEqual([true, true, true])
  })

  it('can be renamed and deleted, and an insight then makes room for the next', async () => {
    const { me, older, newer } = await two({ override: { dataSources: 1, customInsights: 1 } })
    expect(await frozenOf(me)).toEqual([newer['data-sources'], newer['insights']])
    const plan = { v: 1, kind: 'aggregate', measures: [{ kind: 'column', agg: 'count' }], dimensions: [], filters: [] }
    const put = { name: 'Mine', version: 1, viz: { chart: 'number' }, plan: { ...plan, dataset: newer['datasets'] } }
    expect(await refusal(me.fetch(`/api/insights/${newer['insights']}`, { method: 'PUT', json: put }))).toEqual(FROZEN)
    const renamed = { method: 'PUT', json: { name: 'Renamed', version: 1 } }
    expect((await me.fetch(`/api/data-sources/${newer['data-sources']}`, renamed)).status).toBe(200)
    expect((await me.fetch(`/api/insights/${older['insights']}?version=1`, { method: 'DELETE' })).status).toBe(200)
    expect(await frozenOf(me)).toEqual([newer['data-sources']])
    const gone = await me.fetch(`/api/data-sources/${newer['data-sources']}?version=2&force=1`, { method: 'DELETE' })
    expect(gone.status).toBe(200)
    expect(await frozenOf(me)).toEqual([])
  })
})

describe('groupings that the plan has no room for (BIL-3)', () => {
  const GROUPING = { target: { kind: 'account' }, kind: 'rules', version: 1 }
  const DEFINITION = { fallback: { kind: 'exclude' }, eras: [{ from: null, groups: [] }] }
  const CHANGES: [string, string, object][] = [
    ['PUT', '', { ...GROUPING, ...DEFINITION }],
    ['POST', '/members-move', { values: ['a'], to: null, version: 1 }],
    ['POST', '/import', { csv: 'Group,Value\r\nA,b', dryRun: false, version: 1 }],
  ]
  it.each(CHANGES)('stay readable and can be deleted, and refuse %s %s', async (method, path, change) => {
    const json = method === 'PUT' ? { ...change, name: systemIds.token(8) } : change
    const { me, older, newer } = await two({ override: { groupings: 1 } })
    const at = (ids: ResourceIds) => `/api/groupings/${ids['groupings']}`
    expect(await refusal(me.fetch(at(newer) + path, { method, json }))).toEqual(FROZEN)
    expect((await me.fetch(at(older) + path, { method, json })).status).toBe(200)
    const listed = await jsonOf<GroupingSummary[]>(me.fetch('/api/groupings'))
    expect(listed.filter(({ frozen }) => frozen).map(({ id }) => id)).toEqual([newer['groupings']])
    expect((await me.fetch(at(newer))).status).toBe(200)
    await limit(me.workspaceId, { groupings: 2 })
    const again = method === 'PUT' ? { ...change, name: systemIds.token(8) } : change
    expect((await me.fetch(at(newer) + path, { method, json: again })).status).toBe(200)
    await limit(me.workspaceId, { groupings: 1 })
    expect((await me.fetch(`${at(newer)}?version=2`, { method: 'DELETE' })).status).toBe(200)
  })

  it('are decided by the very statement that writes', async () => {
    const { me, newer } = await two()
    const scope = Scope.forJob({ workspaceId: me.workspaceId, userId: me.userId, epoch: '1.1' })
    const grouping = await jsonOf<Grouping>(me.fetch(`/api/groupings/${newer['groupings']}`))
    const changed = async (max: number) =>
      (
        await groupingStore(db, { scope, max })
          .update({ ...grouping, version: 2 }, [])
          .run()
      ).meta.changes > 0
    expect([await changed(1), await changed(2)]).toEqual([false, true])
  })

  it('are not looked through again after new rows', async () => {
    const { me } = await two()
    const scope = Scope.forJob({ workspaceId: me.workspaceId, userId: me.userId, epoch: '1.1' })
    const calendar = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-01-01' } as const
    const deps = depsAt(Date.now())
    const looked = async (max: number) => {
      const warehouse = vi.fn(deps.warehouse)
      await updateUnmatchedCounts({ deps: { ...deps, warehouse }, scope, calendar, swapped: { datasetId: 'ds' }, max })
      return warehouse.mock.calls.length
    }
    expect([await looked(0), await looked(2)]).toEqual([0, (await looked(1)) * 2])
    expect(await looked(1)).toBeGreaterThan(0)
  })
})

describe('what is chosen to stay', () => {
  const keep = (me: SignedIn, input: object) => me.fetch('/api/subscription/keep', { method: 'PUT', json: input })
  const nothing = { sources: [], members: [], insights: [], groupings: [], forecasts: [] }

  it('stays in place of what is older, and thaws with the limit', async () => {
    const { me, older, newer } = await two({ override: { dataSources: 1, customInsights: 1 } })
    const chosen = { ...nothing, sources: [newer['data-sources']], insights: [newer['insights']] }
    const view = await jsonOf<SubscriptionView>(keep(me, chosen))
    expect(view.frozen?.sources?.items.map(({ id, stays }) => [id, stays])).toEqual([
      [newer['data-sources'], true],
      [older['data-sources'], false],
    ])
    expect(await frozenOf(me)).toEqual([older['data-sources'], older['insights']])
    await keep(me, nothing)
    expect(await frozenOf(me)).toEqual([newer['data-sources'], newer['insights']])
    await limit(me.workspaceId, { dataSources: 2, customInsights: null })
    expect(await frozenOf(me)).toEqual([])
  })

  it.each([
    ['trialing', null, 200],
    ['canceled', null, 200],
    ['active', null, 403],
    ['past_due', null, 403],
    ['active', '{"planId":"personal","interval":"monthly","addOns":{},"at":1}', 200],
  ] as const)(
    'may be said while no plan is paid for or a smaller one waits: %s %o',
    async (state, scheduled, status) => {
      const me = await signedIn({ app, subscription: { state, planId: 'standard' } })
      await run('UPDATE subscriptions SET scheduled = ? WHERE workspace_id = ?', scheduled, me.workspaceId)
      expect((await keep(me, nothing)).status).toBe(status)
    },
  )

  it('is of this workspace', async () => {
    const [{ me }, other] = [await two(), await two()]
    for (const kind of ['sources', 'members', 'insights'])
      for (const id of [other.newer[kind === 'sources' ? 'data-sources' : kind], 'x'])
        expect((await keep(me, { ...nothing, [kind]: [id] })).status).toBe(404)
  })
})

describe('people that the plan has no room for (BIL-3)', () => {
  async function team() {
    const owner = await signedIn({ app })
    const { workspaceId } = owner
    const join = async (role: 'admin' | 'analyst' | 'viewer', at: number) => {
      const who = await signedIn({ app, workspaceId, role })
      await run('UPDATE members SET created_at = ? WHERE user_id = ?', at, who.userId)
      return who
    }
    const [admin, analyst, viewer] = [await join('admin', 1), await join('analyst', 2), await join('viewer', 3)]
    return { owner, admin, analyst, viewer, workspaceId }
  }
  const pageOf = (who: SignedIn, path = '/api/session') => jsonOf<PageData>(who.fetch(path))

  it('act as viewers beyond the analysts, and come back as what they were', async () => {
    const { owner, admin, analyst, workspaceId } = await team()
    await limit(workspaceId, { analysts: 2 })
    expect((await pageOf(admin)).workspace).toMatchObject({ role: 'admin', seat: 'held' })
    const page = (await pageOf(analyst)).workspace
    expect(page).toMatchObject({ role: 'viewer', seat: 'held' })
    expect(page?.permissions).not.toContain('create:source')
    expect((await analyst.fetch('/api/data-sources')).status).toBe(200)
    expect((await refusal(analyst.fetch('/api/uploads', { method: 'POST', json: {} })))[1]).toBe('forbidden')
    await limit(workspaceId, { analysts: 0 })
    expect((await pageOf(owner)).workspace?.role).toBe('owner')
    expect((await pageOf(admin)).workspace?.role).toBe('viewer')
    await limit(workspaceId, null)
    expect((await pageOf(analyst)).workspace?.role).toBe('analyst')
  })

  it('may do nothing in the workspace beyond the users, and everything in another', async () => {
    const { owner, admin, viewer, workspaceId } = await team()
    await limit(workspaceId, { users: 3 })
    const answers = await Promise.all(
      ['/api/workspace', '/api/members', '/api/insights', '/api/subscription'].map((path) =>
        refusal(viewer.fetch(path)),
      ),
    )
    expect(answers).toEqual(answers.map(() => FROZEN))
    const page = await pageOf(viewer)
    expect(page.workspace).toMatchObject({ id: workspaceId, seat: 'none', permissions: [] })
    expect((await viewer.fetch('/api/profile')).status).toBe(200)
    expect((await admin.fetch('/api/members')).status).toBe(200)
    const own = await aWorkspace()
    await aMember(own.id, viewer.userId, 'owner')
    expect((await viewer.fetch('/api/members', { headers: { 'x-workspace': own.id } })).status).toBe(200)
    await limit(workspaceId, { users: 0 })
    expect((await refusal(admin.fetch('/api/members')))[2]).toBe('frozen')
    expect((await owner.fetch('/api/members')).status).toBe(200)
    await limit(workspaceId, { users: 4 })
    expect((await viewer.fetch('/api/members')).status).toBe(200)
  })

  it.each([{ users: 2 }, { analysts: 2 }])(
    'load nothing any more, what runs in their name included: %o',
    async (limits) => {
      const { analyst, workspaceId } = await team()
      const ids = await aRowOfEach(workspaceId, analyst.userId)
      await run("UPDATE runs SET state = 'running' WHERE id = ?", ids['runs'] ?? '')
      const params = { runId: ids['runs'] ?? '', workspaceId, userId: analyst.userId, epoch: '1.1' }
      const ask = () => jobScope({ db, clock: { now: () => Date.now() } }, params)
      expect(await ask()).toBeInstanceOf(Scope)
      await limit(workspaceId, limits)
      expect(await ask()).toBe('not_allowed')
    },
  )
})

describe('a workspace through everything that can happen to its plan (BIL-3)', () => {
  it('loses nothing, whatever is refused meanwhile, and is as before once it is paid for', async () => {
    const start = Date.now()
    let now = start
    const me = await signedIn({ app: createApp({ clock: { now: () => now } }), createdAt: start })
    const ids = await aRowOfEach(me.workspaceId, me.userId)
    await aRowOfEach(me.workspaceId, me.userId)
    await aMember(me.workspaceId, (await signedIn({ app })).userId, 'analyst')
    const held = async () => {
      const tables = ['data_sources', 'datasets', 'insights', 'runs', 'user_groups', 'kept']
      const reads = tables.map((table) =>
        env.DB.prepare(`SELECT * FROM ${table} WHERE workspace_id = ?`).bind(me.workspaceId),
      )
      const members = env.DB.prepare('SELECT user_id, role, status, epoch FROM members WHERE workspace_id = ?')
      return JSON.stringify(
        (await env.DB.batch([...reads, members.bind(me.workspaceId)])).map(({ results }) => results),
      )
    }
    const before = await held()
    const write = { method: 'PUT', json: { name: 'Group', version: 7 } }
    /** A write that would go on to its version, and what reading answers. */
    const step = async (state: Partial<Record<'state' | 'plan_id', string | null>>, wanted: unknown[]) => {
      for (const [column, value] of Object.entries(state))
        await run(`UPDATE subscriptions SET ${column} = ? WHERE workspace_id = ?`, value, me.workspaceId)
      await run('UPDATE sessions SET created_at = ?1, last_seen_at = ?1 WHERE user_id = ?2', now, me.userId)
      const answer = await refusal(me.fetch(`/api/groups/${ids['groups']}`, write))
      expect(answer).toEqual(wanted)
      expect((await me.fetch('/api/data-sources')).status).toBe(200)
      expect(await held()).toBe(before)
    }
    const asBefore = [409, 'version_conflict', undefined]
    const plan = (id: PlanId) => ({ state: 'active', plan_id: id })
    await step({}, asBefore)
    now = start + 7 * DAY - 1
    await step({}, asBefore)
    now = start + 7 * DAY
    await step({}, [402, 'read_only', 'trial_expired'])
    await step(plan('standard'), asBefore)
    expect(await frozenOf(me)).toEqual([])
    await step(plan('personal'), [402, 'plan_required', undefined])
    expect(await frozenOf(me)).toHaveLength(1)
    await run(
      'UPDATE subscriptions SET past_due_since = ?, fetched_at = ? WHERE workspace_id = ?',
      now,
      now,
      me.workspaceId,
    )
    await step({ state: 'past_due', plan_id: 'standard' }, asBefore)
    now += 14 * DAY
    await step({}, asBefore)
    await run('UPDATE subscriptions SET fetched_at = ? WHERE workspace_id = ?', now, me.workspaceId)
    await step({}, [402, 'read_only', 'restricted'])
    await step({ state: 'canceled' }, [402, 'read_only', 'canceled'])
    await step(plan('standard'), asBefore)
    expect(await frozenOf(me)).toEqual([])
  })
})
