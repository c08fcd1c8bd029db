import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { readXlsx } from 'hucre/xlsx'
import { extractText, getDocumentProxy } from 'unpdf'
import { beforeAll, describe, expect, it } from 'vitest'
import { seedOf } from '../../../test/seed'
import {
  GUARDED_COLUMNS,
  guardedWorkspace,
  onlyRegion,
  putPolicy,
  savePolicy,
  type GuardedWorkspace,
} from '../../../test/worker/access/guarded-workspace'
import { otherWorkspace, signedIn, type SignedIn } from '../../../test/worker/factories'
import { createLedger, loadFileInto, sameColumns } from '../../../test/worker/loads'
import { depsAt } from '../../../test/worker/deps'
import { createApp } from '../../app'
import { sweepReports } from '../../features/reports/service'
import { editionDifferences } from '../../features/reports/editions/differences'
import type { ListPage } from '../../shared/field-schemas'
import type { Insight } from '../../shared/insights'
import type { Dataset } from '../../shared/data-sources/data-sources'
import type { Workspace } from '../../shared/workspaces/workspaces'
import type { Edition, EditionDifference, PublishEditionInput, ReportDocument } from '../../shared/reports/editions'
import type { Report } from '../../shared/reports/reports'
import { statementFigure } from '../../shared/statements/words'

const LONG = env['LONG'] === '1'
const app = createApp()
type Answered<T> = T & { code?: string; fields?: Record<string, string> }
type OpenedEdition = { edition: Edition; document: ReportDocument }

async function sent<T>(who: SignedIn, path: string, json?: unknown, method = json === undefined ? 'GET' : 'POST') {
  const answer = await who.fetch(path, { method, ...(json === undefined ? {} : { json }) })
  return { status: answer.status, body: await answer.json<Answered<T>>() }
}

const page = (blocks: object[]) => [
  {
    id: 'page01',
    name: 'Page',
    blocks: blocks.map((one, at) => ({ place: { x: 0, y: at * 8, w: 12, h: 8 }, ...one })),
  },
]
let made = 0
/** A published report of one page. */
async function published(who: SignedIn, blocks: object[]): Promise<Report> {
  const { body: report } = await sent<Report>(who, '/api/reports', { kind: 'legacy', name: `Pack ${++made}` })
  const content = { v: 1, period: { range: null, compare: 'none' }, filters: [], pages: page(blocks) }
  const draft = { name: report.name, content, version: report.version }
  const { body: saved } = await sent<Report>(who, `/api/reports/${report.id}`, draft, 'PUT')
  const { body, status } = await sent<Report>(who, `/api/reports/${report.id}/publish`, { version: saved.version })
  expect([status, body.code]).toEqual([200, undefined])
  return body
}
const freeze = (who: SignedIn, { id, publication }: Report, input: Partial<PublishEditionInput> = {}) =>
  sent<Edition>(who, `/api/reports/${id}/editions`, { publication, ...input })
type Described = Pick<Dataset, 'version' | 'columns'>
const described = ({ version, columns }: Described) => ({
  version,
  columns: columns.map(({ key, label, role, format, hidden }) => ({ key, label, role, format, hidden })),
})
const opened = (who: SignedIn, { id }: Report, n: number) =>
  sent<OpenedEdition>(who, `/api/reports/${id}/editions/${n}`)

