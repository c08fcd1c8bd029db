import { env, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { updateUnmatchedCounts } from './values'
import { depsAt } from '../../../test/worker/deps'
import { signedIn, unique } from '../../../test/worker/factories'
import { loadedDataset } from '../../../test/worker/loaded-dataset'
import { column } from '../../../test/worker/warehouse-rows'
import { Scope } from '../../scope'
import { systemIds, type Deps } from '../../deps'
import { DELETED_RETENTION_MS } from '../../shared/limits'
import type {
  CreateGroupingInput,
  GroupNode,
  Grouping,
  GroupingSummary,
  GroupingImportResult,
  GroupingPreview,
  GroupingRule,
  GroupSuggestions,
  GroupedValuesPage,
} from '../../shared/groupings/groupings'
import type { Insight } from '../../shared/insights'
import type { GroupingReference, QueryPlanInput } from '../../shared/query/plan'
import type { QueryResult } from '../../shared/query/result'
import { sweepGroupings } from './service'
import type { StorageValue } from '../../lib/storage-value'

const group = (name: string, rules: GroupingRule[], parentId: string | null = null): GroupNode => ({
  ...{ id: systemIds.next('grouped'), parentId, name, color: null, order: 0, rules },
})
const named = (name: string, ...values: string[]): GroupNode => group(name, [{ kind: 'in', values }])

/** Country, amount in hundredths, day. */
const ROWS: StorageValue[][] = [
  ['Sweden', 100, 20_000],
  ['Norge', 200, 20_000],
  ['sweden', 400, 20_400],
  ['Spain', 800, 20_400],
  [null, 1600, 20_400],
]
const COLUMNS = [
  column(0, { type: 'text', label: 'Country' }),
  column(1, { type: 'number', scale: 2, label: 'Amount', role: 'measure' }),
  column(2, { type: 'date', label: 'Day', role: 'time' }),
]

async function scene(rows = ROWS) {
  const me = await signedIn()
  const dataset = await loadedDataset(me.workspaceId, rows, COLUMNS)
  const nordics = named('Nordics', 'Sweden', 'Norge')
  const inputOf = (over: Partial<CreateGroupingInput> = {}): CreateGroupingInput => ({
    name: unique('Regions'),
    target: { kind: 'column', dataset, column: 'c0' },
    kind: 'values',
    eras: [{ from: null, groups: [nordics] }],
    ...over,
  })
  const create = (input: CreateGroupingInput) => me.fetch('/api/groupings', { method: 'POST', json: input })
  const made = async (over?: Partial<CreateGroupingInput>): Promise<Grouping> => {
    const response = await create(inputOf(over))
    expect(response.status).toBe(201)
    return response.json()
  }
  const put = (grouping: Grouping, over: object) => {
    const { name, description, target, kind, fallback, eras, version } = grouping
    const input = { name, description, target, kind, fallback, eras, version, ...over }
    return me.fetch(`/api/groupings/${grouping.id}`, { method: 'PUT', json: input })
  }
  const planOf = (grouping: GroupingReference, over: Partial<QueryPlanInput> = {}): QueryPlanInput => ({
    ...{ v: 2, kind: 'aggregate', filters: [], totals: true },
    measures: [{ kind: 'column', agg: 'sum', field: { dataset, column: 'c1' } }],
    dimensions: [{ field: { dataset, column: 'c0' }, grouping }],
    ...over,
  })
  const ask = async (grouping: GroupingReference, over?: Partial<QueryPlanInput>): Promise<QueryResult> => {
    const response = await me.fetch('/api/query', { method: 'POST', json: { plan: planOf(grouping, over) } })
    const body = await response.json<QueryResult>()
    expect([response.status, body]).toEqual([200, body])
    return body
  }
  const get = async <T>(path: string): Promise<T> => (await me.fetch(path)).json()
  const post = (path: string, json: unknown) => me.fetch(path, { method: 'POST', json })
  return { me, dataset, nordics, inputOf, create, made, put, planOf, ask, get, post }
}

describe('figures seen through a grouping', () => {
  it('come by group with what belongs to none, and add up to the total', async () => {
    const { made, ask, nordics } = await scene()
    const grouping = await made()
    const answer = await ask({ id: grouping.id })
    expect(answer.rows).toEqual([
      ['Ungrouped', 24],
      ['Nordics', 7],
    ])
    expect(answer.totals).toEqual([null, 31])
    expect(answer.words).toBe(`Sum of Amount by ${grouping.name} of Country`)
    expect(answer.columns[0]).toMatchObject({
      label: grouping.name,
      groups: [
        { id: nordics.id, name: 'Nordics', color: null },
        { id: null, name: 'Ungrouped' },
      ],
    })
    expect(await ask({ id: grouping.id })).toMatchObject({ cached: true })
  })

  it('follow a changed definition at once, and new rows', async () => {
    const { made, ask, put, nordics } = await scene()
    const grouping = await made({ fallback: { kind: 'asIs' } })
    expect((await ask({ id: grouping.id })).rows).toEqual([
      [null, 16],
      ['Spain', 8],
      ['Nordics', 7],
    ])
    const south = group('South', [{ kind: 'startsWith', value: 'sp' }])
    const eras = [{ from: null, groups: [nordics, south] }]
    expect((await put(grouping, { eras, fallback: { kind: 'exclude' } })).status).toBe(200)
    const after = await ask({ id: grouping.id })
    expect(after.rows).toEqual([
      ['South', 8],
      ['Nordics', 7],
    ])
    expect(after.totals).toEqual([null, 15])
  })

  it('filter by groups, also records, and by belonging to none', async () => {
    const { made, ask, dataset, nordics } = await scene()
    const { id } = await made()
    const field = { dataset, column: 'c0' as const }
    const inside = (values: (string | null)[], op: 'in' | 'notIn' = 'in') => ({
      filters: [{ field, grouping: { id }, any: [{ op, values }] }],
    })
    expect((await ask({ id }, inside([nordics.id]))).totals).toEqual([null, 7])
    expect((await ask({ id }, inside([null]))).totals).toEqual([null, 24])
    expect((await ask({ id }, inside([nordics.id], 'notIn'))).totals).toEqual([null, 24])
    const rows: Partial<QueryPlanInput> = {
      kind: 'rows',
      measures: [],
      dimensions: [],
      dataset,
      ...inside([nordics.id]),
    }
    const records = await ask({ id }, rows)
    expect(records.rows.map(([country]) => country)).toEqual(['Sweden', 'Norge', 'sweden'])
    expect(records.words).toContain('is one of Nordics')
  })

  it('tell the groups of today from those of then', async () => {
    const { made, ask, nordics, dataset } = await scene()
    const moved = { ...nordics, rules: [{ kind: 'in' as const, values: ['Sweden'] }] }
    const eras = [
      { from: null, groups: [nordics] },
      { from: '2025-01-01', groups: [moved, named('Others', 'Norge', 'Spain')] },
    ]
    const { id } = await made({ eras })
    const period = {
      field: { dataset, column: 'c2' as const },
      range: { kind: 'relative' as const, span: 'all' as const, unit: 'year' as const },
    }
    const current = (await ask({ id }, { period })).rows
    expect(current).toEqual([
      ['Ungrouped', 16],
      ['Others', 10],
      ['Nordics', 5],
    ])
    expect((await ask({ id, as: 'then' }, { period })).rows).toEqual([
      ['Ungrouped', 16],
      ['Others', 8],
      ['Nordics', 7],
    ])
  })

  it('are refused for a grouping that is not there, and for times', async () => {
    const { planOf, post } = await scene()
    const unknown = await post('/api/query', { plan: planOf({ id: systemIds.next('grouping') }) })
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { code: 'not_found' }])
  })
})

