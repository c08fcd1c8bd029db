import { env } from 'cloudflare:test'
import { readXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { expiredTrial, otherWorkspace, signedIn, visitor, type SignedIn } from '../../../test/worker/factories'
import { loadedDataset } from '../../../test/worker/loaded-dataset'
import { column } from '../../../test/worker/warehouse-rows'
import type { CreateInsightInput, Insight } from '../../shared/insights'
import type { ListPage } from '../../shared/field-schemas'
import type { QueryPlanInput } from '../../shared/query/plan'
import type { QueryResult } from '../../shared/query/result'
import { systemIds } from '../../deps'

const planOf = (dataset: string): QueryPlanInput => ({
  v: 1,
  kind: 'aggregate',
  measures: [{ kind: 'column', agg: 'sum', field: { dataset, column: 'c1' } }],
  dimensions: [{ field: { dataset, column: 'c0' } }],
  filters: [],
  totals: true,
})
const inputOf = (dataset: string, name = 'Sales'): CreateInsightInput => ({
  name,
  plan: planOf(dataset),
  viz: { chart: 'bar' },
})
const NASTY = ['=1+1', '+46', '-cmd', '@x', '\t=1', '＝1', '"=1', 'a\n=1', 'plain']

async function scene(role: SignedIn | null = null) {
  const me = role ?? (await signedIn())
  const dataset = await loadedDataset(
    me.workspaceId,
    NASTY.map((text, i) => [text, -(i * 100 + 5)]),
  )
  const create = (input: unknown, who = me) => who.fetch('/api/insights', { method: 'POST', json: input })
  const made = async (name?: string): Promise<Insight> => (await create(inputOf(dataset, name))).json()
  return { me, dataset, create, made }
}

describe('asking for figures', () => {
  it('answers a plan with exact sums, words and the age of the data', async () => {
    const { me, dataset } = await scene()
    const response = await me.fetch('/api/query', { method: 'POST', json: { plan: planOf(dataset) } })
    expect(response.status).toBe(200)
    const result = await response.json<QueryResult>()
    expect(result.rows).toHaveLength(NASTY.length)
    expect(result.totals).toEqual([null, -36.45])
    expect(result).toMatchObject({
      words: 'Sum of Amount by Country',
      rowCount: NASTY.length,
      truncated: false,
      cached: false,
    })
    expect(
      await (await me.fetch('/api/query', { method: 'POST', json: { plan: planOf(dataset) } })).json(),
    ).toMatchObject({ cached: true, hash: result.hash })
  })

  it('refuses what is not there, not ours, not readable and not allowed', async () => {
    const { me, dataset } = await scene()
    const ask = async (plan: unknown, who: Pick<SignedIn, 'fetch'> = me) => {
      const response = await who.fetch('/api/query', { method: 'POST', json: { plan } })
      return [response.status, (await response.json<{ code: string }>()).code]
    }
    const foreign = await scene()
    const unknown = { ...planOf(dataset), dimensions: [{ field: { dataset, column: 'c9' } }] }
    expect(await ask(unknown)).toEqual([422, 'unknown_field'])
    expect(await ask(planOf(foreign.dataset))).toEqual([404, 'not_found'])
    expect(await ask({ ...planOf(dataset), kind: 'sql' })).toEqual([422, 'invalid_input'])
    expect(await ask(planOf(dataset), await visitor())).toEqual([401, 'unauthenticated'])
    const client = await signedIn({ workspaceId: me.workspaceId, role: 'client' })
    expect(await ask(planOf(dataset), client)).toEqual([403, 'forbidden'])
    const strange = await me.fetch('/api/query', {
      method: 'POST',
      json: { plan: planOf(dataset) },
      headers: { 'x-workspace': foreign.me.workspaceId },
    })
    expect(strange.status).toBe(404)
  })

  it('refuses a plan nested a thousand levels deep instead of breaking', async () => {
    const { me, dataset } = await scene()
    const field = `{"kind":"field","field":{"dataset":"${dataset}","column":"c1"}}`
    for (const depth of [30, 1000, 3000]) {
      const deep = '{"kind":"coalesce","items":['.repeat(depth) + field + ']}'.repeat(depth)
      const body = `{"plan":{"v":1,"kind":"aggregate","measures":[{"kind":"expression","agg":"sum","row":${deep}}],"dimensions":[],"filters":[]}}`
      const response = await me.fetch('/api/query', { method: 'POST', body })
      expect([depth, response.status]).toEqual([depth, 422])
    }
  })
})

describe('saving an insight', () => {
  it('keeps the plan and what it reads, and lists it by part of its name', async () => {
    const { me, dataset, made } = await scene()
    const insight = await made('Försäljning per land')
    expect(insight).toMatchObject({
      version: 1,
      ownerName: 'Test Person',
      deletedAt: null,
      description: '',
      viz: { chart: 'bar', direction: 'up' },
    })
    const uses = await env.DB.prepare(
      'SELECT dataset_id, column_key FROM insight_fields WHERE insight_id = ? ORDER BY 2',
    )
      .bind(insight.id)
      .all()
    expect(uses.results).toEqual(['', 'c0', 'c1'].map((column_key) => ({ dataset_id: dataset, column_key })))
    const list = async (search: string) =>
      (await (await me.fetch(`/api/insights${search}`)).json<ListPage<Insight>>()).items.map(({ id }) => id)
    expect(await list('?q=FÖRSÄLJ')).toEqual([insight.id])
    expect(await list('?q=nothing')).toEqual([])
    expect(await (await me.fetch(`/api/insights/${insight.id}`)).json()).toEqual(insight)
  })

  it('answers 201 once for a repeated idempotency key', async () => {
    const { me, dataset } = await scene()
    const call = () =>
      me.fetch('/api/insights', { method: 'POST', json: inputOf(dataset), headers: { 'idempotency-key': 'once' } })
    const [first, second] = [await call(), await call()]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(await second.json()).toEqual(await first.json())
  })

  it('answers a repeated deletion with the same key as it did the first time', async () => {
    const { me, made } = await scene()
    const { id } = await made()
    const remove = (version: number) =>
      me.fetch(`/api/insights/${id}?version=${version}`, { method: 'DELETE', headers: { 'idempotency-key': 'gone' } })
    const [first, second] = [await remove(1), await remove(1)]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(await second.json()).toEqual(await first.json())
    expect((await remove(2)).status).toBe(422)
    await env.DB.prepare("UPDATE members SET role = 'viewer' WHERE user_id = ?").bind(me.userId).run()
    expect((await remove(1)).status).toBe(403)
    await env.DB.prepare('DELETE FROM members WHERE user_id = ?').bind(me.userId).run()
    expect((await remove(1)).status).toBe(404)
  })

  it('refuses unknown keys, unknown columns, foreign data, taken names, roles and strangers', async () => {
    const { me, dataset, create, made } = await scene()
    await made()
    const status = async (input: unknown, who: SignedIn | Awaited<ReturnType<typeof visitor>> = me) => {
      const response = await who.fetch('/api/insights', { method: 'POST', json: input })
      return [response.status, (await response.json<{ code: string }>()).code]
    }
    const input = inputOf(dataset, 'Another')
    expect(await status({ ...input, ownerId: 'usr_x' })).toEqual([422, 'invalid_input'])
    expect(
      await status({ ...input, plan: { ...planOf(dataset), dimensions: [{ field: { dataset, column: 'c77' } }] } }),
    ).toEqual([422, 'unknown_field'])
    expect(await status({ ...input, plan: planOf((await scene()).dataset) })).toEqual([404, 'not_found'])
    expect(await status({ ...input, name: ' sALES ' })).toEqual([409, 'name_taken'])
    expect(await status(input, await visitor())).toEqual([401, 'unauthenticated'])
    expect(await status(input, await signedIn({ workspaceId: me.workspaceId, role: 'viewer' }))).toEqual([
      403,
      'forbidden',
    ])
    expect((await create(input, await otherWorkspace())).status).toBe(404)
    const ended = await expiredTrial()
    const late = inputOf(await loadedDataset(ended.workspaceId, [['a', 1]]))
    expect(await status(late, ended)).toEqual([402, 'read_only'])
  })

  it('refuses an 11th insight on Personal with limit_reached, also when eleven come at once', async () => {
    const { dataset, create } = await scene(await signedIn({ subscription: { state: 'active', planId: 'personal' } }))
    const answers = await Promise.all(Array.from({ length: 11 }, (_, i) => create(inputOf(dataset, `Insight ${i}`))))
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(1)
    expect(await refused[0]?.json()).toMatchObject({
      code: 'limit_reached',
      limit: 'customInsights',
      used: 10,
      max: 10,
    })
  })
})

describe('a trial', () => {
  it('holds 200 insights, and refuses the one after', async () => {
    const { me, dataset, create } = await scene()
    await env.DB.prepare(
      `INSERT INTO insights (id, workspace_id, name, name_key, plan, viz, owner_id, created_at, updated_at)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 199)
       SELECT ?1 || i, ?1, 'Kept ' || i, 'kept ' || i, '{}', '{}', ?2, 1, 1 FROM n`,
    )
      .bind(me.workspaceId, me.userId)
      .run()
    expect((await create(inputOf(dataset, 'The last'))).status).toBe(201)
    const refused = await create(inputOf(dataset, 'One more'))
    expect(await refused.json()).toMatchObject({ code: 'limit_reached', limit: 'customInsights', used: 200, max: 200 })
  })
})

describe('an insight of the sample company', () => {
  it('counts as the person’s own once it reads their data, and is not turned to it past the limit', async () => {
    const override = { customInsights: 1 }
    const me = await signedIn({ subscription: { state: 'active', planId: 'personal', override } })
    const { dataset, made } = await scene(me)
    const insight = await made()
    await env.DB.prepare("UPDATE insights SET origin = 'sample' WHERE id = ?").bind(insight.id).run()
    const other = await made('Other')
    const change = (version: number) =>
      me.fetch(`/api/insights/${insight.id}`, { method: 'PUT', json: { ...inputOf(dataset), version } })
    expect(await (await change(1)).json<object>()).toMatchObject({ code: 'limit_reached', used: 1, max: 1 })
    await me.fetch(`/api/insights/${other.id}?version=${other.version}`, { method: 'DELETE' })
    const changed = await change(1)
    expect([changed.status, (await changed.json<Insight>()).origin]).toEqual([200, 'person'])
    expect((await me.fetch('/api/insights', { method: 'POST', json: inputOf(dataset, 'More') })).status).toBe(409)
  })
})

describe('another workspace’s data in an own insight (IDOR-3)', () => {
  it('is not found, the same as data that does not exist, and stores nothing', async () => {
    const { me, dataset, create, made } = await scene()
    const own = await made()
    const foreign = (await scene()).dataset
    const put = (json: unknown) => me.fetch(`/api/insights/${own.id}`, { method: 'PUT', json })
    const ask = (plan: unknown) => me.fetch('/api/query', { method: 'POST', json: { plan } })
    const mixed = { ...planOf(dataset), dimensions: [{ field: { dataset: foreign, column: 'c0' } }] }
    const nowhere = planOf(systemIds.next('dataset'))
    for (const plan of [planOf(foreign), mixed, nowhere]) {
      const input = { ...inputOf(dataset, 'Moved'), plan }
      for (const answer of [await create(input), await put({ ...input, version: 1 }), await ask(plan)]) {
        const body = await answer.json<object>()
        expect([answer.status, { ...body, requestId: '' }]).toEqual([
          404,
          { code: 'not_found', message: expect.any(String), requestId: '' },
        ])
      }
    }
    expect(await (await me.fetch(`/api/insights/${own.id}`)).json()).toEqual(own)
    expect((await (await me.fetch('/api/insights')).json<ListPage<Insight>>()).items).toHaveLength(1)
    const uses = env.DB.prepare('SELECT count(*) AS n FROM insight_fields WHERE dataset_id = ?').bind(foreign)
    expect(await uses.first('n')).toBe(0)
  })
})

describe('changing an insight', () => {
  it('gives the slower of two editors a 409 with what is stored, and loses nothing', async () => {
    const { me, dataset, made } = await scene()
    const { id } = await made()
    const put = (name: string, version: number) =>
      me.fetch(`/api/insights/${id}`, { method: 'PUT', json: { ...inputOf(dataset, name), version } })
    const [one, two] = await Promise.all([put('One', 1), put('Two', 1)])
    expect([one.status, two.status].toSorted((a, b) => a - b)).toEqual([200, 409])
    const [won, lost] = one.status === 200 ? [one, two] : [two, one]
    const stored = await won.json<Insight>()
    expect(await lost.json()).toMatchObject({ code: 'version_conflict', current: stored })
    expect(stored.version).toBe(2)
  })

  it('deletes for 30 days, gives the name back, and restores', async () => {
    const { me, made } = await scene()
    const { id } = await made()
    const remove = (version: number) => me.fetch(`/api/insights/${id}?version=${version}`, { method: 'DELETE' })
    expect((await remove(7)).status).toBe(409)
    expect((await me.fetch(`/api/insights/${id}`, { method: 'DELETE' })).status).toBe(422)
    expect(await (await remove(1)).json()).toMatchObject({ version: 2 })
    expect((await me.fetch(`/api/insights/${id}`)).status).toBe(404)
    expect((await (await me.fetch('/api/insights?deleted=1')).json<ListPage<Insight>>()).items).toHaveLength(1)
    const other = await made()
    const restore = () => me.fetch(`/api/insights/${id}/restore`, { method: 'POST' })
    expect(await (await restore()).json()).toMatchObject({ code: 'name_taken' })
    await me.fetch(`/api/insights/${other.id}?version=1`, { method: 'DELETE' })
    expect(await (await restore()).json()).toMatchObject({ id, version: 3, deletedAt: null })
    await env.DB.prepare('UPDATE insights SET deleted_at = 1 WHERE id = ?').bind(id).run()
    expect((await restore()).status).toBe(404)
  })

  it('answers 404 to strangers and 403 to viewers on every call, and changes nothing', async () => {
    const { me, dataset, made } = await scene()
    const { id } = await made()
    const viewer = await signedIn({ workspaceId: me.workspaceId, role: 'viewer' })
    const stranger = await otherWorkspace()
    const calls = [
      { path: `/api/insights/${id}`, method: 'PUT', json: { ...inputOf(dataset, 'Mine'), version: 1 } },
      { path: `/api/insights/${id}?version=1`, method: 'DELETE' },
      { path: `/api/insights/${id}/restore`, method: 'POST' },
    ]
    for (const { path, ...init } of calls) {
      expect((await stranger.fetch(path, init)).status).toBe(404)
      expect((await viewer.fetch(path, init)).status).toBe(403)
    }
    expect((await stranger.fetch(`/api/insights/${id}`)).status).toBe(404)
    expect((await stranger.fetch(`/files/insights/${id}/export?format=csv`)).status).toBe(404)
    expect((await me.fetch(`/api/insights/${systemIds.next('insight')}`)).status).toBe(404)
    expect(await (await me.fetch(`/api/insights/${id}`)).json()).toMatchObject({ name: 'Sales', version: 1 })
  })

  it('pages strictly: every insight once, and no cursor but our own', async () => {
    const { me, made } = await scene()
    const ids = [await made('A'), await made('B'), await made('C')].map(({ id }) => id)
    const first = await (await me.fetch('/api/insights?limit=2')).json<ListPage<Insight>>()
    const second = await (await me.fetch(`/api/insights?limit=2&cursor=${first.nextCursor}`)).json<ListPage<Insight>>()
    expect([...first.items, ...second.items].map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    expect(second.nextCursor).toBeNull()
    for (const search of ['cursor=x', 'limit=0', 'limit=101', 'color=red', 'limit=1&limit=2'])
      expect((await me.fetch(`/api/insights?${search}`)).status).toBe(422)
  })
})

describe('taking figures along', () => {
  it('writes a CSV that begins with its headings, with text that no spreadsheet computes and numbers as numbers', async () => {
    const { me, made } = await scene()
    const { id } = await made('Räksmörgås "=1"\r\nX: y'.replace('\r\n', ' '))
    const response = await me.fetch(`/files/insights/${id}/export?format=csv`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="[A-Za-z0-9 ._-]+"; filename\*=UTF-8''R%C3%A4ksm/,
    )
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    const text = await response.text()
    expect(text.startsWith('Country;Sum of Amount\r\n')).toBe(true)
    expect(text).toContain("'=1+1;-0,05\r\n")
    expect(text).toContain("'-cmd;-2,05\r\n")
    expect(text.endsWith('Total;-36,45\r\n')).toBe(true)
  })

  it('writes a change under "in %" as per cent, not as a fraction', async () => {
    const me = await signedIn()
    const days = [
      column(0, { type: 'date', label: 'Day', role: 'time' }),
      column(1, { type: 'integer', label: 'Sold' }),
    ]
    const [january, february] = [Date.UTC(2026, 0, 5), Date.UTC(2026, 1, 5)].map((ms) => ms / 86_400_000)
    const dataset = await loadedDataset(
      me.workspaceId,
      [
        [january ?? 0, 80],
        [february ?? 0, 90],
      ],
      days,
    )
    const range = { kind: 'absolute', from: '2026-02-01', to: '2026-02-28' } as const
    const plan: QueryPlanInput = {
      ...planOf(dataset),
      dimensions: [],
      totals: false,
      period: { field: { dataset, column: 'c0' }, range, compare: 'previous' },
    }
    const saved = await me.fetch('/api/insights', { method: 'POST', json: { ...inputOf(dataset), plan } })
    const { id } = await saved.json<Insight>()
    const text = await (await me.fetch(`/files/insights/${id}/export?format=csv`)).text()
    expect(text).toContain('\r\n90;80;10;12,5\r\n')
  })

  it('writes a ratio that is shown as per cent as per cent, and says so in its heading', async () => {
    const me = await signedIn()
    const columns = [column(0, { type: 'integer', label: 'Kept' }), column(1, { type: 'integer', label: 'Sold' })]
    const dataset = await loadedDataset(me.workspaceId, [[1, 8]], columns)
    const sum = (at: 'c0' | 'c1') => ({ kind: 'column', agg: 'sum', field: { dataset, column: at } }) as const
    const share = { kind: 'ratio', over: sum('c0'), under: sum('c1'), label: 'Share kept' } as const
    const plan: QueryPlanInput = { ...planOf(dataset), measures: [sum('c1'), share], dimensions: [], totals: false }
    const viz = { chart: 'number', direction: 'up', percent: [1] } as const
    const saved = await me.fetch('/api/insights', { method: 'POST', json: { ...inputOf(dataset), plan, viz } })
    const { id } = await saved.json<Insight>()
    const text = await (await me.fetch(`/files/insights/${id}/export?format=csv`)).text()
    expect(text).toContain('Sum of Sold;Share kept (%)\r\n8;12,5\r\n')
  })

  it('writes a workbook without formulas, and the records behind the figures', async () => {
    const { me, made } = await scene()
    const { id } = await made()
    const response = await me.fetch(`/files/insights/${id}/export?format=xlsx&rows=1`)
    const book = await readXlsx(new Uint8Array(await response.arrayBuffer()))
    const rows = book.sheets[0]?.rows ?? []
    expect(rows.slice(-NASTY.length).map((row) => row[1])).toEqual(NASTY.map((_, i) => -(i * 100 + 5) / 100))
    expect(rows.slice(-NASTY.length).map((row) => row[0])).toEqual([
      "'=1+1",
      "'+46",
      "'-cmd",
      "'@x",
      "'\t=1",
      "'＝1",
      '\'"=1',
      "a\n'=1",
      'plain',
    ])
    expect(JSON.stringify(book)).not.toContain('"formula"')
    expect((await me.fetch(`/files/insights/${id}/export?format=pdf`)).status).toBe(422)
    expect((await (await visitor()).fetch(`/files/insights/${id}/export?format=csv`)).status).toBe(401)
  })
})
