import { beforeAll, describe, expect, it } from 'vitest'
import {
  guardedWorkspace,
  onlyRegion,
  savePolicy,
  type GuardedWorkspace,
} from '../../../test/worker/access/guarded-workspace'
import { otherWorkspace, signedIn, type SignedIn } from '../../../test/worker/factories'
import { createLedger } from '../../../test/worker/loads'
import { loadedDataset } from '../../../test/worker/loaded-dataset'
import { column } from '../../../test/worker/warehouse-rows'
import { pastPeriod } from './observation-preview'
import { periodDays } from './period-days'
import { toldPeriod } from './told-period'
import { createApp } from '../../app'
import { dayFromIso, isoFromDay, type Calendar } from '../../shared/dates'
import type { Insight } from '../../shared/insights'
import type { Metric } from '../../shared/metrics'
import type { FieldFilter } from '../../shared/query/plan'
import type { QueryResult } from '../../shared/query/result'
import type { RelativeRange } from '../../shared/query/date-range'
import type { Relation } from '../../shared/relations'
import type { ObservationPreview } from '../../shared/reports/observation-preview'
import { blockItems } from '../../shared/reports/report-items'
import type { Statement } from '../../shared/statements/statements'
import type { Report, ReportContentInput } from '../../shared/reports/reports'
import type { TileAnswer, TilesEnd, TilesRequestInput } from '../../shared/reports/tiles'

const app = createApp()
const CUSTOMERS = [
  ['1', 'Sweden', 'Big'],
  ['2', 'Norway', 'Small'],
  ['3', 'Sweden', 'Small'],
] as const
/** id, customer, amount in hundredths, day. */
const ORDERS = [
  [10, 1, 5_000, '2026-01-05'],
  [11, 1, 2_500, '2026-02-06'],
  [12, 2, 100, '2026-02-07'],
  [13, 3, 70, '2026-02-08'],
  [14, 3, 7, '2025-02-08'],
] as const

let me: SignedIn
let [customers, orders] = ['', '']
let metric: Metric

async function sent<T>(who: SignedIn, path: string, json: unknown, method = 'POST'): Promise<T> {
  const answer = await who.fetch(path, { method, json })
  expect([path, answer.status, await answer.clone().text()]).toEqual([
    path,
    expect.toSatisfy((n) => n < 300),
    expect.anything(),
  ])
  return answer.json<T>()
}
let insights = 0
const insight = (who: SignedIn, plan: object, viz: object = { chart: 'table' }): Promise<Insight> =>
  sent(who, '/api/insights', {
    name: `Insight ${++insights}`,
    viz,
    plan: { v: 2, kind: 'aggregate', dimensions: [], filters: [], ...plan },
  })
const field = (dataset: string, at: number) => ({ dataset, column: `c${at}` as const })
const sumOf = (dataset: string, at: number) => ({ kind: 'column', agg: 'sum', field: field(dataset, at) })

const place = { x: 0, y: 0, w: 6, h: 6 }
const block = (id: string, given: object) => ({ id, place, ...given })
let reports = 0
/** A published report of one page. */
async function report(who: SignedIn, blocks: object[], more: Partial<ReportContentInput> = {}): Promise<string> {
  const made: Report = await sent(who, '/api/reports', { kind: 'interactive', name: `Report ${++reports}` })
  const content = {
    ...{ v: 1, period: { range: null, compare: 'none' }, filters: [], ...more },
    pages: [{ id: 'page01', name: 'Page', blocks }],
  }
  const saved: Report = await sent(who, `/api/reports/${made.id}`, { name: made.name, content, version: 1 }, 'PUT')
  await sent(who, `/api/reports/${made.id}/publish`, { version: saved.version })
  return made.id
}

const ask = (who: SignedIn, id: string, given: Partial<TilesRequestInput> = {}) =>
  who.fetch(`/api/reports/${id}/tiles`, {
    method: 'POST',
    json: { of: 'published', page: 'page01', filters: [], ...given },
  })