describe('keeping groupings', () => {
  it('counts what belongs to no group after each save, and again after new rows', async () => {
    const { me, made, get, dataset } = await scene()
    const grouping = await made()
    const [listed] = (await get<GroupingSummary[]>('/api/groupings')).filter(({ id }) => id === grouping.id)
    expect(listed).toMatchObject({ groupCount: 1, memberCount: 2, unmatched: { values: 1, rows: 1 } })
    await env.DB.prepare('UPDATE groupings SET unmatched = NULL WHERE id = ?').bind(grouping.id).run()
    const scope = Scope.forJob({ workspaceId: me.workspaceId, userId: me.userId, epoch: '1.1' })
    const calendar = { timeZone: 'UTC', weekStart: 'monday' as const, fiscalYearStart: 1, today: '2026-01-01' }
    await updateUnmatchedCounts({
      deps: depsAt(Date.now()),
      scope,
      calendar,
      swapped: { datasetId: dataset },
      max: null,
    })
    expect(await get<Grouping>(`/api/groupings/${grouping.id}`)).toMatchObject({ unmatched: { values: 1, rows: 1 } })
  })

  it('refuses two of a name, a stale version, and what cannot be used', async () => {
    const { made, create, inputOf, put } = await scene()
    const grouping = await made()
    expect(await (await create(inputOf({ name: grouping.name.toUpperCase() }))).json()).toMatchObject({
      code: 'name_taken',
    })
    expect(await (await put(grouping, { version: 7 })).json()).toMatchObject({
      code: 'version_conflict',
      current: { version: 1 },
    })
    const twice = [{ from: null, groups: [named('A', 'x'), named('B', 'X')] }]
    const refused = await put(grouping, { eras: twice })
    expect(await refused.json()).toMatchObject({
      code: 'invalid_input',
      fields: { 'eras.0.groups.1.rules': expect.any(String) },
    })
  })

  it('takes the limits of the workspace in the write itself', async () => {
    const { create, inputOf, made, put } = await scene()
    const values = (n: number, from = 0) => Array.from({ length: n }, (_, i) => `v${from + i}`)
    const full = await made({ eras: [{ from: null, groups: [named('All', ...values(19_999))] }] })
    const answers = await Promise.all(
      [1, 2].map(() => create(inputOf({ eras: [{ from: null, groups: [named('One', 'x')] }] }))),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
    const refused = answers.find(({ status }) => status === 409)
    expect(await refused?.json()).toMatchObject({
      code: 'limit_reached',
      limit: 'groupingMembers',
      max: 20_000,
      used: 20_000,
    })
    expect((await put(full, { eras: [{ from: null, groups: [named('All', ...values(19_999, 1))] }] })).status).toBe(200)
    const many = Array.from({ length: 499 }, (_, i) => group(`G${i}`, []))
    const crowd = await create(inputOf({ eras: [{ from: null, groups: many }] }))
    expect(await crowd.json()).toMatchObject({ code: 'limit_reached', limit: 'groupingGroups', max: 500 })
  })

  it('is not deleted under insights that use it, unless they are to lose it or see through another', async () => {
    const { me, made, planOf, post, nordics, put, get, dataset } = await scene()
    const grouping = await made()
    const other = await made({ eras: [{ from: null, groups: [named('nordics', 'Norge')] }] })
    const filter = {
      field: { dataset, column: 'c0' },
      grouping: { id: grouping.id },
      any: [{ op: 'in', values: [nordics.id] }],
    }
    const plan = { ...planOf({ id: grouping.id }), filters: [filter] }
    const insight = await (await post('/api/insights', { name: 'Sales', plan, viz: { chart: 'bar' } })).json<Insight>()
    const remove = (query: string) => me.fetch(`/api/groupings/${grouping.id}?${query}`, { method: 'DELETE' })
    const metric = systemIds.next('metric')
    await env.DB.prepare(
      `INSERT INTO metrics (id, workspace_id, name, dataset_id, measure, formula, filters, direction, owner_id, created_at, updated_at)
       VALUES (?, ?, 'Nordic sales', ?, ?, '', ?, 'up', ?, 1, 1)`,
    )
      .bind(metric, me.workspaceId, dataset, JSON.stringify(plan.measures[0]), JSON.stringify([filter]), me.userId)
      .run()
    const dependents = [
      { type: 'insight', id: insight.id, name: 'Sales' },
      { type: 'metric', id: metric, name: 'Nordic sales' },
    ]
    expect(await (await remove('version=1')).json()).toMatchObject({ code: 'in_use', dependents })
    const without = await put(grouping, { eras: [{ from: null, groups: [named('Else', 'x')] }] })
    expect(await without.json()).toMatchObject({ code: 'in_use', dependents })
    expect((await remove(`version=1&replacement=${other.id}`)).status).toBe(200)
    const after = await get<Insight>(`/api/insights/${insight.id}`)
    expect(after.plan.dimensions[0]?.grouping?.id).toBe(other.id)
    expect(JSON.stringify(after.plan.filters)).toContain(other.eras[0]?.groups[0]?.id)
    const measured = await env.DB.prepare('SELECT filters FROM metrics WHERE id = ?').bind(metric).first('filters')
    expect(measured).toContain(other.eras[0]?.groups[0]?.id)
    const kept = env.DB.prepare('SELECT plan FROM insight_versions WHERE insight_id = ? AND version = 2')
    expect(await kept.bind(insight.id).first('plan')).toContain(other.id)
    expect((await post('/api/query', { plan: after.plan })).status).toBe(200)
    expect((await me.fetch(`/api/groupings/${other.id}?version=1&force=1`, { method: 'DELETE' })).status).toBe(200)
    expect((await post('/api/query', { plan: after.plan })).status).toBe(404)
    expect((await post(`/api/groupings/${other.id}/restore`, {})).status).toBe(200)
    expect((await post('/api/query', { plan: after.plan })).status).toBe(200)
  })

  it('takes one of several changes of the same version', async () => {
    const { made, put, get } = await scene()
    const grouping = await made()
    const changes = ['A', 'B', 'C', 'D'].map((name) => put(grouping, { name }))
    const answers = await Promise.all(changes)
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409])
    const { version, name } = await get<Grouping>(`/api/groupings/${grouping.id}`)
    const won = ['A', 'B', 'C', 'D'][answers.findIndex(({ status }) => status === 200)]
    expect([version, name]).toEqual([2, won])
  })

  it('is gone for good 30 days after it was deleted', async () => {
    const { me, made } = await scene()
    const { id } = await made()
    await me.fetch(`/api/groupings/${id}?version=1`, { method: 'DELETE' })
    const left = () => env.DB.prepare('SELECT count(*) AS n FROM groupings WHERE id = ?').bind(id).first('n')
    await sweepGroupings(depsAt(Date.now()))
    expect(await left()).toBe(1)
    await sweepGroupings(depsAt(Date.now() + DELETED_RETENTION_MS))
    expect(await left()).toBe(0)
  })
})

