import { env } from 'cloudflare:test'
import { readXlsx } from 'hucre/xlsx'
import { extractText, getDocumentProxy } from 'unpdf'
import { beforeAll, describe, expect, it } from 'vitest'
import { exportReport } from './export-report'
import type { DocumentContext } from './report-document'
import { depsAt } from '../../../test/worker/deps'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { loadedDataset } from '../../../test/worker/loaded-dataset'
import { column } from '../../../test/worker/warehouse-rows'
import { openWorkbook } from '../../../test/worker/workbooks'
import { sweepEditionFiles } from '../../features/reports/editions/edition-files'
import { readMemberContext } from '../../identity/member-context-store'
import { withCalendar } from '../../semantic/calendar'
import { ProductError } from '../../shared/errors'
import type { Insight } from '../../shared/insights'
import type { QueryPlanInput } from '../../shared/query/plan'
import type { Report } from '../../shared/reports/reports'
import { exportReportSchema, type ExportReportInput } from '../../shared/reports/tiles'

const REGIONS = ['North', 'South', '__proto__', '=HYPERLINK("http://x")']
const KINDS = ['constructor', 'Sales', 'Öl; "lager"']
const MONTHS = 14
/** Amounts in hundredths; every third is negative. */
const ROWS = Array.from({ length: 12_500 }, (_, at): [string, string, number, number, string] => [
  REGIONS[at % 4] ?? '',
  KINDS[Math.floor(at / 4) % 3] ?? '',
  (at % 3 === 0 ? -1 : 1) * (at * 7 + 13),
  20_454 + (at % MONTHS) * 30,
  `row ${String(at).padStart(5, '0')}`,
])
const COLUMNS = [
  column(0, { type: 'text', label: 'region' }),
  column(1, { type: 'text', label: '__proto__' }),
  column(2, { type: 'number', scale: 2, label: 'amount', role: 'measure' }),
  column(3, { type: 'date', label: 'day' }),
  column(4, { type: 'text', label: 'name' }),
]
const sum = (passes: (row: (typeof ROWS)[number]) => boolean): number =>
  ROWS.filter(passes).reduce((total, [, , amount]) => total + amount, 0) / 100
const written = (figure: number): string =>
  new Intl.NumberFormat('sv-SE', { minimumFractionDigits: 2 }).format(figure).replaceAll(/\s/g, ' ')
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ')