async function tiles(who: SignedIn, id: string, given: Partial<TilesRequestInput> = {}) {
  const answer = await ask(who, id, given)
  const lines = (await answer.text()).trim().split('\n')
  expect(answer.status).toBe(200)
  const parsed = lines.map((line): TileAnswer | TilesEnd => JSON.parse(line))
  const end = parsed.at(-1)
  expect(end).toMatchObject({ end: true })
  const byBlock = new Map(parsed.flatMap((line) => ('block' in line ? [[line.block, line] as const] : [])))
  return { byBlock, end, lines }
}
const contentOf = (answer: TileAnswer | undefined) => (answer && 'content' in answer ? answer.content : null)
const chartOf = (answer: TileAnswer | undefined) => {
  const content = contentOf(answer)
  if (content?.kind !== 'chart') throw new Error(JSON.stringify(answer))
  return content
}
const equals = (at: { dataset: string; column: `c${number}` }, value: string): FieldFilter => ({
  field: at,
  any: [{ op: 'eq', value }],
})
const answered = async (who: SignedIn, plan: unknown): Promise<QueryResult> => sent(who, '/api/query', { plan })

beforeAll(async () => {
  me = await signedIn({ app })
  const people = CUSTOMERS.map((row) => [...row])
  const sales = ORDERS.map(([id, customer, amount, day]) => [id, customer, amount, dayFromIso(day)])
  customers = await loadedDataset(
    me.workspaceId,
    people,
    ['id', 'country', 'size'].map((label, at) =>
      column(at, { type: 'text', label, ...(at === 0 ? { role: 'id' } : {}) }),
    ),
    'customers',
  )
  orders = await loadedDataset(
    me.workspaceId,
    sales,
    [
      column(0, { type: 'integer', label: 'id', role: 'id' }),
      column(1, { type: 'integer', label: 'customer_id', role: 'id' }),
      column(2, { type: 'number', scale: 2, label: 'amount', role: 'measure' }),
      column(3, { type: 'date', label: 'day', role: 'time' }),
    ],
    'orders',
  )
  const [relation] = await (await me.fetch('/api/relations')).json<Relation[]>()
  await sent(me, `/api/relations/${relation?.id}`, { state: 'confirmed', version: relation?.version }, 'PUT')
  metric = await sent(me, '/api/metrics', {
    ...{ name: 'Revenue', synonyms: ['Sales'], dataset: orders, formula: 'sum([amount])', time: field(orders, 3) },
  })
})