describe('accounts of ledgers', () => {
  it('are grouped in every ledger, and looked at where there are amounts', async () => {
    const me = await signedIn()
    const columns = [
      column(0, { type: 'text', label: 'account' }),
      column(1, { type: 'number', scale: 2, label: 'amount', role: 'measure' }),
    ]
    await loadedDataset(me.workspaceId, [['3010'], ['3799'], ['3800'], ['1910']], columns.slice(0, 1), 'Accounts')
    const rows = [
      ['3010', 100],
      ['3799', 200],
      ['4010', 400],
    ]
    const entries = await loadedDataset(me.workspaceId, rows, columns, 'Entries')
    const sales = group('Sales', [{ kind: 'accounts', from: 3000, to: 3799 }])
    const input = {
      name: 'BAS',
      target: { kind: 'account' },
      kind: 'accounts',
      eras: [{ from: null, groups: [sales] }],
    }
    const made = await (await me.fetch('/api/groupings', { method: 'POST', json: input })).json<Grouping>()
    const values = await (await me.fetch(`/api/groupings/${made.id}/values`)).json<GroupedValuesPage>()
    expect(values).toMatchObject({
      dataset: { id: entries },
      column: { label: 'account' },
      amount: { label: 'amount' },
    })
    expect(values.items.map(({ value, groupId }) => [value, groupId])).toEqual([
      ['3010', sales.id],
      ['3799', sales.id],
      ['4010', null],
    ])
  })
})

