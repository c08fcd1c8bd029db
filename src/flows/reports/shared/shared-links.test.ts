import { env } from 'cloudflare:test'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { LONG } from '../../../../test/long'
import {
  guardedWorkspace,
  onlyRegion,
  savePolicy,
  type GuardedWorkspace,
} from '../../../../test/worker/access/guarded-workspace'
import { callApp, type SignedIn } from '../../../../test/worker/factories'
import { callablePath, routeTable } from '../../../../test/worker/http/route-table'
import { spendTries } from '../../../../test/worker/http/rate-limits'
import { createApp } from '../../../app'
import { outsideAnswer } from './shared-answers'
import { CHANGED_TEXT as CHANGED } from '../../../features/reports/links/shown'
import { systemIds } from '../../../deps'
import { sha256Hex } from '../../../lib/hash'
import {
  LINKS_PER_REPORT_MAX,
  type CreatedLink,
  type ReportLink,
  type SharedReport,
} from '../../../shared/reports/links'
import type { Statement } from '../../../shared/statements/statements'
import type { Report } from '../../../shared/reports/reports'
import type { TileAnswer } from '../../../shared/reports/tiles'

let shift = 0
const app = createApp({ clock: { now: () => Date.now() + shift } })
const DAY_MS = 24 * 60 * 60 * 1000
type RefusedCall = { code?: string; requestId?: string; fields?: Record<string, string> }
type Open = Extract<SharedReport, { state: 'open' }>

let networks = 0
/** An address that nobody asked from before. */
const network = () => `2001:db8:${(++networks).toString(16)}::1`
const post = (
  path: string,
  token: string,
  { json = {}, headers = {} }: { json?: unknown; headers?: HeadersInit } = {},
) =>
  callApp(app, path, {
    method: 'POST',
    body: JSON.stringify(json),
    headers: {
      ...{ 'content-type': 'application/json', 'x-share-token': token, 'cf-connecting-ip': network() },
      ...Object.fromEntries(new Headers(headers)),
    },
  })
const open = async (token: string, proof = '') => {
  const answer = await post('/api/shared/report', token, { headers: { 'x-share-proof': proof } })
  return { status: answer.status, body: await answer.json<Open & RefusedCall>() }
}
async function tilesOf(token: string, json: object = {}, proof = ''): Promise<Map<string, TileAnswer>> {
  const answer = await post('/api/shared/tiles', token, {
    json: { page: 'page01', ...json },
    headers: { 'x-share-proof': proof },
  })
  const text = await answer.text()
  expect([answer.status, text]).toEqual([200, expect.stringMatching(/"end":true/)])
  const lines = text.trim().split('\n')
  return new Map(
    lines.slice(0, -1).map((line): [string, TileAnswer] => {
      const tile: TileAnswer = JSON.parse(line)
      return [tile.block, tile]
    }),
  )
}
const regionsOf = (tile: TileAnswer | undefined): unknown[] =>
  tile && 'content' in tile && tile.content.kind === 'chart' ? tile.content.result.rows.map(([region]) => region) : []
const sent = async <T>(who: SignedIn, path: string, json?: unknown, method = json === undefined ? 'GET' : 'POST') => {
  const answer = await who.fetch(path, { method, ...(json === undefined ? {} : { json }) })
  return { status: answer.status, body: await answer.json<T & RefusedCall>() }
}
/** What whoever has a link that opens nothing is told. */
const GONE = { status: 404, body: { code: 'not_found', message: 'Not found, or you don’t have access.' } }
async function isGone(token: string): Promise<void> {
  for (const path of ['report', 'tiles', 'values', 'document', 'passcode']) {
    const json = {
      report: {},
      tiles: { page: 'page01' },
      values: { filter: 'filter' },
      document: {},
      passcode: { passcode: 'x' },
    }
    const answer = await post(`/api/shared/${path}`, token, { json: Reflect.get(json, path) })
    const { requestId, ...body } = await answer.json<RefusedCall>()
    expect([path, answer.status, body]).toEqual([path, GONE.status, GONE.body])
    expect(requestId).toBeTruthy()
  }
}