describe('a page', () => {
  it('answers an insight as the insight itself does, and says when everything is there', async () => {
    const own = await insight(me, {
      measures: [sumOf(orders, 2)],
      dimensions: [{ field: field(customers, 1) }],
      period: {
        field: field(orders, 3),
        range: { kind: 'absolute', from: '2026-01-01', to: '2026-12-31' },
        compare: 'year',
      },
    })
    const id = await report(me, [
      block('block1', { kind: 'insight', insight: own.id }),
      block('block2', { kind: 'divider' }),
    ])
    const { byBlock, end } = await tiles(me, id)
    expect([...byBlock.keys()]).toEqual(['block1'])
    const { result, name, viz, period, unfiltered } = chartOf(byBlock.get('block1'))
    const alone = await answered(me, own.plan)
    expect(result).toEqual({ ...alone, cached: result.cached })
    expect([name, viz.chart, period, unfiltered]).toEqual([own.name, 'table', true, []])
    expect(end).toEqual({ end: true, dataAsOf: alone.dataAsOf })
  })

  it('lays its period, or the reader’s, over every question that has a date, and says of the others that it does not', async () => {
    const dated = await insight(me, {
      measures: [sumOf(orders, 2)],
      dimensions: [{ field: field(orders, 3), grain: 'month' }],
    })
    const undated = await insight(me, { measures: [{ kind: 'column', agg: 'count' }], dataset: customers })
    const range = { kind: 'absolute', from: '2026-02-01', to: '2026-02-28' } as const
    const id = await report(
      me,
      [
        block('block1', { kind: 'insight', insight: dated.id }),
        block('block2', { kind: 'insight', insight: undated.id }),
      ],
      { period: { range, compare: 'year' } },
    )
    const { byBlock } = await tiles(me, id)
    const { result, period } = chartOf(byBlock.get('block1'))
    expect([period, result.period?.label, result.period?.compare?.label]).toEqual([true, 'Feb 2026', 'Feb 2025'])
    expect(result.rows).toEqual([['2026-02-01', 26.7, 0.07, 26.63, expect.closeTo(380.43, 2)]])
    const other = chartOf(byBlock.get('block2'))
    expect([other.period, other.result.rows]).toEqual([false, [[3]]])
    const reader = await tiles(me, id, { period: { range: { ...range, from: '2025-01-01' }, compare: 'none' } })
    expect(chartOf(reader.byBlock.get('block1')).result.rows).toHaveLength(3)
  })

  it('filters each question whose rows reach the column, as a naive filter of the rows does', async () => {
    const [byDay, named, ofCustomers] = [
      await insight(me, { measures: [sumOf(orders, 2)] }),
      await insight(me, { measures: [{ kind: 'metric', id: metric.id }] }),
      await insight(me, { measures: [{ kind: 'column', agg: 'count' }], dataset: customers }),
    ]
    const id = await report(me, [
      block('block1', { kind: 'insight', insight: byDay.id }),
      block('block2', { kind: 'insight', insight: named.id }),
      block('block3', { kind: 'insight', insight: ofCustomers.id }),
      block('block4', { kind: 'kpis', figures: [{ subject: { kind: 'metric', id: metric.id } }] }),
    ])
    for (const [country, size] of [
      ['Sweden', 'Small'],
      ['Sweden', null],
      ['Norway', null],
      ['Nowhere', null],
    ] as const) {
      const filters = [
        equals(field(customers, 1), country),
        ...(size ? [equals(field(customers, 2), size)] : []),
        { field: field(orders, 0), any: [{ op: 'ge' as const, value: 11 }] },
      ]
      const { byBlock } = await tiles(me, id, { filters })
      const people = CUSTOMERS.filter((row) => row[1] === country && (size === null || row[2] === size))
      const total = ORDERS.filter((row) => row[0] >= 11 && people.some((one) => one[0] === String(row[1])))
      const sum = total.length === 0 ? null : total.reduce((all, row) => all + row[2], 0) / 100
      expect(chartOf(byBlock.get('block1')).result.rows).toEqual([[sum]])
      expect(chartOf(byBlock.get('block2')).result.rows).toEqual([[sum]])
      // Rows of customers do not point at orders: that filter is not theirs.
      const counted = chartOf(byBlock.get('block3'))
      expect([counted.result.rows, counted.unfiltered]).toEqual([[[people.length]], [size ? 2 : 1]])
      const kpis = contentOf(byBlock.get('block4'))
      expect(kpis).toMatchObject({ figures: [{ name: 'Revenue', unfiltered: [], result: { rows: [[sum]] } }] })
    }
  })

  it('does not filter a block by the mark that was clicked in it', async () => {
    const own = await insight(me, { measures: [sumOf(orders, 2)], dimensions: [{ field: field(customers, 1) }] })
    const id = await report(
      me,
      ['block1', 'block2'].map((at) => block(at, { kind: 'insight', insight: own.id })),
    )
    const filters = [equals(field(customers, 1), 'Norway')]
    const { byBlock } = await tiles(me, id, { filters, sources: [{ block: 'block1', filter: 0 }] })
    expect(['block1', 'block2'].map((at) => chartOf(byBlock.get(at)).result.rows.length)).toEqual([2, 1])
    expect(chartOf(byBlock.get('block1')).unfiltered).toEqual([])
  })

  it('shows a metric over time, by its members, and as a number', async () => {
    const shown = (given: object) => ({ kind: 'metric', metric: metric.id, ...given })
    const id = await report(me, [
      block('block1', shown({ grain: 'year' })),
      block('block2', shown({ by: { field: field(customers, 1) }, title: 'By country' })),
      block('block3', shown({ chart: 'number' })),
    ])
    const { byBlock } = await tiles(me, id)
    const told = ['block1', 'block2', 'block3'].map((at) => chartOf(byBlock.get(at)))
    expect(told.map(({ viz, name }) => [viz.chart, name])).toEqual([
      ['line', 'Revenue'],
      ['bar', 'By country'],
      ['number', 'Revenue'],
    ])
    expect(told.map(({ result }) => result.rows)).toEqual([
      [
        ['2025-01-01', 0.07],
        ['2026-01-01', 76.7],
      ],
      [
        ['Sweden', 75.77],
        ['Norway', 1],
      ],
      [[76.77]],
    ])
  })

  it('writes figures into texts by the name or a synonym of a metric, and says which token it does not know', async () => {
    const text = '{{metric.revenue}} {{metric.SALES|last_year|vs:previous|percent}} {{period}} {{today}}'
    const id = await report(me, [block('block1', { kind: 'text', text })], {
      period: { range: { kind: 'absolute', from: '2026-02-01', to: '2026-02-28' } },
    })
    const { byBlock } = await tiles(me, id)
    const content = contentOf(byBlock.get('block1'))
    if (content?.kind !== 'text') throw new Error('no text')
    const figure = content.tokens['{{metric.revenue}}']
    expect(figure).toMatchObject({ figure: { name: 'Revenue', result: { rows: [[26.7]] } } })
    if (!figure || !('figure' in figure)) throw new Error('no figure')
    expect(figure.figure.result).toEqual({ ...(await answered(me, figure.figure.plan)), cached: expect.any(Boolean) })
    expect(content.tokens['{{metric.SALES|last_year|vs:previous|percent}}']).toMatchObject({
      figure: { plan: { period: { range: { span: 'last', unit: 'year' }, compare: 'previous' } } },
    })
    expect(content.tokens['{{period}}']).toEqual({ date: 'Feb 2026' })
  })

  it('names the days that the figures beside it are of, which count back from the newest data', async () => {
    const figures = [{ subject: { kind: 'metric', id: metric.id }, label: '' }]
    const blocks = [block('block1', { kind: 'text', text: '{{period}}' }), block('block2', { kind: 'kpis', figures })]
    const range = { kind: 'relative', span: 'last', unit: 'month', n: 2, includeCurrent: false } as const
    const { byBlock } = await tiles(me, await report(me, blocks, { period: { range } }))
    expect(contentOf(byBlock.get('block1'))).toMatchObject({
      tokens: { '{{period}}': { date: 'Dec 2025 – Jan 2026' } },
    })
    expect(contentOf(byBlock.get('block2'))).toMatchObject({
      figures: [{ result: { period: { label: 'Dec 2025 – Jan 2026' } } }],
    })
    const calendar: Calendar = { today: '2026-05-13', weekStart: 'monday', fiscalYearStart: 1, timeZone: 'UTC' }
    const told = (...labels: string[]) => toldPeriod(range, labels, calendar)
    expect([told(), told('2024'), told('2024', '2024'), told('2024', '2017')]).toEqual([
      'Mar–Apr 2026',
      '2024',
      '2024',
      'Last 2 months, to each figure’s newest data',
    ])
  })

  it('observes whether a figure meets its condition, and answers the figures of what it says', async () => {
    const observed = (op: string, value: number, of = 'value') => ({
      ...{ kind: 'observation', subject: { kind: 'metric', id: metric.id }, of, against: 'year', op, value },
      ...{ then: 'Up to {{metric.Revenue}}', otherwise: 'Only {{metric.Sales}}' },
    })
    const id = await report(
      me,
      [
        block('block1', observed('ge', 26.7)),
        block('block2', observed('gt', 26.7)),
        block('block3', observed('gt', 300, 'changePercent')),
      ],
      { period: { range: { kind: 'absolute', from: '2026-02-01', to: '2026-02-28' } } },
    )
    const { byBlock } = await tiles(me, id)
    const told = ['block1', 'block2', 'block3'].map((at) => contentOf(byBlock.get(at)))
    expect(told).toMatchObject([
      { meets: true, tokens: { '{{metric.Revenue}}': { figure: {} } } },
      { meets: false, tokens: { '{{metric.Sales}}': { figure: {} } } },
      { meets: true },
    ])
  })

  it('tells what an observation would have said in the last six periods, of a draft that is not saved', async () => {
    const id = await report(me, [], {
      period: { range: { kind: 'absolute', from: '2026-02-01', to: '2026-02-28' } },
    })
    const observed = block('block1', {
      ...{ kind: 'observation', subject: { kind: 'metric', id: metric.id }, of: 'value', against: 'previous' },
      ...{ op: 'gt', value: 30, then: 'Up to {{metric.Revenue}}', otherwise: 'Down' },
    })
    const preview = (who: SignedIn) =>
      who.fetch(`/api/reports/${id}/observation-preview`, { method: 'POST', json: { block: observed } })
    const { items } = await (await preview(me)).json<{ items: ObservationPreview[] }>()
    expect(items.map(({ label, meets }) => [label, meets])).toEqual([
      ['Feb 2026', false],
      ['Jan 2026', true],
      ...['Dec 2025', 'Nov 2025', 'Oct 2025', 'Sep 2025'].map((label) => [label, null]),
    ])
    expect(items[1]?.tokens).toMatchObject({ '{{metric.Revenue}}': { figure: { result: { rows: [[50]] } } } })
    expect((await preview(await otherWorkspace())).status).toBe(404)
    const calendar: Calendar = { today: '2026-05-13', weekStart: 'monday', fiscalYearStart: 1, timeZone: 'UTC' }
    const days = (more: Partial<RelativeRange>, back: number) => {
      const range: RelativeRange = {
        kind: 'relative',
        span: 'last',
        unit: 'month',
        n: 1,
        includeCurrent: false,
        ...more,
      }
      const past = pastPeriod(range, calendar, back)
      const found = periodDays(past.range, { ...calendar, today: past.today })
      return found && [isoFromDay(found.from), isoFromDay(found.to)]
    }
    expect([days({}, 0), days({}, 5)]).toEqual([
      ['2026-04-01', '2026-04-30'],
      ['2025-11-01', '2025-11-30'],
    ])
    expect(days({ span: 'this' }, 2)).toEqual(['2026-03-01', '2026-03-31'])
    expect(days({ unit: 'week', n: 2, includeCurrent: true }, 1)).toEqual(['2026-04-06', '2026-04-26'])
  })

  it('goes on without a block that cannot be answered', async () => {
    const [gone, kept] = [
      await insight(me, { measures: [sumOf(orders, 2)] }),
      await insight(me, { measures: [sumOf(orders, 2)] }),
    ]
    const id = await report(me, [
      block('block1', { kind: 'insight', insight: gone.id }),
      block('block2', { kind: 'insight', insight: kept.id }),
      block('block3', {
        kind: 'kpis',
        figures: [gone, kept].map((one) => ({ subject: { kind: 'insight', id: one.id, measure: 0 } })),
      }),
    ])
    await me.fetch(`/api/insights/${gone.id}?version=1`, { method: 'DELETE' })
    const { byBlock } = await tiles(me, id)
    expect(byBlock.get('block1')).toMatchObject({ error: { code: 'not_found', requestId: expect.any(String) } })
    expect(chartOf(byBlock.get('block2')).result.rows).toEqual([[76.77]])
    expect(contentOf(byBlock.get('block3'))).toMatchObject({
      figures: [{ error: { code: 'not_found' } }, { result: { rows: [[76.77]] } }],
    })
    const some = await tiles(me, id, { blocks: ['block2'] })
    expect([...some.byBlock.keys()]).toEqual(['block2'])
  })

  it('is not found where there is none, and its draft is for editors', async () => {
    const id = await report(me, [])
    expect((await ask(me, id, { page: 'page99' })).status).toBe(404)
    expect((await ask(me, id, { blocks: ['block9'] })).status).toBe(404)
    expect((await ask(await otherWorkspace(app), id)).status).toBe(404)
    expect((await ask(me, id, { filters: [], page: 'x' })).status).toBe(422)
    const viewer = await signedIn({ app, workspaceId: me.workspaceId, role: 'viewer' })
    expect((await ask(viewer, id)).status).toBe(200)
    expect((await ask(viewer, id, { of: 'draft' })).status).toBe(403)
  })
})