describe('editions of a report', () => {
  let workspace: GuardedWorkspace
  let owner: SignedIn
  let insight: Insight
  const block = () => ({ id: 'pay001', kind: 'insight', insight: insight.id })
  beforeAll(async () => {
    workspace = await guardedWorkspace(app)
    owner = workspace.owner
    const field = (column: 'c2' | 'c3') => ({ dataset: workspace.datasetId, column })
    const plan = {
      ...{ v: 2, kind: 'aggregate', filters: [], totals: true },
      measures: [{ kind: 'column', agg: 'sum', field: field('c2') }],
      dimensions: [{ field: field('c3') }],
    }
    insight = (await sent<Insight>(owner, '/api/insights', { name: 'Pay by region', plan, viz: { chart: 'table' } }))
      .body
  })

  it('keep their figures whatever happens to the data, and are the next number with a note when they correct', async () => {
    const report = await published(owner, [block()])
    const first = await freeze(owner, report)
    expect(first).toMatchObject({ status: 201, body: { n: 1, publishedBy: owner.userId, signatures: [] } })
    const before = await opened(owner, report, 1)
    expect(JSON.stringify(before.body.document)).toContain('111111.1')
    // The rows are others now, and the insight is gone.
    const dataset = `/api/datasets/${workspace.datasetId}`
    const renamed = { ...described((await sent<Described>(owner, dataset)).body), name: 'Renamed' }
    expect((await sent(owner, dataset, renamed, 'PUT')).status).toBe(200)
    await env.DB.prepare('UPDATE insights SET deleted_at = 1 WHERE id = ?').bind(insight.id).run()
    expect((await opened(owner, report, 1)).body).toEqual(before.body)
    // A hole is no edition; what is there again is.
    expect((await freeze(owner, report, { note: 'Again' })).body.code).toBe('invalid_input')
    await env.DB.prepare('UPDATE insights SET deleted_at = NULL WHERE id = ?').bind(insight.id).run()
    expect((await freeze(owner, report)).body.fields).toHaveProperty('note')
    expect((await freeze(owner, report, { note: 'Corrected' })).body).toMatchObject({ n: 2, note: 'Corrected' })
    const { items } = (await sent<ListPage<Edition>>(owner, `/api/reports/${report.id}/editions`)).body
    expect(items.map(({ n }) => n)).toEqual([2, 1])
    const same = await sent<ListPage<EditionDifference>>(
      owner,
      `/api/reports/${report.id}/editions/2/differences?with=1`,
    )
    expect(same.body.items).toEqual([])
  })

  it('are refused when the report was published again meanwhile, and once when two are published at once', async () => {
    const report = await published(owner, [block()])
    expect((await freeze(owner, { ...report, publication: 7 })).body.code).toBe('version_conflict')
    const both = await Promise.all([freeze(owner, report, { note: 'a' }), freeze(owner, report, { note: 'b' })])
    const numbers = both.filter(({ status }) => status === 201).map(({ body }) => body.n)
    expect(numbers).toEqual([...new Set(numbers)])
    const { objects } = await env.FILES.list({ prefix: `editions/${owner.workspaceId}/` })
    const rows = await env.DB.prepare('SELECT count(*) AS n FROM report_editions WHERE workspace_id = ?')
      .bind(owner.workspaceId)
      .first<number>('n')
    expect(objects).toHaveLength(rows ?? -1)
  })

  it('are not opened when the stored figures are not those that were published', async () => {
    const report = await published(owner, [block()])
    const { body } = await freeze(owner, report)
    const key = `editions/${owner.workspaceId}/${body.id}.json`
    const text = (await (await env.FILES.get(key))?.text()) ?? ''
    await env.FILES.put(key, text.replaceAll('111111.1', '111111.2'))
    expect((await opened(owner, report, 1)).status).toBe(500)
    await env.FILES.put(key, text)
    expect((await opened(owner, report, 1)).status).toBe(200)
  })

  it('are signed once by each who stands by them', async () => {
    const report = await published(owner, [block()])
    await freeze(owner, report, { audience: 'everyone' })
    const viewer = await workspace.join('viewer')
    const sign = (who: SignedIn) => who.fetch(`/api/reports/${report.id}/editions/1/sign`, { method: 'POST' })
    for (const who of [owner, viewer, owner]) expect((await sign(who)).status).toBe(200)
    const { edition } = (await opened(owner, report, 1)).body
    expect(edition.signatures.map(({ userId }) => userId)).toEqual([owner.userId, viewer.userId])
  })

  it('are not there for strangers, and files hold every figure', async () => {
    const report = await published(owner, [block()])
    await freeze(owner, report)
    const stranger = await otherWorkspace()
    const paths = ['', '/1', '/1/differences?with=1'].map((end) => `/api/reports/${report.id}/editions${end}`)
    for (const path of [...paths, `/files/reports/${report.id}/editions/1`])
      expect((await stranger.fetch(path)).status).toBe(404)
    expect((await opened(owner, report, 9)).status).toBe(404)
    const pdf = await owner.fetch(`/files/reports/${report.id}/editions/1?format=pdf`)
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(await pdf.arrayBuffer())))
    expect(text.join(' ').replaceAll(/\s/g, ' ')).toContain('111 111,10')
    const xlsx = await owner.fetch(`/api/reports/${report.id}/export`, { method: 'POST', json: { format: 'xlsx' } })
    const book = await readXlsx(new Uint8Array(await xlsx.arrayBuffer()))
    expect(book.sheets.map(({ name }) => name)).toEqual(['About', 'Pay by region'])
    expect(book.sheets[1]?.rows).toContainEqual(['South', 111_111.1])
  })

  it('are for those who see the same of the data, unless they are released to everyone', async () => {
    const report = await published(owner, [block()])
    await freeze(owner, report)
    const reader = await workspace.join('viewer')
    expect((await opened(reader, report, 1)).status).toBe(200)
    await savePolicy(owner, {
      rules: [onlyRegion(workspace.datasetId, 'North', { kind: 'member', id: reader.userId })],
    })
    const closed = await opened(reader, report, 1)
    expect([closed.status, JSON.stringify(closed.body)]).toEqual([404, expect.not.stringContaining('111111')])
    const file = await reader.fetch(`/files/reports/${report.id}/editions/1?format=xlsx`)
    expect(file.status).toBe(404)
    const list = await sent<ListPage<Edition>>(reader, `/api/reports/${report.id}/editions`)
    expect(list.body.items).toEqual([])
    // The report as it is now has the reader's own rows only.
    const own = await reader.fetch(`/api/reports/${report.id}/export`, { method: 'POST', json: { format: 'xlsx' } })
    const book = await readXlsx(new Uint8Array(await own.arrayBuffer()))
    expect(book.sheets[1]?.rows.flat()).not.toContain(111_111.1)
    await freeze(owner, report, { audience: 'everyone', note: 'Released' })
    expect((await opened(reader, report, 2)).status).toBe(200)
    await savePolicy(owner, { rules: [] })
  })
})