describe('editing with the data in view', () => {
  it('lists values with rows, amount and group, searches them, and those without a group apart', async () => {
    const { made, get, nordics } = await scene()
    const { id } = await made()
    const all = await get<GroupedValuesPage>(`/api/groupings/${id}/values`)
    expect(all).toMatchObject({ count: 5, nextCursor: null, column: { label: 'Country' }, amount: { label: 'Amount' } })
    expect(all.items.find(({ value }) => value === 'sweden')).toEqual({
      ...{ value: 'sweden', member: 'sweden', groupId: nordics.id, rows: 1, amount: 4 },
    })
    const first = await get<GroupedValuesPage>(`/api/groupings/${id}/values?limit=3`)
    const second = await get<GroupedValuesPage>(`/api/groupings/${id}/values?limit=3&cursor=${first.nextCursor}`)
    expect(second.nextCursor).toBe(null)
    expect([...first.items, ...second.items]).toEqual(all.items)
    expect((await get<GroupedValuesPage>(`/api/groupings/${id}/values?q=SWE`)).items).toHaveLength(2)
    const loose = await get<GroupedValuesPage>(`/api/groupings/${id}/unmatched`)
    expect(loose.items.map(({ value }) => value)).toEqual(['Spain', null])
  })

  it('shows what a business looks at first: the amount before the number of pieces and the price of one', async () => {
    const me = await signedIn()
    const columns = [
      column(0, { type: 'text', label: 'Land' }),
      column(1, { type: 'integer', label: 'Antal', role: 'measure' }),
      column(2, {
        type: 'number',
        scale: 2,
        label: 'Styckpris',
        role: 'measure',
        format: { style: 'currency', currency: 'SEK' },
      }),
      column(3, { type: 'number', scale: 2, label: 'Belopp', role: 'measure' }),
    ]
    const dataset = await loadedDataset(me.workspaceId, [['Sverige', 3, 1000, 3000]], columns)
    const eras = [{ from: null, groups: [named('Norden', 'Sverige')] }]
    const input = { name: 'Marknader', target: { kind: 'column', dataset, column: 'c0' }, kind: 'values', eras }
    const made = await (await me.fetch('/api/groupings', { method: 'POST', json: input })).json<Grouping>()
    const preview = await me.fetch(`/api/groupings/${made.id}/preview`, {
      method: 'POST',
      json: { fallback: made.fallback, eras },
    })
    expect(await preview.json()).toMatchObject({ label: 'Sum of Belopp', total: { before: 30 } })
    const values = await (await me.fetch(`/api/groupings/${made.id}/values`)).json<GroupedValuesPage>()
    expect(values).toMatchObject({ amount: { label: 'Belopp' } })
  })

  it('shows what a change would do to the figures, and changes nothing', async () => {
    const { made, post, nordics, get } = await scene()
    const grouping = await made()
    const south = named('South', 'Spain')
    const eras = [{ from: null, groups: [{ ...nordics, rules: [{ kind: 'in', values: ['Norge'] }] }, south] }]
    const preview = async (fallback: object) =>
      (await post(`/api/groupings/${grouping.id}/preview`, { eras, fallback })).json<GroupingPreview>()
    expect(await preview(grouping.fallback)).toMatchObject({
      lines: [
        { groupId: nordics.id, before: 7, after: 2 },
        { groupId: south.id, before: null, after: 8 },
        { groupId: null, name: 'Ungrouped', before: 24, after: 21 },
      ],
      label: 'Sum of Amount',
      total: { before: 31, after: 31 },
    })
    expect(await preview({ kind: 'exclude' })).toMatchObject({ total: { before: 31, after: 10 } })
    expect(await get<Grouping>(`/api/groupings/${grouping.id}`)).toMatchObject({ version: 1, eras: grouping.eras })
  })

  it('moves values, suggests look-alikes, and reads and writes files', async () => {
    const { me, made, post, get, nordics } = await scene([
      ['Volvo AB', 100, 1],
      ['VOLVO', 200, 1],
      ['Norge', 400, 1],
      ['Norrge', 400, 1],
    ])
    const { id } = await made()
    const suggest = await (await post(`/api/groupings/${id}/suggest`, {})).json<GroupSuggestions>()
    expect(suggest.groups.map(({ groupId, name, values }) => [groupId, name, values.length])).toEqual([
      [null, 'VOLVO', 2],
    ])
    const moved = await post(`/api/groupings/${id}/members-move`, { values: ['norrge'], to: nordics.id, version: 1 })
    expect(await moved.json()).toMatchObject({ version: 2, memberCount: 3 })
    const path = `/api/groupings/${id}/import`
    const bad = await post(path, { csv: 'Makers;Volvo\n;x\n', dryRun: false, version: 2 })
    expect(await bad.json()).toMatchObject({ errors: [{ line: 2 }], grouping: null })
    const csv = 'Makers > Cars;Volvo AB\nMakers > Cars;VOLVO\nMakers;Norge\n'
    const dry = await (await post(path, { csv, dryRun: true, version: 2 })).json<GroupingImportResult>()
    expect(dry).toMatchObject({ errors: [], added: 2, moved: 1, groupsMade: 2, grouping: null })
    const done = await (await post(path, { csv, dryRun: false, version: 2 })).json<GroupingImportResult>()
    expect(done).toMatchObject({ ...dry, dryRun: false, grouping: { version: 3, groupCount: 3 } })
    const file = await me.fetch(`/files/groupings/${id}/export`)
    const text = (await file.text()).replace('\ufeff', '')
    expect(text).toContain('Makers > Cars,Volvo AB,')
    const { nextCursor, items } = await get<GroupedValuesPage>(`/api/groupings/${id}/unmatched`)
    expect([nextCursor, items]).toEqual([null, []])
  })
})