describe('books and forecasts', () => {
  it('shows the statement that its own page shows, up to the month in which the period ends', async () => {
    const books = [
      'Verifikat;Datum;Konto;Kontonamn;Belopp',
      ...['A1;2026-01-10;1930;Bank;100,10', 'A1;2026-01-10;3010;Sales;-100,10'],
      ...['A2;2026-02-10;1930;Bank;20,20', 'A2;2026-02-10;3010;Sales;-20,20'],
    ].join('\n')
    const { id: source } = await createLedger(me, books)
    const shown = (statement: string) => ({ kind: 'statement', source, query: { statement, view: 'ytd' } })
    const id = await report(me, [block('block1', shown('income')), block('block2', shown('balance'))])
    const ofMonth = (month: string) => ({
      period: {
        range: { kind: 'absolute' as const, from: `${month}-01`, to: `${month}-28` },
        compare: 'none' as const,
      },
    })
    const statementOf = async (given: Partial<TilesRequestInput>) => {
      const content = contentOf((await tiles(me, id, given)).byBlock.get('block1'))
      if (content?.kind !== 'statement') throw new Error('no statement')
      return content.statement
    }
    const own = async (search: string): Promise<Statement> =>
      (await me.fetch(`/api/statements/${source}?view=ytd${search}`)).json()
    const { madeAt: _at, ...newest } = await own('')
    expect(await statementOf({})).toMatchObject(newest)
    expect((await statementOf(ofMonth('2026-01'))).through).toBe('2026-01')
    expect((await statementOf(ofMonth('2026-12'))).through).toBe('2026-02')
    const { madeAt: _then, ...january } = await own('&through=2026-01')
    expect(await statementOf(ofMonth('2026-01'))).toMatchObject(january)
  })

  it('says of a forecast without a result that there is none', async () => {
    const { id: forecast } = await sent<{ id: string }>(me, '/api/forecasts', {
      ...{ name: 'Ahead', subject: { kind: 'metric', id: metric.id }, grain: 'month', horizon: 3 },
    })
    const id = await report(me, [block('block1', { kind: 'forecast', forecast })])
    expect((await tiles(me, id)).byBlock.get('block1')).toMatchObject({ error: { code: 'not_found', what: 'run' } })
    const filled: Report = await sent(me, '/api/reports', { kind: 'interactive', name: 'Filled', template: 'board' })
    const shown = filled.draft?.pages.flatMap(({ blocks }) => blocks.flatMap(blockItems)) ?? []
    expect(shown).toEqual(expect.arrayContaining([forecast, metric.id]))
  })
})