describe('files of a report', () => {
  let me: SignedIn
  let report: Report
  let context: DocumentContext
  beforeAll(async () => {
    me = await signedIn()
    const dataset = await loadedDataset(me.workspaceId, ROWS, COLUMNS)
    const field = (key: `c${number}`) => ({ dataset, column: key })
    const ask = async (name: string, chart: string, dimensions: QueryPlanInput['dimensions']): Promise<string> => {
      const measures = [{ kind: 'column', agg: 'sum', field: field('c2') }]
      const plan = { v: 2, kind: 'aggregate', filters: [], measures, dimensions }
      return (await sent<Insight>('/api/insights', { name, plan, viz: { chart } })).id
    }
    const insights = [
      ['pivot1', await ask('Kinds by region', 'pivot', [{ field: field('c0') }, { field: field('c1') }])],
      [
        'nested',
        await ask('By month', 'pivot', [
          { field: field('c0') },
          { field: field('c1') },
          { field: field('c3'), grain: 'month' },
        ]),
      ],
      ['table1', await ask('Names', 'table', [{ field: field('c4') }])],
    ]
    const blocks = insights.map(([id, insight], at) => ({
      ...{ id, kind: 'insight', insight, place: { x: 0, y: at * 8, w: 12, h: 8 } },
    }))
    const made = await sent<Report>('/api/reports', { kind: 'interactive', name: 'Räkenskaper __proto__' })
    const pages = [{ id: 'page01', name: 'constructor', blocks }]
    const content = { v: 1, period: { range: null, compare: 'none' }, filters: [], pages }
    const draft = { name: made.name, content, version: made.version }
    const { version } = await sent<Report>(`/api/reports/${made.id}`, draft, 'PUT')
    report = await sent<Report>(`/api/reports/${made.id}/publish`, { version })
    context = await reading()
  })
  async function sent<T>(path: string, json: unknown, method = 'POST'): Promise<T> {
    const answer = await me.fetch(path, { method, json })
    if (!answer.ok) throw new Error(await answer.text())
    return answer.json<T>()
  }
  async function reading(): Promise<DocumentContext> {
    const deps = depsAt(Date.now())
    const member = await readMemberContext(deps, me)
    if (!member) throw new Error('a member reads')
    const { signal } = new AbortController()
    const refusal = (thrown: unknown) => {
      throw thrown
    }
    return withCalendar({ deps, scope: member.scope, membership: member, actor: member, refusal, signal })
  }
  const exported = (input: ExportReportInput) =>
    me.fetch(`/api/reports/${report.id}/export`, { method: 'POST', json: input })
  const bytesOf = async (input: ExportReportInput): Promise<Uint8Array<ArrayBuffer>> => {
    const answer = await exported(input)
    expect(answer.status).toBe(200)
    return new Uint8Array(await answer.arrayBuffer())
  }

  it('have pivots in the shape that they are looked at, with the sums of a naive count, in a workbook that two readers read', async () => {
    const bytes = await bytesOf({ format: 'xlsx', block: 'pivot1' })
    const { sheets } = await readXlsx(bytes)
    expect(sheets.map(({ name }) => name)).toEqual(['About', 'Kinds by region'])
    const [heads = [], ...lines] = sheets[1]?.rows ?? []
    expect(heads[0]).toBe('Region')
    expect(new Set(heads.slice(1, -1))).toEqual(new Set(KINDS))
    for (const line of lines) {
      const [region, ...figures] = line
      const inRow = (own: string): boolean => region === 'Total' || own === region || `'${own}` === region
      const kinds = heads.slice(1, -1)
      expect(figures).toEqual([
        ...kinds.map((kind) => sum((row) => inRow(row[0]) && row[1] === kind)),
        sum((row) => inRow(row[0])),
      ])
    }
    expect(lines.map(([region]) => region)).toEqual(
      expect.arrayContaining([...REGIONS.slice(0, 3), `'${REGIONS[3]}`, 'Total']),
    )
    const own = await openWorkbook(bytes)
    expect(JSON.stringify(own)).toContain(String(sum(() => true)))
    expect(Object.getPrototypeOf({})).not.toHaveProperty('amount')
  })

  it('have pivots on paper with every figure, those that are wide across the page with their headings on each', async () => {
    const pdf = await getDocumentProxy(await bytesOf({ format: 'pdf', block: 'nested' }))
    const { text } = await extractText(pdf)
    const all = plain(text.join(' ')).replaceAll('−', '-')
    for (const region of REGIONS)
      for (const kind of KINDS)
        expect(all).toContain(written(sum(([of, own]) => of === region && own === kind)).replaceAll('−', '-'))
    expect(all).toContain(written(sum(() => true)))
    const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 })
    expect(width).toBeGreaterThan(height)
    for (const page of text) expect(page).toContain('Region / ')
  })

  it('are of one block as CSV under its name, numbers as numbers and no text a formula', async () => {
    const answer = await exported({ format: 'csv', block: 'pivot1' })
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="R_kenskaper __proto__ Kinds by region \d{4}-\d\d-\d\d\.csv"; filename\*=UTF-8''R%C3%A4kenskaper%20__proto__/,
    )
    const text = await answer.text()
    expect(text).toContain(`"'=HYPERLINK(""http://x"")"`)
    expect(text).toContain(String(sum(() => true)).replace('.', ','))
  })

  it('hold every row of a table, however few a document keeps', async () => {
    const lines = (await (await exported({ format: 'csv', block: 'table1' })).text()).trim().split('\r\n')
    expect(lines).toHaveLength(ROWS.length + 1)
    const all = lines.slice(1).map((line) => Number(line.split(';')[1]?.replace(',', '.')))
    expect(all.reduce((total, one) => total + Math.round(one * 100), 0)).toBe(Math.round(sum(() => true) * 100))
    const { sheets } = await readXlsx(await bytesOf({ format: 'xlsx' }))
    expect(sheets.find(({ name }) => name === 'Names')?.rows).toHaveLength(ROWS.length + 1)
  })

  it('break off once the reader may see other things, and are not begun when that is while they are read', async () => {
    let looks = 0
    const until = (most: number) => async () => {
      await Promise.resolve()
      looks += 1
      if (looks > most) throw new ProductError('forbidden', { reason: 'dataAccess' })
    }
    const asked = exportReportSchema.parse({ format: 'xlsx' })
    await expect(exportReport({ ...context, stillAllowed: until(0) }, report.id, asked)).rejects.toThrow(ProductError)
    looks = 0
    const { body } = await exportReport({ ...context, stillAllowed: until(2) }, report.id, asked)
    await expect(new Response(body).arrayBuffer()).rejects.toThrow()
    const gone = AbortSignal.abort()
    await expect(exportReport({ ...context, signal: gone }, report.id, asked)).rejects.toThrow()
  })

  it('are not of a block that is not there, nor CSV of all', async () => {
    expect((await exported({ format: 'csv', block: 'nobody' })).status).toBe(404)
    expect((await exported({ format: 'csv' })).status).toBe(422)
  })

  it('of an edition whose publishing failed half-way are swept after a day, and never those of one that is there', async () => {
    const path = `/api/reports/${report.id}/editions`
    const editions = (n: number) =>
      me.fetch(path, { method: 'POST', json: { publication: report.publication, note: `n${n}` } })
    const kept = await (await editions(1)).json<{ id: string; code?: string }>()
    const files = async () =>
      (await env.FILES.list({ prefix: `editions/${me.workspaceId}/` })).objects.map(({ key }) => key.slice(-31, -5))
    const before = await files()
    expect(before).toHaveLength(1)
    await env.DB.prepare(
      `CREATE TRIGGER broken BEFORE INSERT ON report_editions BEGIN SELECT RAISE(ABORT, 'disk'); END`,
    ).run()
    expect((await editions(2)).status).toBe(500)
    await env.DB.prepare('DROP TRIGGER broken').run()
    expect(await files()).toHaveLength(2)
    const day = 24 * 60 * 60 * 1000
    await sweepEditionFiles(depsAt(Date.now() + day - 60_000))
    expect(await files()).toHaveLength(2)
    await sweepEditionFiles(depsAt(Date.now() + day + 60_000))
    expect(await files()).toEqual(before)
    expect((await me.fetch(`${path}/1`)).status).toBe(200)
    expect(kept.code).toBeUndefined()
    const left = await env.DB.prepare('SELECT count(*) AS n FROM edition_files').first<number>('n')
    expect(left).toBe(0)
  })
})
