import { readXlsx } from 'hucre/xlsx'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  guardedWorkspace,
  onlyRegion,
  savePolicy,
  type GuardedWorkspace,
} from '../../../test/worker/access/guarded-workspace'
import type { SignedIn } from '../../../test/worker/factories'
import { aJpeg, aPng, aWebp } from '../../../test/worker/pictures'
import { createApp } from '../../app'
import type { Insight } from '../../shared/insights'
import type { Edition, ReportDocument } from '../../shared/reports/editions'
import type { Report } from '../../shared/reports/reports'

const app = createApp()
type Answered<T> = T & { code?: string }

async function sent<T>(who: SignedIn, path: string, json?: unknown, method = json === undefined ? 'GET' : 'POST') {
  const answer = await who.fetch(path, { method, ...(json === undefined ? {} : { json }) })
  return { status: answer.status, body: await answer.json<Answered<T>>() }
}

const place = { x: 0, y: 0, w: 12, h: 8 }
let made = 0
/** A published report of one page. */
async function published(who: SignedIn, blocks: object[], filters: object[] = []): Promise<Report> {
  const { body: report } = await sent<Report>(who, '/api/reports', { kind: 'legacy', name: `Attacked ${++made}` })
  const pages = [{ id: 'page01', name: 'Page', blocks: blocks.map((one) => ({ place, ...one })) }]
  const content = { v: 1, period: { range: null, compare: 'none' }, filters, pages }
  const draft = { name: report.name, content, version: report.version }
  const { body: saved } = await sent<Report>(who, `/api/reports/${report.id}`, draft, 'PUT')
  const { body, status } = await sent<Report>(who, `/api/reports/${report.id}/publish`, { version: saved.version })
  expect([status, body.code, JSON.stringify([body, saved].map((one) => ('fields' in one ? one : '')))]).toEqual([
    200,
    undefined,
    '["",""]',
  ])
  return body
}
const freeze = (who: SignedIn, { id, publication }: Report, more: object = {}) =>
  sent<Edition>(who, `/api/reports/${id}/editions`, { publication, ...more })
const exported = (who: SignedIn, { id }: Report, format: 'pdf' | 'xlsx') =>
  who.fetch(`/api/reports/${id}/export`, { method: 'POST', json: { format } })

