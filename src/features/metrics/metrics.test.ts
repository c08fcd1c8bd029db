import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { createLedger, amountColumn, dayColumn, createLoadedSource, textColumn } from '../../../test/worker/loads'
import type { Metric, MetricDependent, FormulaReading, SuggestedMetric } from '../../shared/metrics'
import type { ListPage } from '../../shared/field-schemas'
import type { Measure, QueryPlanInput } from '../../shared/query/plan'
import type { QueryResult } from '../../shared/query/result'

const columns = [dayColumn(0), textColumn(1, 'customer'), textColumn(2, 'region'), amountColumn(3)]
const CSV = `day,customer,region,amount
2026-01-05,Ada,North,100
2026-01-20,Bo,South,50
2026-02-03,Ada,North,30
2026-04-09,Bo,North,20`
async function orders(me: SignedIn): Promise<string> {
  const { datasetId: dataset } = await createLoadedSource(me, CSV, { name: 'Orders', columns })
  return dataset
}
type Body = Record<string, unknown>
const make = (me: SignedIn, json: Body) => me.fetch('/api/metrics', { method: 'POST', json })
async function made(me: SignedIn, json: Body): Promise<Metric> {
  const answer = await make(me, json)
  expect([answer.status, answer.status === 201 ? '' : await answer.clone().text()]).toEqual([201, ''])
  return answer.json<Metric>()
}
const change = (me: SignedIn, metric: Metric, json: Body) => {
  const { name, synonyms, description, dataset, formula, filters, time, direction, format, currencyMode } = metric
  const content = { name, synonyms, description, dataset, formula, filters, time, direction, format, currencyMode }
  const body = { ...content, version: metric.version, ...json }
  return me.fetch(`/api/metrics/${metric.id}`, { method: 'PUT', json: body })
}
const get = async (me: SignedIn, id: string): Promise<Metric> => (await me.fetch(`/api/metrics/${id}`)).json()
const planOf = (measures: QueryPlanInput['measures'], more: Partial<QueryPlanInput> = {}): QueryPlanInput => ({
  ...{ v: 2, kind: 'aggregate', measures, dimensions: [], filters: [] },
  ...more,
})
const asked = (me: SignedIn, plan: QueryPlanInput) => me.fetch('/api/query', { method: 'POST', json: { plan } })
const figures = async (me: SignedIn, plan: QueryPlanInput): Promise<QueryResult> => (await asked(me, plan)).json()