it('keeps the maps of the last dozen trials, not of every one', async () => {
  const { me, made } = await scene()
  const grouping = await made()
  for (let n = 0; n < 15; n += 1) {
    const eras = [{ from: null, groups: [named(`Trial ${n}`, 'Sweden')] }]
    const json = { fallback: grouping.fallback, eras }
    expect((await me.fetch(`/api/groupings/${grouping.id}/preview`, { method: 'POST', json })).status).toBe(200)
  }
  await runInDurableObject(env.WAREHOUSE.get(env.WAREHOUSE.idFromName(me.workspaceId)), (_object, { storage }) => {
    const drafts = storage.sql.exec("SELECT 'gm' || n AS name FROM grouping_maps WHERE draft = 1").toArray()
    const tables = storage.sql.exec("SELECT name FROM sqlite_master WHERE name GLOB 'gm[0-9]*'").toArray()
    expect([drafts.length, tables.length]).toEqual([12, 13])
  })
})

describe('rules that would take long over many values', () => {
  const SLOW = '(?:[a-d]{0,40}b[a-d]{0,40}c){5}z'
  const slow = () => ({ eras: [{ from: null, groups: [group('A', [{ kind: 'regex', pattern: SLOW }])] }] })
  const rows = (texts: string[]): StorageValue[][] => texts.map((text) => [text, 100, 20_000])

  it('are refused before they are begun, wherever the values are looked at', async () => {
    const { me, made, planOf } = await scene(rows(Array.from({ length: 2_000 }, (_, n) => 'abcd'.repeat(200) + n)))
    const grouping = await made({ ...slow(), kind: 'rules' })
    const answers = await Promise.all([
      me.fetch('/api/query', { method: 'POST', json: { plan: planOf({ id: grouping.id }) } }),
      me.fetch(`/api/groupings/${grouping.id}/values?limit=1000`),
      me.fetch(`/api/groupings/${grouping.id}/unmatched`),
      me.fetch(`/api/groupings/${grouping.id}/preview`, {
        method: 'POST',
        json: { fallback: grouping.fallback, eras: grouping.eras },
      }),
    ])
    const bodies = await Promise.all(answers.map((answer) => answer.json<{ code: string; what: string }>()))
    const refused = { code: 'query_too_complex', what: 'steps of rules' }
    expect(bodies).toMatchObject([refused, refused, refused, refused])
  })

  it('leave the thread to others while the values of a page are sorted out', async () => {
    const { me, made } = await scene(rows(Array.from({ length: 300 }, (_, n) => 'abcd'.repeat(20) + n)))
    const { id } = await made({ ...slow(), kind: 'rules' })
    let turns = 0
    const others = setInterval(() => (turns += 1), 1)
    const before = (await me.fetch(`/api/groupings/${id}/values?limit=1`)) && turns
    const page = await me.fetch(`/api/groupings/${id}/values?limit=300`)
    clearInterval(others)
    expect((await page.json<GroupedValuesPage>()).items).toHaveLength(300)
    expect(turns - before).toBeGreaterThan(50)
  })

  it('sort out every value where they are few or short, however many goes it takes', async () => {
    const texts = Array.from({ length: 700 }, (_, n) => (n % 7 === 0 ? `${'bc'.repeat(5)}z${n}` : `b${n}`))
    const { ask, made } = await scene(rows(texts))
    const grouping = await made({ ...slow(), kind: 'rules' })
    const { rows: found } = await ask({ id: grouping.id })
    expect(new Map(found.map(([name, sum]) => [name, sum]))).toEqual(
      new Map([
        ['A', 100],
        ['Ungrouped', 600],
      ]),
    )
  })
})

describe('values that are compared or searched through', () => {
  it.each([
    ['compared', (id: string) => [`/api/groupings/${id}/suggest`, { method: 'POST', json: {} }] as const],
    ['searched through', (id: string) => [`/api/groupings/${id}/values?q=long`, {}] as const],
  ])('are held only as far as there is memory for them: %s', async (_what, call) => {
    const { me, made } = await scene()
    const { id } = await made()
    let pages = 0
    // A page of texts as long as one answer may be, and always more after it.
    const text = 'long '.repeat(1024 * 1024)
    const warehouse: Deps['warehouse'] = (scope) => {
      const client = depsAt(Date.now()).warehouse(scope)
      const query: typeof client.query = async (asked) => {
        pages += 1
        return { ...(await client.query(asked)), rows: [[`${text}${pages}`, 1, 1]], truncated: true }
      }
      return { ...client, query }
    }
    const [path, init] = call(id)
    const editor = await signedIn({ deps: { warehouse }, workspaceId: me.workspaceId })
    expect((await editor.fetch(path, init)).status).toBe(200)
    expect(pages).toBe(2)
  })
})