describe('reports under attack', () => {
  let at: GuardedWorkspace
  let owner: SignedIn
  let analyst: SignedIn
  let insight: Insight
  const field = (column: `c${number}`) => ({ dataset: at.datasetId, column })
  const block = () => ({ id: 'pay001', kind: 'insight', insight: insight.id })
  beforeAll(async () => {
    at = await guardedWorkspace(app)
    owner = at.owner
    analyst = await at.join('analyst')
    const plan = {
      ...{ v: 2, kind: 'aggregate', filters: [], dimensions: [{ field: field('c3') }] },
      measures: [{ kind: 'column', agg: 'sum', field: field('c2') }],
    }
    insight = (await sent<Insight>(owner, '/api/insights', { name: 'Pay', plan, viz: { chart: 'table' } })).body
    const metric = { name: 'Canary metric', dataset: at.datasetId, formula: 'count([email])' }
    expect((await sent(owner, '/api/metrics', metric)).status).toBe(201)
    await savePolicy(owner, {
      rules: [
        {
          ...onlyRegion(at.datasetId, 'North', { kind: 'member', id: analyst.userId }),
          columns: [
            { key: 'c4', grant: 'hide' },
            { key: 'c1', grant: 'lastFour' },
          ],
        },
      ],
    })
  })

  it('no edition that somebody publishes holds the names of what is hidden from them', async () => {
    const text = { id: 'text01', kind: 'text', text: 'Mails: {{metric.Canary metric}}' }
    const report = await published(owner, [block(), text])
    const frozen = await freeze(analyst, report)
    expect(JSON.stringify(frozen.body)).not.toMatch(/canary/i)
    const { body } = await sent<{ document: ReportDocument }>(analyst, `/api/reports/${report.id}/editions/1`)
    expect(JSON.stringify(body)).not.toMatch(/canary/i)
    expect(frozen.status).toBe(422)
  })

  it('an edition is of the rows that the report’s own filters let through', async () => {
    const filter = { field: field('c3'), any: [{ op: 'eq', value: 'North' }] }
    const report = await published(owner, [block()], [{ id: 'filter', label: 'Region', field: field('c3'), filter }])
    expect((await freeze(owner, report)).status).toBe(201)
    const { body } = await sent<{ document: ReportDocument }>(owner, `/api/reports/${report.id}/editions/1`)
    expect(JSON.stringify(body.document)).not.toContain('111111')
    expect(body.document.filters).toEqual(['region: North'])
  })

  it('what asks for values of a column does not exist for those from whom it is masked', async () => {
    const filters = [{ field: field('c1'), any: [{ op: 'eq', value: 'Cleo Canary' }] }]
    const plan = { ...insight.plan, filters }
    const made = await sent<Insight>(owner, '/api/insights', { name: 'One of them', plan, viz: { chart: 'table' } })
    const metric = { name: 'Hers', dataset: at.datasetId, formula: 'sum([pay])', filters }
    const named = await sent<{ id: string }>(owner, '/api/metrics', metric)
    expect([made.status, named.status]).toEqual([201, 201])
    const report = await published(owner, [
      { id: 'pay001', kind: 'insight', insight: made.body.id },
      { id: 'pay002', kind: 'metric', metric: named.body.id },
    ])
    const asked = { of: 'published', page: 'page01', filters: [] }
    const tiles = await analyst.fetch(`/api/reports/${report.id}/tiles`, { method: 'POST', json: asked })
    const lists = ['/api/insights', '/api/metrics', `/api/insights/${made.body.id}`, `/api/metrics/${named.body.id}`]
    const answers = await Promise.all(lists.map((path) => analyst.fetch(path)))
    for (const answer of [tiles, ...answers]) expect(await answer.text()).not.toMatch(/cleo canary/i)
    expect((await sent(owner, `/api/insights/${made.body.id}`)).status).toBe(200)
  })

  it('a filter of a report does not tell values of a column that is masked from the reader', async () => {
    const filter = { field: field('c1'), any: [{ op: 'eq', value: 'Cleo Canary' }] }
    const report = await published(owner, [block()], [{ id: 'filter', label: 'Who', field: field('c1'), filter }])
    const { body } = await sent<Report>(analyst, `/api/reports/${report.id}`)
    expect(JSON.stringify(body)).not.toMatch(/canary/i)
    expect(body.published?.filters).toMatchObject([{ label: 'Who', filter: null }])
  })

  const sendPicture = (report: Report, bytes: Uint8Array<ArrayBuffer>) =>
    owner.fetch(`/files/reports/${report.id}/pictures?w=${owner.workspaceId}`, { method: 'POST', body: bytes })

  it('a picture that no paper can show is refused', async () => {
    expect((await sendPicture(await published(owner, [block()]), aWebp())).status).toBe(422)
  })

  it.each([
    ['a broken PNG', aPng()],
    ['a PNG of more pixels than a paper holds', aPng(4096, 4096)],
    ['a broken JPEG', aJpeg()],
  ])('a paper is written whatever its pictures are: %s', async (_name, bytes) => {
    const answer = await sendPicture(await published(owner, [block()]), bytes)
    expect(answer.status).toBe(201)
    const { picture } = await answer.json<{ picture: string }>()
    const shown = await published(owner, [block(), { id: 'image1', kind: 'image', picture }])
    const paper = await exported(owner, shown, 'pdf')
    expect([paper.status, (await paper.arrayBuffer()).byteLength > 1_000]).toEqual([200, true])
  })

  it('names that mean something to the language are plain names: of metrics in texts, blocks, filters and files (POLL-1)', async () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__']
    for (const name of names.slice(0, 3)) {
      const metric = { name, dataset: at.datasetId, formula: 'sum([pay])' }
      expect((await sent(owner, '/api/metrics', metric)).status).toBe(201)
    }
    const tokens = names.slice(0, 3).map((name) => `{{metric.${name}|this_year|full}}`)
    const text = { id: 'constructor', kind: 'text', text: tokens.join(' ') }
    const filters = [{ id: 'filter', label: '__proto__', field: field('c3'), filter: null }]
    const report = await published(owner, [text, { ...block(), title: '__proto__' }], filters)
    const asked = { of: 'published', page: 'page01', filters: [], sources: [] }
    const lines = (
      await (await owner.fetch(`/api/reports/${report.id}/tiles`, { method: 'POST', json: asked })).text()
    ).trim()
    const told = lines.split('\n').map((line): { block?: string; content?: { tokens?: object } } => JSON.parse(line))
    const found = told.find((tile) => tile.block === 'constructor')?.content?.tokens ?? {}
    expect(Object.keys(found).toSorted()).toEqual(tokens.toSorted())
    expect(JSON.stringify(Object.values(found).map((token: object) => Object.keys(token)))).toBe(
      JSON.stringify(tokens.map(() => ['figure'])),
    )
    for (const format of ['pdf', 'xlsx'] as const) expect((await exported(owner, report, format)).status).toBe(200)
    expect((await freeze(owner, report)).status).toBe(201)
    // Parts of a token that are properties of every object are no periods and no formats.
    const unknown = [...names.map((name) => `{{metric.Pay|${name}}}`), ...names.map((name) => `{{${name}}}`)]
    const { body: other } = await sent<Report>(owner, '/api/reports', { kind: 'interactive', name: 'Polluted' })
    const pages = [{ id: 'page01', name: '__proto__', blocks: [{ place, ...text, text: unknown.join(' ') }] }]
    const draft = { name: '__proto__', content: { ...other.draft, pages }, version: other.version }
    const { body: saved } = await sent<Report>(owner, `/api/reports/${other.id}`, draft, 'PUT')
    const refused = await sent<{ problems: object[] }>(owner, `/api/reports/${other.id}/publish`, {
      version: saved.version,
    })
    expect([refused.status, refused.body.problems.length]).toEqual([422, unknown.length])
    // A body with such keys is refused, or is as if it had none.
    const raw = `{"of":"published","page":"page01","filters":[],"sources":[],"__proto__":{"polluted":1}}`
    const sneaked = await owner.fetch(`/api/reports/${report.id}/tiles`, {
      method: 'POST',
      body: raw,
      headers: { 'content-type': 'application/json' },
    })
    expect([200, 422]).toContain(sneaked.status)
    await sneaked.text()
    const plain: Record<string, unknown> = {}
    expect([plain['polluted'], plain['x'], Object.keys(plain).length]).toEqual([undefined, undefined, 0])
  })

  it('names of sheets are each other’s own, however they are written', async () => {
    const odd = [`A\u0001`, 'A', `${'x'.repeat(30)}'tail`, '\u0002', `${'y'.repeat(30)}🙂`, 'History', '=1+1']
    const titled = odd.map((title, n) => ({ id: `block0${n}`, kind: 'insight', insight: insight.id, title }))
    const answer = await exported(owner, await published(owner, titled), 'xlsx')
    const { sheets } = await readXlsx(new Uint8Array(await answer.arrayBuffer()))
    const names = sheets.map(({ name }) => name.toLowerCase())
    expect(new Set(names).size).toBe(names.length)
    expect(names.filter((name) => name === '' || /^'|'$|^history$|\ufffd/.test(name))).toEqual([])
  })

  it.each([
    '\u0000\u0007\u001b[31m',
    'שלום עולם مرحبا',
    '👩‍👩‍👧‍👦'.repeat(200),
    'W'.repeat(8_000),
    'a\n'.repeat(3_900),
    '\ud800',
  ])('a paper takes any text', async (text) => {
    const report = await published(owner, [{ id: 'text01', kind: 'text', text }])
    expect((await exported(owner, report, 'pdf')).status).toBe(200)
    expect((await exported(owner, report, 'xlsx')).status).toBe(200)
  })
})