describe('links to reports', () => {
  let at: GuardedWorkspace
  let owner: SignedIn
  let report: Report
  let made = 0
  const field = (column: `c${number}`) => ({ dataset: at.datasetId, column })
  const place = { x: 0, y: 0, w: 12, h: 8 }
  const region = (value: string) => ({ field: field('c3'), any: [{ op: 'eq', value }] })

  async function published(
    who: SignedIn,
    blocks: object[],
    filters: object[] = [],
    kind = 'interactive',
  ): Promise<Report> {
    const { body: created } = await sent<Report>(who, '/api/reports', { kind, name: `Shared ${++made}` })
    const pages = [{ id: 'page01', name: 'Page', blocks: blocks.map((one) => ({ place, ...one })) }]
    const content = { v: 1, period: { range: null, compare: 'none' }, filters, pages }
    const draft = { name: created.name, content, version: created.version }
    const { body: saved } = await sent<Report>(who, `/api/reports/${created.id}`, draft, 'PUT')
    expect(saved.fields).toBeUndefined()
    const { body, status } = await sent<Report>(who, `/api/reports/${created.id}/publish`, { version: saved.version })
    expect([status, body.code, body.fields]).toEqual([200, undefined, undefined])
    return body
  }
  const current = async ({ id }: Report): Promise<Report> => (await sent<Report>(owner, `/api/reports/${id}`)).body
  /** Publishes other blocks of a report; the status of what was asked last. */
  async function rewritten(who: SignedIn, of: Report, next: object[], filters: object[] = []): Promise<number> {
    const { name, version } = await current(of)
    const pages = [{ id: 'page01', name: 'Page', blocks: next.map((one) => ({ place, ...one })) }]
    const content = { v: 1, period: { range: null, compare: 'none' }, filters, pages }
    const saved = await sent<Report>(who, `/api/reports/${of.id}`, { name, content, version }, 'PUT')
    return (await sent(who, `/api/reports/${of.id}/publish`, { version: saved.body.version })).status
  }
  const link = (who: SignedIn, json: object = {}, { id } = report) =>
    sent<CreatedLink>(who, `/api/reports/${id}/links`, json)
  async function linked(who: SignedIn, json: object = {}, of = report): Promise<CreatedLink> {
    const { status, body } = await link(who, json, of)
    expect([status, body.code, body.fields]).toEqual([201, undefined, undefined])
    expect(body.token).toMatch(/^[0-9a-f]{40}$/)
    return body
  }
  const run = (sql: string, ...values: (string | number | null)[]) =>
    env.DB.prepare(sql)
      .bind(...values)
      .run()
  let blocks: object[] = []

  beforeAll(async () => {
    at = await guardedWorkspace(app)
    owner = at.owner
    const planOf = (column: `c${number}`) => ({
      ...{ v: 2, kind: 'aggregate', filters: [], dimensions: [{ field: field(column) }] },
      measures: [{ kind: 'column', agg: 'sum', field: field('c2') }],
    })
    const insight = async (name: string, column: `c${number}`, chart = 'table') => {
      const plan = planOf(column)
      if (chart === 'pivot') plan.dimensions.push({ field: field('c0') })
      return (await sent<{ id: string }>(owner, '/api/insights', { name, plan, viz: { chart } })).body.id
    }
    blocks = [
      { id: 'region', kind: 'insight', insight: await insight('By region', 'c3') },
      { id: 'emails', kind: 'insight', insight: await insight('By email', 'c4') },
      { id: 'crossed', kind: 'insight', insight: await insight('Region by day', 'c3', 'pivot') },
      { id: 'sayings', kind: 'text', text: 'Total' },
    ]
    report = await published(owner, blocks, [{ id: 'filter', label: 'Region', field: field('c3'), filter: null }])
  })
  beforeEach(() => {
    shift = 0
  })

  it('shows the report and counts each opening; of token and passcode nothing is kept but hashes, and nothing is logged', async () => {
    const logged = vi.spyOn(console, 'log')
    const { token, id } = await linked(owner, { name: 'For the bank' })
    expect((await open(token)).body).toMatchObject({ state: 'open', name: report.name, periodOpen: false, filters: [] })
    await open(token)
    expect(regionsOf((await tilesOf(token)).get('region'))).toEqual(expect.arrayContaining(['North', 'South']))
    const { body } = await sent<{ items: ReportLink[] }>(owner, `/api/reports/${report.id}/links`)
    expect(body.items.find((one) => one.id === id)).toMatchObject({ views: 2, state: 'live', name: 'For the bank' })
    const known = await Promise.all(
      ['report_links', 'audit', 'idempotency', 'outbox'].map(async (table) =>
        JSON.stringify((await env.DB.prepare(`SELECT * FROM ${table}`).all()).results),
      ),
    )
    await callApp(app, `/shared/${token}`)
    expect(JSON.stringify([known, body, logged.mock.calls])).not.toContain(token)
    expect(known[0]).toContain(await sha256Hex(token))
    logged.mockRestore()
  })

  it('tells nothing of the workspace but the report: no id, plan, name of a dataset, member or address', async () => {
    const { token } = await linked(owner)
    const told = JSON.stringify([(await open(token)).body, [...(await tilesOf(token)).values()]])
    for (const id of [
      owner.workspaceId,
      owner.userId,
      at.datasetId,
      at.sourceId,
      report.id,
      ...blocks.map((one) => String(Reflect.get(one, 'insight'))),
    ])
      expect(told).not.toContain(id)
    expect(told).not.toMatch(/@example\.com|Test Person|"dataVersion"|"words":"[^"]/)
    // A pivot has its totals, as the page of the workspace has them.
    expect(told).toContain('"pivot":{"rows":{')
  })

  it('opens nothing for a random token, its neighbours, a shorter one or another case (SHR-1), and refuses an address that tries', async () => {
    const { token } = await linked(owner)
    const flipped = (at_: number) =>
      token.slice(0, at_) + (parseInt(token[at_] ?? '0', 16) ^ 1).toString(16) + token.slice(at_ + 1)
    const near = [
      token.slice(0, -1),
      `${token}0`,
      token.toUpperCase().replace(/[0-9]/g, 'A'),
      `${token} `.trimEnd() + '%20',
      '',
      'undefined',
    ]
    const tokens = [...near, ...Array.from(token, (_, place_) => flipped(place_)).slice(0, LONG ? 40 : 4)]
    for (const one of tokens) expect([one, (await open(one)).status]).toEqual([one, 404])
    const random = await Promise.all(Array.from({ length: LONG ? 1000 : 20 }, () => open(systemIds.token(20))))
    expect(new Set(random.map(({ status }) => status))).toEqual(new Set([404]))
    await isGone(systemIds.token(20))
    const from = { headers: { 'cf-connecting-ip': '198.51.100.7' } }
    await spendTries('unknownLinkFromAddress', '198.51.100.7', { left: 5 })
    const statuses = await Promise.all(
      Array.from({ length: 6 }, () => post('/api/shared/report', systemIds.token(20), from)),
    )
    expect(statuses.filter(({ status }) => status === 429)).toHaveLength(1)
    expect((await open(token)).status).toBe(200)
  })

  it('opens nothing any more when it expired, was revoked, or its report was archived or deleted (SHR-2)', async () => {
    const own = await published(owner, blocks)
    const [one, other] = [await linked(owner, { days: 1 }, own), await linked(owner, {}, own)]
    shift = DAY_MS - 60_000
    expect((await open(one.token)).status).toBe(200)
    shift = DAY_MS + 60_000
    await isGone(one.token)
    shift = 0
    expect((await sent(owner, `/api/reports/${own.id}/links/${one.id}`, undefined, 'DELETE')).status).toBe(200)
    await isGone(one.token)
    expect((await sent(owner, `/api/reports/${report.id}/links/${other.id}`, undefined, 'DELETE')).status).toBe(404)
    const archived = await sent<Report>(
      owner,
      `/api/reports/${own.id}/archive`,
      { version: own.version, archived: true },
      'PUT',
    )
    await isGone(other.token)
    const back = { version: archived.body.version, archived: false }
    const { body } = await sent<Report>(owner, `/api/reports/${own.id}/archive`, back, 'PUT')
    expect((await open(other.token)).status).toBe(200)
    await sent(owner, `/api/reports/${own.id}?version=${body.version}`, undefined, 'DELETE')
    await isGone(other.token)
  })

  it('opens nothing while the workspace pays nothing or its plan has no links, and its owner revokes it all the same', async () => {
    const { token, id } = await linked(owner)
    const { results } = await env.DB.prepare(
      'SELECT state, plan_id, trial_ends_at FROM subscriptions WHERE workspace_id = ?',
    )
      .bind(owner.workspaceId)
      .all<{ state: string; plan_id: string | null; trial_ends_at: number }>()
    const set = (state: string, plan: string | null, trial: number) =>
      run(
        'UPDATE subscriptions SET state = ?, plan_id = ?, trial_ends_at = ? WHERE workspace_id = ?',
        state,
        plan,
        trial,
        owner.workspaceId,
      )
    const [was] = results
    await set('active', 'personal', 1)
    await isGone(token)
    expect((await link(owner)).body.code).toBe('plan_required')
    await set('trialing', null, 1)
    await isGone(token)
    expect((await link(owner)).body.code).toBe('read_only')
    expect((await sent(owner, `/api/reports/${report.id}/links/${id}`, undefined, 'DELETE')).status).toBe(200)
    await set(was?.state ?? '', was?.plan_id ?? null, was?.trial_ends_at ?? 0)
    await isGone(token)
  })

  it('follows what others change while nobody wrote a rule of access, and from then on only what its maker confirms', async () => {
    const [own, analyst] = [await published(owner, [{ id: 'total1', kind: 'text', text: 'First' }]), await at.join()]
    const { token, id } = await linked(owner, {}, own)
    const shown = async () => {
      const { body } = await open(token)
      return body.pages.flatMap(({ blocks: all }) => all.map((one) => (one.kind === 'text' ? one.text : one.kind)))
    }
    expect(await rewritten(analyst, own, [{ id: 'total1', kind: 'text', text: 'Second' }])).toBe(200)
    expect(await shown()).toEqual(['Second'])
    await savePolicy(owner, { rules: [onlyRegion(at.datasetId, 'North', { kind: 'member', id: analyst.userId })] })
    expect(await shown()).toEqual(['Second'])
    expect(await rewritten(analyst, own, [{ id: 'total1', kind: 'text', text: 'Third' }])).toBe(200)
    expect(await shown()).toEqual([CHANGED])
    const path = `/api/reports/${own.id}/links`
    const listed = await sent<{ items: ReportLink[] }>(owner, path)
    expect(listed.body.items).toMatchObject([{ id, changed: true }])
    expect((await sent(analyst, `${path}/${id}/content`, undefined, 'PUT')).status).toBe(403)
    expect((await sent(owner, `/api/reports/${report.id}/links/${id}/content`, undefined, 'PUT')).status).toBe(404)
    expect((await sent(owner, `${path}/${id}/content`, undefined, 'PUT')).body).toMatchObject({ changed: false })
    expect(await shown()).toEqual(['Third'])
    // Who publishes says so of their own links.
    expect(await rewritten(owner, own, [{ id: 'total1', kind: 'text', text: 'Fourth' }])).toBe(200)
    expect(await shown()).toEqual(['Fourth'])
    await savePolicy(owner, { rules: [] })
  })

  it('shows nothing that somebody who sees less put behind it: by an insight, a metric, a filter or another block', async () => {
    const analyst = await at.join()
    await savePolicy(owner, { rules: [onlyRegion(at.datasetId, 'North', { kind: 'member', id: analyst.userId })] })
    const sum = (column: `c${number}`) => ({ kind: 'column', agg: 'sum', field: field(column) })
    const planOf = (column: `c${number}`, filters: object[] = []) => ({
      ...{ v: 2, kind: 'aggregate', filters, dimensions: [{ field: field(column) }], measures: [sum('c2')] },
    })
    type Stored = { id: string; version: number }
    const add = async (path: string, json: object) => (await sent<Stored>(owner, path, json)).body
    const insight = { name: 'Shared', plan: planOf('c3', [region('North')]), viz: { chart: 'table' } }
    const metric = {
      ...{
        name: 'Shared pay',
        description: '',
        dataset: at.datasetId,
        formula: 'sum([pay])',
        filters: [region('North')],
      },
    }
    const [ofPlan, ofMetric] = [await add('/api/insights', insight), await add('/api/metrics', metric)]
    const shown = [
      { id: 'byplan', kind: 'insight', insight: ofPlan.id },
      { id: 'metric', kind: 'metric', metric: ofMetric.id, chart: 'number' },
      { id: 'intext', kind: 'text', text: 'Pay: {{metric.Shared pay}}' },
      { id: 'frozen', kind: 'insight', insight: (await add('/api/insights', { ...insight, name: 'Other' })).id },
    ]
    const filter = { id: 'filter', label: 'Region', field: field('c3'), filter: region('North') }
    const own = await published(owner, shown, [filter])
    const { token } = await linked(owner, { download: true, filters: [] }, own)
    const changed = async (): Promise<string[]> => {
      const { body } = await open(token)
      const tiles = JSON.stringify([...(await tilesOf(token)).values()])
      expect(tiles).not.toMatch(/Canary|canary|South|111111/)
      const all = body.pages.flatMap((page) => page.blocks)
      return all.flatMap((block) => (block.kind === 'text' && block.text === CHANGED ? [block.id] : []))
    }
    expect(await changed()).toEqual([])
    // The attack: who sees North alone asks for all people, in the name of the link.
    const wider = { ...insight, plan: planOf('c1'), version: ofPlan.version }
    expect((await sent(analyst, `/api/insights/${ofPlan.id}`, wider, 'PUT')).status).toBe(200)
    expect(await changed()).toEqual(['byplan'])
    const all = { ...metric, filters: [], version: ofMetric.version }
    expect((await sent(analyst, `/api/metrics/${ofMetric.id}`, all, 'PUT')).status).toBe(200)
    expect(await changed()).toEqual(['byplan', 'metric', 'intext'])
    expect(await rewritten(analyst, own, shown, [{ ...filter, filter: null }])).toBe(200)
    expect(await changed()).toEqual(['byplan', 'metric', 'intext', 'frozen'])
    const paper = await post('/api/shared/document', token)
    expect([paper.status, paper.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    expect(
      (await sent(owner, `/api/reports/${own.id}/publish`, { version: (await current(own)).version })).status,
    ).toBe(200)
    expect(JSON.stringify([...(await tilesOf(token)).values()])).toContain('Canary')
    await savePolicy(owner, { rules: [] })
  })

  it('ends for good with the role or the membership of who made it, and pauses while they are disabled (RLS-7)', async () => {
    const analyst = await at.join('analyst')
    const gone = await at.join('analyst')
    const [mine, theirs] = [await linked(analyst), await linked(gone)]
    await run('UPDATE users SET disabled_at = 1 WHERE id = ?', analyst.userId)
    await isGone(mine.token)
    await run('UPDATE users SET disabled_at = NULL WHERE id = ?', analyst.userId)
    expect((await open(mine.token)).status).toBe(200)
    for (const role of ['viewer', 'analyst'])
      await run('UPDATE members SET role = ? WHERE user_id = ?', role, analyst.userId)
    await isGone(mine.token)
    await run('DELETE FROM members WHERE user_id = ?', gone.userId)
    await isGone(theirs.token)
    await run(
      "INSERT INTO members (workspace_id, user_id, role, created_at) VALUES (?, ?, 'analyst', 1)",
      owner.workspaceId,
      gone.userId,
    )
    await isGone(theirs.token)
    const { body } = await sent<{ items: ReportLink[] }>(owner, '/api/report-links')
    expect(body.items.find(({ id }) => id === mine.id)).toMatchObject({ state: 'ended' })
  })

  it('shows what its maker saw when they made it and sees still: a rule narrows it at once, and none widens it (RLS-7)', async () => {
    const analyst = await at.join('analyst')
    const before = await linked(analyst)
    const ofNorth = onlyRegion(at.datasetId, 'North', { kind: 'member', id: analyst.userId })
    await savePolicy(owner, { rules: [{ ...ofNorth, columns: [{ key: 'c4', grant: 'hide' }] }] })
    const narrowed = await tilesOf(before.token)
    expect(regionsOf(narrowed.get('region'))).toEqual(['North'])
    expect(narrowed.get('emails')).toMatchObject({ error: { code: 'not_found', message: 'Not available.' } })
    expect(JSON.stringify([...narrowed.values()])).not.toMatch(/canary|restricted/i)
    const during = await linked(analyst)
    expect(regionsOf((await tilesOf(during.token)).get('region'))).toEqual(['North'])
    await savePolicy(owner, { rules: [onlyRegion(at.datasetId, 'South', { kind: 'member', id: analyst.userId })] })
    expect(regionsOf((await tilesOf(during.token)).get('region'))).toEqual([])
    await savePolicy(owner, { rules: [] })
    const after = await tilesOf(during.token)
    expect(regionsOf(after.get('region'))).toEqual(['North'])
    expect(after.get('emails')).toMatchObject({ error: { code: 'not_found' } })
    expect(regionsOf((await tilesOf(before.token)).get('region'))).toHaveLength(2)
  })

  it('lets viewers change what its maker left open, and nothing else (SHR-3)', async () => {
    const fixed = await linked(owner, { filters: [{ id: 'filter', filter: region('North') }] })
    expect(regionsOf((await tilesOf(fixed.token)).get('region'))).toEqual(['North'])
    expect((await open(fixed.token)).body.fixed).toEqual(['Region: North'])
    const choice = { filters: [{ id: 'filter', values: ['South'] }] }
    const period = { range: { kind: 'absolute', from: '2026-02-01', to: '2026-02-28' }, compare: 'none' }
    const asks = (token: string, json: object, path = 'tiles') =>
      post(`/api/shared/${path}`, token, { json: path === 'tiles' ? { page: 'page01', ...json } : json })
    for (const json of [
      choice,
      { filters: [{ id: 'other1', values: [] }] },
      { period },
      { page: 'page02' },
      { blocks: ['nothing'] },
    ])
      expect([json, (await asks(fixed.token, json)).status]).toEqual([json, 404])
    expect((await asks(fixed.token, { filters: [region('South')] })).status).toBe(422)
    expect((await asks(fixed.token, { filter: 'filter' }, 'values')).status).toBe(404)
    expect((await asks(fixed.token, {}, 'document')).status).toBe(404)
    const own = await linked(owner, {
      periodOpen: true,
      download: true,
      filters: [{ id: 'filter', filter: region('North'), open: true }],
    })
    expect((await open(own.token)).body).toMatchObject({
      periodOpen: true,
      filters: [{ id: 'filter', label: 'Region', values: ['North'] }],
    })
    expect(regionsOf((await tilesOf(own.token, choice)).get('region'))).toEqual(['South'])
    const values = await asks(own.token, { filter: 'filter' }, 'values')
    expect((await values.json<{ values: unknown[] }>()).values).toHaveLength(2)
    const paper = await asks(own.token, choice, 'document')
    expect([paper.status, paper.headers.get('content-type')]).toEqual([200, 'application/pdf'])
    for (const filters of [
      [{ id: 'other1' }],
      [{ id: 'filter', filter: { field: field('c1'), any: [{ op: 'eq', value: 'Ada' }] } }],
      [{ id: 'filter' }, { id: 'filter' }],
    ])
      expect((await link(owner, { filters })).status).toBe(404)
  })

  it('shows no figure that a filter of its maker does not reach', async () => {
    const { source, datasetId } = await import('../../../../test/worker/loads').then(
      ({ createLoadedSource, amountColumn }) =>
        createLoadedSource(owner, 'stock\n777001', { columns: [amountColumn(0, 'stock')], name: 'Stock' }),
    )
    expect(source.id).not.toBe(at.sourceId)
    const plan = {
      v: 2,
      kind: 'aggregate',
      filters: [],
      dimensions: [],
      measures: [{ kind: 'column', agg: 'sum', field: { dataset: datasetId, column: 'c0' } }],
    }
    const { body: insight } = await sent<{ id: string }>(owner, '/api/insights', {
      name: 'Stock',
      plan,
      viz: { chart: 'number' },
    })
    const stock = { kind: 'insight', insight: insight.id }
    const kpis = { id: 'figure', kind: 'kpis', figures: [{ subject: { kind: 'insight', id: insight.id, measure: 0 } }] }
    const own = await published(
      owner,
      [{ id: 'stocks', ...stock }, kpis, ...blocks],
      [{ id: 'filter', label: 'Region', field: field('c3') }],
    )
    const { token } = await linked(owner, { filters: [{ id: 'filter', filter: region('North') }] }, own)
    const tiles = await tilesOf(token)
    expect(JSON.stringify([...tiles.values()])).not.toContain('777001')
    expect(tiles.get('stocks')).toMatchObject({ error: { code: 'not_found' } })
    expect(regionsOf(tiles.get('region'))).toEqual(['North'])
    expect(JSON.stringify([...(await tilesOf((await linked(owner, {}, own)).token)).values()])).toContain('777001')
  })

  it('tells values of an open filter within those that the report itself sets, a filter by its own name, and of an edition what is said', async () => {
    const filters = [
      { id: 'region1', label: 'Region', field: field('c3'), filter: region('North') },
      { id: 'mail01', label: 'Contact', field: field('c4'), filter: null },
    ]
    const plan = {
      ...{ v: 2, kind: 'aggregate', filters: [], dimensions: [] },
      measures: [{ kind: 'column', agg: 'sum', field: field('c2') }],
    }
    const total = await sent<{ id: string }>(owner, '/api/insights', { name: 'All', plan, viz: { chart: 'number' } })
    const subject = { kind: 'insight', id: total.body.id, measure: 0 }
    const says = { ...{ of: 'value', against: 'previous', op: 'gt', value: 0 }, then: 'Said', otherwise: 'Unsaid' }
    const shown = [...blocks, { id: 'saying1', kind: 'observation', subject, ...says }]
    const own = await published(owner, shown, filters)
    const { token } = await linked(owner, { download: true, filters: [{ id: 'mail01', open: true }] }, own)
    const answer = await post('/api/shared/values', token, { json: { filter: 'mail01' } })
    const { values } = await answer.json<{ values: { value: string }[] }>()
    expect(values.map(({ value }) => value).toSorted()).toEqual(['ada@canary.example', 'bo@canary.example'])
    const pack = await published(owner, shown, [], 'legacy')
    const frozen = { publication: pack.publication, note: '', audience: 'everyone' }
    expect((await sent(owner, `/api/reports/${pack.id}/editions`, frozen)).status).toBe(201)
    const { body } = await open((await linked(owner, { edition: 1 }, pack)).token)
    expect(body.edition?.answers.find(({ block }) => block === 'saying1')).toMatchObject({
      content: { sentence: 'Said' },
    })
    expect(JSON.stringify(body)).not.toContain('Unsaid')
  })

  it('tells of a statement its lines, not what else the books hold', () => {
    const secret = 'secret'
    const account = { account: secret, name: secret, values: ['1'] }
    const row = { key: 'sales', label: { en: 'Sales', sv: 'Omsättning' }, level: 0, style: 'line', format: 'money' }
    const how = { kind: 'accounts', ranges: secret, of: 'change', flipped: true }
    const statement: Statement = JSON.parse(
      JSON.stringify({
        ...{ source: { id: secret, name: secret }, kind: 'income', view: 'ytd', through: '2026-03', decimals: 2 },
        ...{ company: { id: null, name: 'Firm', currency: 'SEK' }, companies: [{ id: secret, name: secret }] },
        ...{ year: { name: '2026' }, years: [{ name: secret }], months: {}, columns: [{ key: 'a', object: 'shown' }] },
        rows: [{ ...row, values: ['1'], accounts: [account], how }],
        ...{ notices: [{ kind: 'unclassified', accounts: [secret] }], has: {}, dimensions: [{ name: secret }] },
        ...{ objects: [{ key: secret }, { key: 'shown' }], entries: { dataset: secret }, accountNames: { v: secret } },
      }),
    )
    const told = (accounts: boolean) =>
      JSON.stringify(outsideAnswer({ block: 'a', content: { kind: 'statement', statement, language: 'en', accounts } }))
    expect(told(false)).toMatch(/Sales.*shown/s)
    expect(told(false)).not.toContain(secret)
    expect(told(true).split(secret)).toHaveLength(3)
  })

  it('asks for its passcode, tells nothing before it, and gives up after ten wrong ones (SHR-2)', async () => {
    const { token, id } = await linked(owner, { passcode: 'vårens siffror' })
    const { token: other } = await linked(owner, { passcode: 'vårens siffror' })
    expect(await open(token)).toEqual({ status: 200, body: { state: 'passcode' } })
    expect((await post('/api/shared/tiles', token, { json: { page: 'page01' } })).status).toBe(401)
    const tries = (passcode: string, of = token) => post('/api/shared/passcode', of, { json: { passcode } })
    const right = await tries('vårens siffror'.normalize('NFD'))
    const { proof } = await right.json<{ proof: string }>()
    expect((await open(token, proof)).body.state).toBe('open')
    expect((await tilesOf(token, {}, proof)).size).toBeGreaterThan(1)
    expect((await open(other, proof)).body.state).toBe('passcode')
    expect(
      (
        await open(
          token,
          proof.replace(/.$/, (end) => (end === '0' ? '1' : '0')),
        )
      ).body.state,
    ).toBe('passcode')
    for (let n = 0; n < 10; n += 1) expect((await tries(`wrong ${n}`)).status).toBe(422)
    const locked = await tries('vårens siffror')
    expect([locked.status, (await locked.json<RefusedCall>()).code]).toEqual([404, 'not_found'])
    expect((await tries('vårens siffror', other)).status).toBe(200)
    expect((await open(token, proof)).body.state).toBe('open')
    shift = 13 * 60 * 60 * 1000
    expect((await open(token, proof)).body.state).toBe('passcode')
    const { body } = await sent<{ items: ReportLink[] }>(owner, `/api/reports/${report.id}/links`)
    expect(body.items.find((one) => one.id === id)).toMatchObject({ passcode: true, views: 2 })
  })

  it('opens nothing else: the token is nobody’s session, and calls without it are as nobody’s', async () => {
    const { token } = await linked(owner)
    const headers = {
      'x-share-token': token,
      'x-share-proof': token,
      authorization: `Bearer ${token}`,
      cookie: `insikt_session=${token}`,
    }
    const others = routeTable(app).filter(
      ({ path, guards }) => /^\/(api|files)\//.test(path) && guards.every(({ kind }) => kind !== 'open'),
    )
    expect(others.length).toBeGreaterThan(150)
    for (const { path } of others.filter(({ method: one }) => one === 'GET')) {
      const answer = await callApp(app, callablePath(path, report.id), { headers })
      expect([path, [401, 404].includes(answer.status)]).toEqual([path, true])
    }
  })

  it('answers with no cache, no referrer and no index, and is shown by no site but those of the link (SHR-4, HDR-1)', async () => {
    const { token } = await linked(owner, { origins: ['https://Intranet.Example.com/', 'https://a.example:8443'] })
    const { token: unframed } = await linked(owner)
    const held = {
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    }
    const page = (path: string) => callApp(app, path)
    const ancestors = (answer: Response) =>
      /frame-ancestors ([^;]*)/.exec(answer.headers.get('content-security-policy') ?? '')?.[1]
    for (const [path, framed] of [
      [`/shared/${token}`, false],
      [`/embed/${unframed}`, false],
      [`/embed/${systemIds.token(20)}`, false],
      [`/embed/${token}`, true],
    ] as const) {
      const answer = await page(path)
      expect([path.slice(0, 8), answer.status, ancestors(answer)]).toEqual([
        path.slice(0, 8),
        200,
        framed ? 'https://intranet.example.com https://a.example:8443' : "'none'",
      ])
      expect(Object.fromEntries(answer.headers), path).toMatchObject(held)
      expect(answer.headers.get('x-frame-options')).toBe(framed ? null : 'DENY')
      expect(answer.headers.get('set-cookie')).toBeNull()
      expect(await answer.text()).not.toContain(report.name)
    }
    expect(Object.fromEntries((await post('/api/shared/report', token)).headers)).toMatchObject({
      ...held,
      'x-frame-options': 'DENY',
    })
    for (const origins of [
      ['http://a.example'],
      ['https://*.a.example'],
      ['https://a.example/page'],
      ['https://a.example; script-src *'],
      ["'self'"],
      Array.from({ length: 11 }, (_, n) => `https://a${n}.example`),
    ])
      expect([origins[0], (await link(owner, { origins })).status]).toEqual([origins[0], 422])
  })

  it('takes no more links than a report may have, however many are asked for at once', async () => {
    const own = await published(owner, blocks)
    const answers = await Promise.all(Array.from({ length: 50 }, () => link(owner, {}, own)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(LINKS_PER_REPORT_MAX)
    expect(new Set(answers.flatMap(({ status, body }) => (status === 201 ? [] : [body.code])))).toEqual(
      new Set(['limit_reached']),
    )
    const [first] = answers.flatMap(({ body }) => (body.token === undefined ? [] : [body]))
    await sent(owner, `/api/reports/${own.id}/links/${first?.id}`, undefined, 'DELETE')
    expect((await link(owner, {}, own)).status).toBe(201)
  })

  it('shows an edition only as far as its maker may open it', async () => {
    const analyst = await at.join('analyst')
    const pack = await published(owner, blocks, [], 'legacy')
    const freeze = (audience: string) =>
      sent<{ n: number }>(owner, `/api/reports/${pack.id}/editions`, {
        publication: pack.publication,
        note: 'Corrected',
        audience,
      })
    expect((await freeze('sameRights')).status).toBe(201)
    const whole = await linked(analyst, { edition: 1 }, pack)
    const { body } = await open(whole.token)
    expect(body.edition?.answers.map(({ block }) => block)).toEqual(expect.arrayContaining(['region', 'emails']))
    expect(JSON.stringify(body)).not.toMatch(/Test Person|ds_[^"]*"dataVersion/)
    expect((await post('/api/shared/tiles', whole.token, { json: { page: 'page01' } })).status).toBe(404)
    await savePolicy(owner, { rules: [onlyRegion(at.datasetId, 'North', { kind: 'member', id: analyst.userId })] })
    expect((await open(whole.token)).status).toBe(404)
    expect((await link(analyst, { edition: 1 }, pack)).status).toBe(404)
    expect((await freeze('everyone')).status).toBe(201)
    expect((await open((await linked(analyst, { edition: 2 }, pack)).token)).status).toBe(200)
    expect((await link(owner, {}, pack)).status).toBe(422)
    expect((await link(owner, { edition: 1, periodOpen: true }, pack)).status).toBe(404)
    await savePolicy(owner, { rules: [] })
  })

  it('is made by who may share, and revoked by its maker and by those who make rules', async () => {
    const [viewer, analyst, other] = [await at.join('viewer'), await at.join('analyst'), await at.join('analyst')]
    expect([(await link(viewer)).status, (await sent(viewer, '/api/report-links')).status]).toEqual([403, 403])
    const { id, token } = await linked(analyst)
    const revoke = (who: SignedIn) =>
      sent<ReportLink>(who, `/api/reports/${report.id}/links/${id}`, undefined, 'DELETE')
    expect((await revoke(other)).status).toBe(403)
    expect((await revoke(owner)).body.state).toBe('ended')
    await isGone(token)
    expect((await link(owner, { days: 91 })).status).toBe(422)
    expect((await link(owner, { days: 0 })).status).toBe(422)
  })
})
