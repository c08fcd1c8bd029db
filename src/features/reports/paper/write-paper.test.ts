import { extractText, getDocumentProxy } from 'unpdf'
import { beforeAll, describe, expect, it } from 'vitest'
import { signedIn, type SignedIn } from '../../../../test/worker/factories'
import { createLedger } from '../../../../test/worker/loads'
import { loadedDataset } from '../../../../test/worker/loaded-dataset'
import { bandsOf, writePaper } from './write-paper'
import { readFonts } from '../../../formats/pdf/fonts'
import { createCellFormatter } from '../../../shared/figures/cell-formatter'
import { createFormatter } from '../../../shared/figures/formatter'
import type { Viz } from '../../../shared/insights'
import { queryPlanSchema, type QueryPlan, type QueryPlanInput } from '../../../shared/query/plan'
import type { QueryResult } from '../../../shared/query/result'
import type { ReportBlock } from '../../../shared/reports/blocks'
import type { DocumentBlock, ReportDocument } from '../../../shared/reports/editions'
import type { FigureTile, TileContent, TokenAnswer } from '../../../shared/reports/tiles'
import type { Statement } from '../../../shared/statements/statements'
import { statementFigure } from '../../../shared/statements/words'

const BOOKS = [
  ...[
    '#FLAGGA 0',
    '#FORMAT PC8',
    '#SIETYP 4',
    '#ORGNR 556000-0002',
    '#FNAMN "Åkers Måleri AB"',
    '#RAR 0 20250101 20251231',
  ],
  ...['#KONTO 1930 "Företagskonto"', '#KONTO 3010 "Försäljning"', '#KONTO 4010 "Inköp"', '#IB 0 1930 1000'],
  ...Array.from({ length: 12 }, (_, month) => {
    const day = `2025${String(month + 1).padStart(2, '0')}15`
    const amount = 12_345.67 * (month + 1)
    return `#VER A ${month + 1} ${day} "Sale"\r\n{\r\n#TRANS 1930 {} ${amount.toFixed(2)}\r\n#TRANS 3010 {} -${amount.toFixed(2)}\r\n}`
  }),
].join('\r\n')
const NOTATION = { numberLocale: 'sv-SE', currency: 'SEK', timeZone: 'Europe/Stockholm' }
/** Spaces of every kind are one: what a reader copies has its own. */
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ')

const place = (y: number, at: { x?: number; w?: number } = {}) => ({ x: at.x ?? 0, y, w: at.w ?? 12, h: 6 })
const blockOf = (block: ReportBlock, content: TileContent | null): DocumentBlock => ({
  block,
  answer: content && { block: block.id, content },
})
const documentOf = (blocks: DocumentBlock[]): ReportDocument => ({
  v: 1,
  report: { id: 'rep_1', kind: 'legacy', name: 'Month-end pack', description: '' },
  workspace: 'Åkers Måleri AB',
  n: 2,
  period: 'December 2025',
  filters: ['Region: North'],
  dataAsOf: '2026-01-04T09:30:00Z',
  note: 'A late invoice',
  madeBy: 'Karin Öberg',
  madeAt: '2026-01-05T08:00:00Z',
  notation: NOTATION,
  datasets: [],
  pages: [{ id: 'page01', name: 'Pack', blocks }],
})
const figureOf = (answer: { plan: QueryPlan; result: QueryResult }): FigureTile => ({
  ...{ ...answer, subject: { kind: 'metric', id: 'met_1' }, name: 'Sales', direction: 'up', percent: false },
  ...{ period: true, unfiltered: [] },
})
const NO_COLUMN = { format: { style: 'plain' } } as const
const inCurrency = (result: QueryResult, currency: string): QueryResult => ({
  ...result,
  columns: result.columns.map((column) =>
    column.kind === 'measure' ? { ...column, format: { style: 'currency', currency } } : column,
  ),
})
async function textOf(document: ReportDocument): Promise<{ pages: string[]; bytes: Uint8Array }> {
  const bytes = await writePaper(document, { fonts: readFonts(), pictures: new Map() })
  // The reader takes the bytes over.
  const { text } = await extractText(await getDocumentProxy(bytes.slice()))
  return { pages: text.map(plain), bytes }
}