describe('rights', () => {
  let at: GuardedWorkspace
  let id: string
  let [north, blind]: (SignedIn | null)[] = [null, null]
  beforeAll(async () => {
    at = await guardedWorkspace(app)
    const { owner, datasetId } = at
    ;[north, blind] = [await at.join('viewer'), await at.join('analyst')]
    const pay = await insight(owner, { measures: [sumOf(datasetId, 2)], dimensions: [{ field: field(datasetId, 1) }] })
    const mails = await insight(owner, {
      measures: [{ kind: 'column', agg: 'count' }],
      dimensions: [{ field: field(datasetId, 4) }],
    })
    const secret: Metric = await sent(owner, '/api/metrics', {
      ...{ name: 'Canary metric', dataset: datasetId, formula: 'count([email])' },
    })
    const blocks = [
      block('block1', { kind: 'insight', insight: pay.id }),
      block('block2', { kind: 'insight', insight: mails.id }),
      block('block3', { kind: 'text', text: 'Of {{metric.Canary metric}}' }),
      block('block4', { kind: 'kpis', figures: [{ subject: { kind: 'metric', id: secret.id } }] }),
    ]
    const filters = [{ id: 'filter1', label: 'canary', field: field(datasetId, 4) }]
    id = await report(owner, blocks, { filters })
    await tiles(owner, id)
    const hide = { columns: [{ key: 'c4' as const, grant: 'hide' as const }] }
    await savePolicy(owner, {
      rules: [
        onlyRegion(datasetId, 'North', { kind: 'member', id: north.userId }),
        { ...onlyRegion(datasetId, 'North', { kind: 'member', id: blind.userId }), ...hide },
      ],
    })
  })

  it('show a reader their own rows', async () => {
    if (!north) throw new Error('nobody')
    const { byBlock, lines } = await tiles(north, id)
    expect(chartOf(byBlock.get('block1')).result.rows).toEqual([
      ['Bo', 200.5],
      ['Ada', 100.25],
    ])
    expect(lines.filter((line) => !line.includes('block3')).join('')).not.toMatch(/Cleo|Dan Canary|98765/)
  })

  it('keep the names of what is hidden from who reads and edits', async () => {
    if (!blind) throw new Error('nobody')
    const { byBlock, lines } = await tiles(blind, id)
    expect(byBlock.get('block2')).toMatchObject({ error: { code: 'not_found' } })
    expect(lines.join('')).not.toMatch(/canary/i)
    const seen = await blind.fetch(`/api/reports/${id}`)
    const text = await seen.text()
    expect(text).not.toMatch(/canary/i)
    expect(JSON.parse(text)).toMatchObject({ draft: null, published: { filters: [] } })
    expect((await ask(blind, id, { of: 'draft' })).status).toBe(403)
    const { content }: { content?: unknown } = { content: JSON.parse(text).published }
    const put = await blind.fetch(`/api/reports/${id}`, { method: 'PUT', json: { name: 'Mine', content, version: 3 } })
    expect(put.status).toBe(403)
    // Whoever tries names learns nothing: one that is hidden is as unknown as one that is of nothing.
    const own: Report = await sent(blind, '/api/reports', { kind: 'interactive', name: 'Own' })
    const tried = async (name: string) => {
      const text = block('block1', { kind: 'text', text: `Of {{metric.${name}}}` })
      const pages = [{ id: 'page01', name: 'Page', blocks: [text] }]
      const json = { name: 'Own', content: { ...own.draft, pages }, version: own.version }
      const answer = await blind?.fetch(`/api/reports/${own.id}`, { method: 'PUT', json })
      const { requestId: _other, ...told } = (await answer?.json<{ requestId?: string; fields?: unknown }>()) ?? {}
      return [answer?.status, JSON.stringify(told).replaceAll(name, '…')]
    }
    expect(await tried('Canary metric')).toEqual(await tried('Nobody metric'))
    expect((await tried('Canary metric'))[0]).toBe(422)
  })
})