type Change = { kind: 'reload' | 'rename' | 'rules' | 'settings' | 'remove' | 'restore' | 'insight'; n: number }
const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Change['kind'][]>('reload', 'rename', 'rules', 'settings', 'remove', 'restore', 'insight'),
    n: fc.nat(1_000),
  }),
  { minLength: 4, maxLength: LONG ? 14 : 7 },
)
/** Changes what an edition was made of. */
async function change(at: GuardedWorkspace, insight: Insight, { kind, n }: Change): Promise<number> {
  const { owner, datasetId, sourceId } = at
  const put = async (path: string, json: object): Promise<number> => (await sent(owner, path, json, 'PUT')).status
  switch (kind) {
    case 'reload': {
      const lines = ['day,person,pay,region,email', `2026-01-0${(n % 8) + 1},New,${n}.25,North,new@example.com`]
      const input = { text: lines.join('\n'), columns: GUARDED_COLUMNS, mapping: sameColumns(GUARDED_COLUMNS) }
      return loadFileInto(owner, datasetId, input).then(
        () => 201,
        () => 404,
      )
    }
    case 'rename': {
      const path = `/api/datasets/${datasetId}`
      return put(path, { ...described((await sent<Described>(owner, path)).body), name: `Renamed ${n}` })
    }
    case 'rules': {
      const rule = onlyRegion(datasetId, 'North', { kind: 'role', role: 'viewer' })
      return (await putPolicy(owner, { rules: n % 2 ? [] : [rule] })).status
    }
    case 'settings': {
      const { id: _id, logo: _logo, ...settings } = (await sent<Workspace>(owner, '/api/workspace')).body
      const currency = n % 2 ? 'EUR' : 'SEK'
      return put('/api/workspace', { ...settings, currency, fiscalYearStart: (n % 12) + 1, numberLocale: 'en-GB' })
    }
    case 'remove': {
      const { version } = (await sent<{ version: number }>(owner, `/api/data-sources/${sourceId}`)).body
      return (await owner.fetch(`/api/data-sources/${sourceId}?version=${version}&force=1`, { method: 'DELETE' }))
        .status
    }
    case 'restore':
      return (await owner.fetch(`/api/data-sources/${sourceId}/restore`, { method: 'POST' })).status
    case 'insight': {
      const { id: _id, ...rest } = (await sent<Insight>(owner, `/api/insights/${insight.id}`)).body
      const plan = {
        ...insight.plan,
        filters: n % 2 ? [] : [{ field: { dataset: datasetId, column: 'c3' }, any: [{ op: 'eq', value: 'North' }] }],
      }
      return put(`/api/insights/${insight.id}`, {
        name: `Insight ${n}`,
        plan,
        viz: { chart: 'table' },
        version: rest.version,
      })
    }
  }
}

it('an edition is the same to the letter whatever happens to what it was made of', async () => {
  let done = 0
  await fc.assert(
    fc.asyncProperty(changes, async (all) => {
      const at = await guardedWorkspace(app, 'Pay to keep')
      const { owner, datasetId } = at
      const field = (column: 'c2' | 'c3' | 'c0') => ({ dataset: datasetId, column })
      const plan = {
        ...{ v: 2, kind: 'aggregate', filters: [], measures: [{ kind: 'column', agg: 'sum', field: field('c2') }] },
        dimensions: [{ field: field('c3') }, { field: field('c0'), grain: 'month' }],
      }
      const { body } = await sent<Insight>(owner, '/api/insights', { name: 'Pay', plan, viz: { chart: 'pivot' } })
      const report = await published(owner, [{ id: 'pay001', kind: 'insight', insight: body.id }])
      expect((await freeze(owner, report, { audience: 'everyone' })).status).toBe(201)
      const before = (await opened(owner, report, 1)).body
      const figures = async () => {
        const answer = await owner.fetch(`/files/reports/${report.id}/editions/1?format=xlsx`)
        return (await readXlsx(new Uint8Array(await answer.arrayBuffer()))).sheets.map(({ rows }) => rows)
      }
      const written = await figures()
      expect(JSON.stringify(written)).toContain('111111.1')
      for (const one of all) {
        if ((await change(at, body, one)) < 300) done += 1
        expect((await opened(owner, report, 1)).body).toEqual(before)
      }
      expect(await figures()).toEqual(written)
    }),
    { numRuns: LONG ? 60 : 3, seed: seedOf(LONG) },
  )
  // Most of what was tried did happen.
  expect(done).toBeGreaterThan(6)
})