describe('a report on paper', () => {
  let me: SignedIn
  let statement: Statement
  let sales: { plan: QueryPlan; result: QueryResult }
  const viz: Viz = { chart: 'bar', direction: 'up' }
  beforeAll(async () => {
    me = await signedIn()
    const source = (await createLedger(me, BOOKS)).id
    statement = await (await me.fetch(`/api/statements/${source}?lastYear=1&view=months`)).json<Statement>()
    const cities = ['Umeå', 'Luleå', 'Ängelholm', 'Kiruna', 'Östersund']
    const rows = Array.from({ length: 240 }, (_, at): [string, number] => [`${cities[at % 5]} ${at}`, at * 100 + 5])
    const dataset = await loadedDataset(me.workspaceId, rows)
    const given: QueryPlanInput = {
      ...{ v: 2, kind: 'aggregate', filters: [], totals: true },
      measures: [{ kind: 'column', agg: 'sum', field: { dataset, column: 'c1' } }],
      dimensions: [{ field: { dataset, column: 'c0' } }],
    }
    const result = await (await me.fetch('/api/query', { method: 'POST', json: { plan: given } })).json<QueryResult>()
    sales = { plan: queryPlanSchema.parse(given), result }
  })
  const statementBlock = (): DocumentBlock =>
    blockOf(
      {
        ...{ id: 'income', kind: 'statement', place: place(0), source: statement.source.id, language: 'sv' },
        ...{
          query: { statement: 'income', view: 'months', lastYear: '1', budget: '0', variance: '0' },
          accounts: true,
          title: '',
        },
      },
      { kind: 'statement', statement, language: 'sv', accounts: true },
    )
  const kpiBlock = (...results: QueryResult[]): DocumentBlock =>
    blockOf(
      {
        ...{ id: 'kpis01', kind: 'kpis', place: place(12) },
        figures: results.map(() => ({ subject: { kind: 'metric', id: 'met_1' }, label: '' })),
      },
      { kind: 'kpis', figures: results.map((result) => figureOf({ ...sales, result })) },
    )
  const tableBlock = (chart: Viz['chart']): DocumentBlock =>
    blockOf(
      { id: 'sales1', kind: 'insight', place: place(6), insight: 'ins_1', chart: null, title: '' },
      { kind: 'chart', name: 'Sales by city', ...sales, viz: { ...viz, chart }, period: true, unfiltered: [] },
    )

  it('holds every figure of a statement, in its language and notation', async () => {
    const { pages } = await textOf(documentOf([statementBlock()]))
    const all = pages.join(' ')
    const shown = { locale: 'sv-SE', decimals: statement.decimals }
    for (const row of statement.rows.filter(({ style }) => style !== 'heading'))
      for (const [at, { kind }] of statement.columns.entries())
        expect(all).toContain(plain(statementFigure(row.values[at] ?? null, { format: row.format, kind, ...shown })))
    expect(all).toContain('Resultaträkning')
    expect(all).toContain('3010 Försäljning')
  })

  it('says once what a page, its texts and its statement are called, and its fiscal year in words', async () => {
    const text = (id: string, words: string): DocumentBlock =>
      blockOf({ id, kind: 'text', place: place(0), text: words }, { kind: 'text', tokens: {} })
    const document = documentOf([])
    const { pages } = await textOf({
      ...document,
      pages: [
        {
          id: 'page01',
          name: 'Resultaträkning',
          blocks: [text('text01', '# Month-end pack\n\nDecember 2025'), statementBlock()],
        },
        { id: 'page02', name: 'Comments', blocks: [text('text02', '# Comments\n\nAll well.')] },
      ],
    })
    const times = (words: string): number => pages.join(' ').split(words).length - 1
    // The name of the report stands in the head of every page, too.
    expect([times('Resultaträkning'), times('Comments'), times('Month-end pack')]).toEqual([1, 1, 1 + pages.length])
    expect(pages[0]).toContain('Åkers Måleri AB · 2025 · SEK')
  })

  it('says on every page whose it is, of when, by which filters and which page', async () => {
    const { pages } = await textOf(documentOf([tableBlock('table')]))
    expect(pages.length).toBeGreaterThan(2)
    pages.forEach((page, at) => {
      expect(page).toContain('Åkers Måleri AB')
      expect(page).toContain('Month-end pack, December 2025, edition 2')
      expect(page).toContain('Region: North · SEK · Data as of 4 Jan 2026, 10:30')
      expect(page).toContain(`Page ${at + 1} of ${pages.length}`)
    })
    expect(pages[0]).toContain('Correction: A late invoice')
  })

  it('repeats the heading of a table on each of its pages and says how many rows are not there', async () => {
    const { pages } = await textOf(documentOf([tableBlock('table')]))
    const format = createCellFormatter(createFormatter(NOTATION))
    const [, amount] = sales.result.columns
    expect(pages.filter((page) => page.includes(amount?.label ?? '?'))).toHaveLength(pages.length)
    const total = sales.result.totals?.[1] ?? null
    if (amount) expect(pages.join(' ')).toContain(plain(format.full(total, { ...amount, minor: true })))
    expect(pages.join(' ')).toContain('The first 200 of 240 rows.')
  })

  it('embeds its fonts and stays small', async () => {
    const { bytes } = await textOf(documentOf([statementBlock(), tableBlock('table')]))
    const raw = new TextDecoder('latin1').decode(bytes)
    expect(raw).toContain('/FontFile2')
    expect(bytes.length).toBeLessThan(200_000)
  })

  it('writes texts with their figures, and a dash for what has none', async () => {
    const text = '# Summary\n\nSales were **{{metric.Sales|full}}**.\n- Costs: {{metric.Costs}}'
    const tokens: Record<string, TokenAnswer> = {
      '{{metric.Sales|full}}': { figure: figureOf(sales) },
      '{{metric.Costs}}': { error: { code: 'not_found', message: 'Not found.', requestId: '' } },
    }
    const { pages } = await textOf(
      documentOf([blockOf({ id: 'words1', kind: 'text', place: place(0), text }, { kind: 'text', tokens })]),
    )
    expect(pages[0]).toMatch(/Summary Sales were 28 692,00\. • Costs: –/)
  })

  it('names every currency of its amounts on each page', async () => {
    const { pages } = await textOf(documentOf([statementBlock(), kpiBlock(inCurrency(sales.result, 'EUR'))]))
    for (const page of pages) expect(page).toContain('Region: North · EUR, SEK · Data as of')
  })

  it('says what is missing of what a figure is held against, and the period of one that is held against nothing', async () => {
    const period = { from: '2025-01-01', to: '2025-12-31', label: '2025', incomplete: false }
    const before = { from: '2024-01-01', to: '2024-12-31', label: '2024', incomplete: false, dataFrom: '2024-07-24' }
    const [amount] = sales.result.columns.filter(({ kind }) => kind === 'measure')
    if (!amount) throw new Error('no measure')
    const columns = [amount, { ...amount, key: 'm0.previous', kind: 'previous' as const, measure: 0 }]
    const compared: QueryResult = {
      ...sales.result,
      ...{ columns, rows: [[300, 200]], totals: null, rowCount: 1, period: { ...period, compare: before } },
    }
    const alone: QueryResult = { ...compared, rows: [[300, null]] }
    const { pages } = await textOf(documentOf([kpiBlock(compared, alone)]))
    expect(pages[0]).toContain('up 50,0 % (+100) vs 2024 (data from 24 Jul 2024)')
    expect(pages[0]).not.toContain('No value')
    expect(pages[0]?.split('2025').length).toBeGreaterThan(3)
  })

  it('explains the marks of charts that stand beside each other, and writes their names in full', async () => {
    const month = { ...NO_COLUMN, key: 'd0', label: 'Month', kind: 'dimension' as const, type: 'date' as const }
    const partial = [{ start: '2025-05-01', from: '2025-05-01', to: '2025-05-06' }]
    const figure = { ...NO_COLUMN, key: 'm0', label: 'Sales', kind: 'measure' as const, type: 'number' as const }
    const before = { ...figure, key: 'm0.previous', kind: 'previous' as const, measure: 0 }
    const result: QueryResult = {
      ...sales.result,
      columns: [{ ...month, grain: 'month', partial }, figure, before],
      ...{
        rows: [
          ['2025-04-01', 5, 4],
          ['2025-05-01', 2, 3],
        ],
        totals: null,
        rowCount: 2,
      },
      period: {
        ...{ from: '2025-04-01', to: '2025-05-06', label: '1 Apr – 6 May 2025', incomplete: false },
        compare: { from: '2024-04-01', to: '2024-05-06', label: '1 Apr – 6 May 2024' },
      },
    }
    const half = (x: number): DocumentBlock =>
      blockOf(
        { id: `chart${x}`, kind: 'insight', place: place(0, { x, w: 6 }), insight: 'ins_1', chart: null, title: '' },
        {
          kind: 'chart',
          name: `By month ${x}`,
          ...sales,
          result,
          viz: { ...viz, chart: 'line' },
          period: true,
          unfiltered: [],
        },
      )
    const { pages } = await textOf(documentOf([half(0), half(6)]))
    expect(pages[0]).toContain('* By month 0: May 2025 is incomplete')
    expect(pages[0]).toContain('* By month 6: May 2025 is incomplete')
    expect(pages[0]).toContain('Sales, 1 Apr – 6 May 2024')
  })

  it('sets blocks that lie beside each other in the grid beside each other', () => {
    const divider = (id: string, y: number, x: number): DocumentBlock =>
      blockOf({ id, kind: 'divider', place: place(y, { x, w: 6 }) }, null)
    const bands = bandsOf([divider('second', 0, 6), divider('third1', 6, 0), divider('first1', 0, 0)])
    expect(bands.map((band) => band.map(({ block }) => block.id))).toEqual([['first1', 'second'], ['third1']])
  })
})