describe('metrics', () => {
  it('stand for their formula in every question: filters, name and format included', async () => {
    const me = await signedIn()
    const dataset = await orders(me)
    const north = [{ field: { dataset, column: 'c2' }, any: [{ op: 'eq', value: 'North' }] }]
    const revenue = await made(me, { name: 'Revenue', synonyms: ['Sales'], dataset, formula: 'sum([amount])' })
    const early = { name: 'Share', dataset, formula: 'safe_divide([Northern], [sales])' }
    expect((await make(me, early)).status).toBe(422)
    await made(me, { name: 'Northern', dataset, formula: '[Revenue] * 1', filters: north })
    const part = await made(me, {
      ...{ name: 'Share of the north', dataset, format: { style: 'percent' } },
      formula: 'safe_divide( [northern] , [SALES] )',
    })
    expect(part.formula).toBe('safe_divide([Northern], [Revenue])')
    const answer = await figures(
      me,
      planOf([
        { kind: 'metric', id: part.id },
        { kind: 'metric', id: revenue.id, label: 'All' },
      ]),
    )
    expect(answer).toMatchObject({
      rows: [[0.75, 200]],
      columns: [{ label: 'Share of the north', format: { style: 'percent' } }, { label: 'All' }],
      words: 'Share of the north and All',
    })
  })

  it('run over time: earlier months and totals of the year, though a month is missing', async () => {
    const me = await signedIn()
    const dataset = await orders(me)
    const time = { dataset, column: 'c0' }
    const before = await make(me, { name: 'Growth', dataset, formula: 'sum([amount]) - prev(sum([amount]))' })
    expect([before.status, await before.json()]).toMatchObject([
      422,
      { fields: { time: expect.stringContaining('date column') } },
    ])
    const growth = await made(me, { name: 'Growth', dataset, formula: 'sum([amount]) - prev(sum([amount]))', time })
    const year = await made(me, { name: 'So far', dataset, formula: 'cumulative(sum([amount]), year)', time })
    const plan = planOf(
      [
        { kind: 'metric', id: growth.id },
        { kind: 'metric', id: year.id },
      ],
      { dimensions: [{ field: { dataset, column: 'c0' }, grain: 'month' }], totals: true },
    )
    const answer = await figures(me, plan)
    expect(answer.rows).toEqual([
      ['2026-01-01', null, 150],
      ['2026-02-01', -120, 180],
      ['2026-04-01', null, 200],
    ])
    expect(answer.totals).toEqual([null, null, 200])
    const page = await figures(me, { ...plan, limit: 1, offset: 1, having: [{ measure: 1, op: 'ge', value: 180 }] })
    expect([page.rows, page.rowCount, page.truncated]).toEqual([[['2026-04-01', null, 200]], 2, false])
    const untimed = await asked(me, planOf([{ kind: 'metric', id: year.id }]))
    expect([untimed.status, (await untimed.json<{ message: string }>()).message]).toEqual([
      422,
      'Earlier periods, running totals and moving averages need one breakdown by date.',
    ])
  })

  it('have names and synonyms that mean one thing in a workspace', async () => {
    const [me, other] = [await signedIn(), await signedIn()]
    const dataset = await orders(me)
    const first = await made(me, { name: 'Revenue', synonyms: ['Sales'], dataset, formula: 'sum([amount])' })
    for (const names of [{ name: 'sales' }, { name: 'Turnover', synonyms: ['REVENUE'] }]) {
      const answer = await make(me, { ...names, dataset, formula: 'count(*)' })
      expect([answer.status, (await answer.json<{ code: string }>()).code]).toEqual([409, 'name_taken'])
    }
    expect((await make(me, { name: 'A', synonyms: ['a'], dataset, formula: 'count(*)' })).status).toBe(422)
    expect((await change(me, first, { name: 'Turnover', synonyms: [] })).status).toBe(200)
    await made(me, { name: 'Sales', dataset, formula: 'count(*)' })
    const theirs = await orders(other)
    await made(other, { name: 'Turnover', dataset: theirs, formula: 'count(*)' })
    expect((await make(other, { name: 'Mine', dataset, formula: 'count(*)' })).status).toBe(404)
  })

  it('keep their formula readable when a column or a metric gets another name', async () => {
    const me = await signedIn()
    const dataset = await orders(me)
    const revenue = await made(me, { name: 'Revenue', dataset, formula: 'sum([amount])' })
    const twice = await made(me, { name: 'Twice', dataset, formula: '2*[revenue]' })
    await change(me, revenue, { name: 'Turnover' })
    expect(await get(me, twice.id)).toMatchObject({ formula: '2 * [Turnover]', measure: { right: { id: revenue.id } } })
  })

  it('never name each other in a circle', async () => {
    const me = await signedIn()
    const dataset = await orders(me)
    const a = await made(me, { name: 'A', dataset, formula: 'sum([amount])' })
    const b = await made(me, { name: 'B', dataset, formula: '[A] * 2' })
    const c = await made(me, { name: 'C', dataset, formula: '[B] * 2' })
    for (const formula of ['[C] + 1', '[A] + 1']) {
      const answer = await change(me, a, { formula })
      expect(answer.status).toBe(422)
      expect((await answer.json<{ fields: { formula: string } }>()).fields.formula).toMatch(/^Circular metrics: A → /)
    }
    const names = ['D', 'E', 'F']
    let last = c
    for (const [i, name] of names.entries()) {
      const answer = await make(me, { name, dataset, formula: `[${last.name}] * 2` })
      expect(answer.status).toBe(i < 2 ? 201 : 422)
      if (i < 2) last = await answer.json<Metric>()
    }
    expect((await figures(me, planOf([{ kind: 'metric', id: last.id }]))).rows).toEqual([[200 * 16]])
    await made(me, { name: 'Root', dataset, formula: 'sum([amount])' })
    const longer = await change(me, a, { formula: '[Root]' })
    expect([longer.status, (await longer.json<{ message: string }>()).message]).toEqual([
      422,
      'E would nest more than 5 metrics.',
    ])
    expect(b.version).toBe(1)
  })

  it('never stand for more than can be added up at once, however they name each other', async () => {
    const me = await signedIn()
    const dataset = await orders(me)
    const names = ['A', 'B', 'C', 'D', 'E']
    const chain: Metric[] = []
    for (const name of names) chain.push(await made(me, { name, dataset, formula: 'count(*)' }))
    // Each names the next one twenty times, the outermost first: 20 to the 5th in all.
    const twenty = (term: string) => {
      const five = `(${Array.from({ length: 5 }, () => term).join('+')})`
      return `(${five}+${five})+(${five}+${five})`
    }
    const answers: [number, string | undefined][] = []
    for (const [at, metric] of chain.entries()) {
      const next = names[at + 1]
      const answer = await change(me, metric, { formula: twenty(next === undefined ? 'count(*)' : `[${next}]`) })
      answers.push([answer.status, (await answer.json<{ message?: string }>()).message])
    }
    const refused = [422, 'A would have more than 20 aggregates.']
    expect(answers.slice(0, 2)).toEqual([[200, undefined], refused])
    // What two changes at once come to is refused when it is asked, before it is spelled out.
    for (const [at, { id }] of chain.slice(0, -1).entries()) {
      const next = { kind: 'metric' as const, id: chain[at + 1]?.id ?? '' }
      const many = Array.from({ length: 19 }).reduce<Measure>(
        (left) => ({ kind: 'calc', op: 'add', left, right: next }),
        next,
      )
      await env.DB.prepare('UPDATE metrics SET measure = ? WHERE id = ?').bind(JSON.stringify(many), id).run()
    }
    const answer = await asked(me, planOf([{ kind: 'metric', id: chain[0]?.id ?? '' }]))
    expect([answer.status, await answer.json()]).toMatchObject([422, { code: 'query_too_complex', max: 20 }])
    // And it is in nobody's way.
    await made(me, { name: 'Apart', dataset, formula: 'count(*)' })
  })

  it('have conditions of a size that can be repeated wherever they are named', async () => {
    const me = await signedIn()
    const dataset = await orders(me)
    const among = (n: number) => ({
      field: { dataset, column: 'c1' },
      any: [{ op: 'in', values: Array.from({ length: n }, (_, i) => `A customer with the number ${i}`) }],
    })
    await made(me, { name: 'Some', dataset, formula: 'count(*)', filters: [among(900)] })
    const refused = await make(me, { name: 'Many', dataset, formula: 'count(*)', filters: [among(600), among(600)] })
    const { fields } = await refused.json<{ fields: { filters: string } }>()
    expect([refused.status, fields.filters]).toEqual([422, expect.stringMatching(/^Too many values in filters/)])
  })

  it('say what is wrong with a formula, and where', async () => {
    const me = await signedIn()
    const dataset = await orders(me)
    const read = async (formula: string): Promise<FormulaReading> =>
      (await me.fetch('/api/metrics/formula', { method: 'POST', json: { dataset, formula } })).json()
    expect(await read('sum( [Amount] )')).toEqual({
      ok: true,
      formula: 'sum([amount])',
      measure: { kind: 'column', agg: 'sum', field: { dataset, column: 'c3' } },
    })
    expect(await read('sum([amuont])')).toMatchObject({
      ok: false,
      errors: [{ from: 4, to: 12, suggestion: '[amount]' }],
    })
    const refused = await make(me, { name: 'Wrong', dataset, formula: 'sum([region])' })
    expect([refused.status, (await refused.json<{ message: string }>()).message]).toEqual([
      422,
      'Works on numbers only.',
    ])
  })

  it('name what uses them before they are changed or deleted', async () => {
    const me = await signedIn()
    const dataset = await orders(me)
    const time = { dataset, column: 'c0' }
    const revenue = await made(me, { name: 'Revenue', dataset, formula: 'sum([amount])', time })
    await made(me, { name: 'Twice', dataset, formula: '[Revenue] * 2' })
    const plan = planOf([{ kind: 'metric', id: revenue.id }])
    const insight = { name: 'How much?', plan, viz: { chart: 'number' } }
    expect((await me.fetch('/api/insights', { method: 'POST', json: insight })).status).toBe(201)
    const forecast = { name: 'What comes?', subject: { kind: 'metric', id: revenue.id }, horizon: 3 }
    expect((await me.fetch('/api/forecasts', { method: 'POST', json: forecast })).status).toBe(201)
    const used = await (await me.fetch(`/api/metrics/${revenue.id}/dependents`)).json<ListPage<MetricDependent>>()
    expect(used.items.map(({ type, name }) => [type, name])).toEqual([
      ['insight', 'How much?'],
      ['metric', 'Twice'],
      ['forecast', 'What comes?'],
    ])
    const remove = (force: 0 | 1) =>
      me.fetch(`/api/metrics/${revenue.id}?version=1&force=${force}`, { method: 'DELETE' })
    const kept = await remove(0)
    expect([kept.status, await kept.json()]).toMatchObject([409, { code: 'in_use', dependents: used.items }])
    expect((await remove(1)).status).toBe(200)
    expect((await asked(me, plan)).status).toBe(404)
    expect((await me.fetch(`/api/metrics/${revenue.id}`)).status).toBe(404)
  })

  it('are vouched for as they are: any change of what they mean ends it, another name does not', async () => {
    const me = await signedIn()
    const dataset = await orders(me)
    const analyst = await signedIn({ workspaceId: me.workspaceId, role: 'analyst' })
    const revenue = await made(me, { name: 'Revenue', dataset, formula: 'sum([amount])' })
    const twice = await made(me, { name: 'Twice', dataset, formula: '[Revenue] * 2' })
    const verify = (who: SignedIn, metric: Metric) =>
      who.fetch(`/api/metrics/${metric.id}/verify`, { method: 'POST', json: { version: metric.version } })
    expect((await verify(analyst, twice)).status).toBe(403)
    expect(await (await verify(me, twice)).json()).toMatchObject({ verified: { by: me.userId } })
    const renamed = await (await change(analyst, revenue, { name: 'Turnover' })).json<Metric>()
    expect((await get(me, twice.id)).verified).toMatchObject({ by: me.userId })
    await change(analyst, renamed, { formula: 'sum([amount]) * 2' })
    expect((await get(me, twice.id)).verified).toBeNull()
    const { items } = await (await me.fetch('/api/metrics')).json<ListPage<Metric>>()
    expect(items.map(({ name, verified }) => [name, verified])).toEqual([
      ['Turnover', null],
      ['Twice', null],
    ])
    await verify(me, await get(me, twice.id))
    const off = await me.fetch(`/api/metrics/${twice.id}/verify?version=${twice.version}`, { method: 'DELETE' })
    expect([off.status, (await off.json<Metric>()).verified]).toEqual([200, null])
    const stale = await change(me, revenue, {})
    expect([stale.status, await stale.json()]).toMatchObject([
      409,
      { code: 'version_conflict', current: { version: 3 } },
    ])
  })

  it('are suggested from columns, and kept as they are suggested', async () => {
    const me = await signedIn()
    expect(await suggested(me)).toEqual([])
    await orders(me)
    const items = await suggested(me)
    expect(items.map(({ input }) => [input.name, input.formula])).toEqual([
      ['amount', 'sum([amount])'],
      ['Count of Orders', 'count(*)'],
      ['Distinct count of customer', 'countdistinct([customer])'],
    ])
    for (const { input } of items) {
      const metric = await made(me, input)
      expect((await asked(me, planOf([{ kind: 'metric', id: metric.id }]))).status).toBe(200)
    }
    expect(await suggested(me)).toEqual([])
  })

  it('are not suggested again under another name, and are where they are of other rows', async () => {
    const me = await signedIn()
    await orders(me)
    const [amount] = await suggested(me)
    if (!amount) throw new Error('nothing suggested')
    const filters = [{ field: { dataset: amount.input.dataset, column: 'c2' }, any: [{ op: 'notEmpty' }] }]
    const some = await made(me, { ...amount.input, name: 'Some sales', filters })
    expect((await suggested(me)).map(({ input }) => input.name)).toContain('amount')
    await change(me, some, { filters: [] })
    expect((await suggested(me)).map(({ input }) => input.name)).not.toContain('amount')
  })

  it('say of two ledgers whose figures they are', async () => {
    const me = await signedIn()
    const books = ['#FLAGGA 0', '#SIETYP 4', '#FNAMN "Alfa AB"', '#RAR 0 20240101 20241231', '#KONTO 3010 "Sales"']
    const voucher = ['#VER A 1 20240115', '{', '#TRANS 3010 {} -10', '#TRANS 1930 {} 10', '}']
    for (const [at, name] of ['Alfa', 'Beta'].entries())
      await createLedger(me, [...books, `#ORGNR 556000-000${at}`, ...voucher].join('\r\n'), name)
    const revenues = (await suggested(me)).filter(({ input }) => input.name.startsWith('Revenue'))
    expect(revenues.map(({ datasetName }) => datasetName).toSorted()).toEqual(['Alfa', 'Beta'])
    expect(revenues.map(({ input }) => input.name).toSorted()).toEqual([
      'Revenue',
      expect.stringMatching(/^Revenue \((Alfa|Beta)\)$/),
    ])
  })
})

const suggested = async (me: SignedIn): Promise<SuggestedMetric[]> =>
  (await (await me.fetch('/api/metrics/suggestions')).json<ListPage<SuggestedMetric>>()).items