describe('what an edition may not', () => {
  it('is not released to everyone by those who make no rules, and goes with its report 30 days after', async () => {
    const { owner, datasetId, join } = await guardedWorkspace(app, 'Pay of others')
    const measures = [{ kind: 'column', agg: 'sum', field: { dataset: datasetId, column: 'c2' } }]
    const plan = { v: 2, kind: 'aggregate', filters: [], dimensions: [], measures }
    const insight = (await sent<Insight>(owner, '/api/insights', { name: 'Pay', plan, viz: { chart: 'number' } })).body
    const report = await published(owner, [{ id: 'pay001', kind: 'insight', insight: insight.id }])
    const analyst = await join('analyst')
    expect((await freeze(analyst, report, { audience: 'everyone' })).status).toBe(403)
    expect((await freeze(analyst, report)).status).toBe(201)
    const files = async () => (await env.FILES.list({ prefix: `editions/${owner.workspaceId}/` })).objects.length
    await env.DB.prepare('UPDATE reports SET deleted_at = 1 WHERE id = ?').bind(report.id).run()
    expect(await files()).toBe(1)
    await sweepReports(depsAt(Date.now()))
    expect(await files()).toBe(0)
    const left = await env.DB.prepare('SELECT id FROM reports WHERE id = ?').bind(report.id).first()
    expect(left).toBeNull()
  })
})

/** Every figure of the statements of an edition, as it is written. */
const statementFigures = ({ pages }: ReportDocument): string[] =>
  pages.flatMap(({ blocks }) =>
    blocks.flatMap(({ answer }) => {
      if (answer === null || 'error' in answer || answer.content.kind !== 'statement') return []
      const { rows, columns, decimals } = answer.content.statement
      return rows
        .filter(({ style }) => style !== 'heading')
        .flatMap(({ format, values }) =>
          columns.map(({ kind }, at) =>
            statementFigure(values[at] ?? null, { format, kind, locale: 'sv-SE', decimals }),
          ),
        )
    }),
  )

describe('a statement pack', () => {
  it('is frozen with its month, and a later posting shows as a difference of its lines', async () => {
    const me = await signedIn({ app })
    const books = (amount: number): string =>
      [
        ...[
          '#FLAGGA 0',
          '#FORMAT PC8',
          '#SIETYP 4',
          '#ORGNR 556000-0009',
          '#FNAMN "Beta AB"',
          '#RAR 0 20250101 20251231',
        ],
        ...['#KONTO 1930 "Bank"', '#KONTO 3010 "Sales"'],
        `#VER A 1 20250315 "Sold"\r\n{\r\n#TRANS 1930 {} ${amount}\r\n#TRANS 3010 {} -${amount}\r\n}`,
      ].join('\r\n')
    const source = await createLedger(me, books(1250.5))
    const pack = ['income', 'balance', 'cashFlow', 'trial', 'ratios'].map((statement, at) => ({
      ...{ id: `pack0${at}`, kind: 'statement', source: source.id, query: { statement, view: 'ytd' } },
    }))
    const report = await published(me, pack)
    const first = await freeze(me, report)
    expect(first.body).toMatchObject({ n: 1, period: 'Mar 2025' })
    const { document } = (await opened(me, report, 1)).body
    // Read back by another reader, the paper holds every figure of the edition.
    const pdf = await me.fetch(`/files/reports/${report.id}/editions/1?format=pdf`)
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(await pdf.arrayBuffer())))
    const figures = statementFigures(document)
    expect(figures.length).toBeGreaterThan(20)
    const paper = text.join(' ').replaceAll(/\s+/g, ' ')
    for (const figure of figures) expect(paper).toContain(figure.replaceAll(/\s/g, ' '))
    const changed: ReportDocument = JSON.parse(JSON.stringify(document).replaceAll('1250.50', '1300.50'))
    const differences = editionDifferences(document, changed)
    expect(differences.length).toBeGreaterThan(2)
    expect(differences).toContainEqual(
      expect.objectContaining({
        ...{ block: 'Profit and loss', figure: 'Net sales: Jan–Mar 2025' },
        before: expect.objectContaining({ value: '1250.50' }),
        change: { value: 50, text: '+50,00' },
      }),
    )
  })
})
