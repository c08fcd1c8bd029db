import { beforeAll, describe, expect, it } from 'vitest'
import { plainSentenceOf } from '../../../test/worker/finding-text'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { askJson, confirmRelations, loadForeignFiles } from '../../../test/worker/foreign-files'
import type { FindingPage } from '../../shared/findings'
import type { Insight, SuggestedInsight } from '../../shared/insights'
import type { ListPage } from '../../shared/field-schemas'
import type { Metric, SuggestedMetric } from '../../shared/metrics'
import type { QueryPlanInput } from '../../shared/query/plan'
import type { Field } from '../../shared/query/field'
import type { QueryResult } from '../../shared/query/result'

/** A wholesaler whose books ended years ago: orders, and their lines without a date. Amounts in hundredths. */
interface Order {
  id: number
  day: string
  via: number | null
  freight: number
  lines: { product: number; quantity: number; total: number }[]
}
const DAY_MS = 86_400_000
const FIRST = Date.parse('2014-07-04')
const LAST = Date.parse('2016-05-06')

function madeOrders(): Order[] {
  const orders: Order[] = []
  for (let at = FIRST; at <= LAST; at += DAY_MS) {
    const n = (at - FIRST) / DAY_MS
    if ([0, 6].includes(new Date(at).getUTCDay())) continue
    // From January 2016 on every parcel costs three times as much.
    const dear = at >= Date.parse('2016-01-01') ? 3 : 1
    const lines = [1, 2].map((line) => {
      const quantity = ((n * 7 + line * 3) % 9) + 1
      return { product: ((n + line) % 11) + 1, quantity, total: quantity * (1000 + ((n * 13) % 17) * 10) }
    })
    const via = n % 3 === 0 ? null : (n % 3) + 1
    orders.push({
      id: 10_248 + orders.length,
      day: new Date(at).toISOString().slice(0, 10),
      via,
      lines,
      freight: (2000 + (n % 7) * 50) * dear,
    })
  }
  return orders
}
const money = (hundredths: number): string => (hundredths / 100).toFixed(2)
const ORDERS = madeOrders()
const FILES = {
  orders: [
    'OrderID,OrderDate,ShipVia,Freight,ShipRegion',
    ...ORDERS.map(({ id, day, via, freight }, n) => [id, day, via ?? '', money(freight), n % 2 ? 'North' : ''].join()),
  ].join('\n'),
  order_lines: [
    'OrderID,ProductID,Quantity,LineTotal,Discount',
    ...ORDERS.flatMap(({ id, lines }) =>
      lines.map(({ product, quantity, total }) => [id, product, quantity, money(total), '0.15'].join()),
    ),
  ].join('\n'),
}
/** By month, from the files themselves. */
function monthly(of: (order: Order) => number): Map<string, number> {
  const months = new Map<string, number>()
  for (const order of ORDERS) {
    const month = `${order.day.slice(0, 7)}-01`
    months.set(month, (months.get(month) ?? 0) + of(order))
  }
  return new Map([...months].map(([month, sum]) => [month, sum / 100]))
}
const LINE_TOTALS = monthly(({ lines }) => lines.reduce((sum, { total }) => sum + total, 0))
const FREIGHTS = monthly(({ freight }) => freight)
const asMonths = ({ rows }: QueryResult): Map<string, number> =>
  new Map(rows.map(([month, value]) => [String(month), Math.round(Number(value) * 100) / 100]))

describe('files of a business that ended years ago', () => {
  let me: SignedIn
  let [orders, lines] = ['', '']
  let date: Field = { dataset: '', column: 'c1' }
  beforeAll(async () => {
    me = await signedIn({ subscription: { state: 'active', planId: 'professional' } })
    const datasets = await loadForeignFiles(me, FILES)
    ;[orders, lines] = [datasets.get('orders') ?? '', datasets.get('order_lines') ?? '']
    date = { dataset: orders, column: 'c1' }
    expect(await confirmRelations(me)).toEqual(['order_lines.OrderID → orders.OrderID'])
  })
  const ask = (plan: QueryPlanInput): Promise<QueryResult> => askJson(me, '/api/query', { plan })
  const lineTotals = { kind: 'column', agg: 'sum', field: { dataset: '', column: 'c3' } } as const
  const ofLines = () => ({ ...lineTotals, field: { dataset: lines, column: 'c3' as const } })

  it('have their lines asked by the order’s date: in the split, in a period, in a filter and beside the year before', async () => {
    const plan: Omit<QueryPlanInput, 'dimensions'> = { v: 1, kind: 'aggregate', measures: [ofLines()], filters: [] }
    const split = [{ field: date, grain: 'month' as const }]
    expect(asMonths(await ask({ ...plan, dimensions: split }))).toEqual(LINE_TOTALS)
    const range = { kind: 'absolute', from: '2015-08-01', to: '2015-10-31' } as const
    const sumOf = (year: string) =>
      ['08', '09', '10'].reduce((sum, month) => sum + (LINE_TOTALS.get(`${year}-${month}-01`) ?? 0), 0)
    const compared = await ask({ ...plan, dimensions: [], period: { field: date, range, compare: 'year' } })
    expect(compared.rows[0]?.slice(0, 2).map(Number)).toEqual(
      [sumOf('2015'), sumOf('2014')].map((sum) => Math.round(sum * 100) / 100),
    )
    const filters = [{ field: date, any: [{ op: 'between' as const, from: '2015-08-01', to: '2015-10-31' }] }]
    expect(Number((await ask({ ...plan, dimensions: [], filters })).rows[0]?.[0])).toBeCloseTo(sumOf('2015'), 2)
  })

  /** The rows end on 6 May 2016. */
  const wholeMonths = (months: typeof LINE_TOTALS) => new Map([...months].filter(([month]) => month !== '2016-05-01'))

  it('have suggested insights that add up no key, are dated by the order, and tell what the files tell', async () => {
    const { items } = await askJson<ListPage<SuggestedInsight>>(me, '/api/starters')
    expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(['LineTotal by month', 'Freight by month']))
    for (const { name, plan, viz } of items) {
      expect(name).not.toMatch(/ShipVia|OrderID|ProductID/)
      if (name === 'LineTotal by month') expect(asMonths(await ask(plan))).toEqual(wholeMonths(LINE_TOTALS))
      if (name !== 'Freight by month') continue
      expect([viz.direction, asMonths(await ask(plan))]).toEqual(['down', wholeMonths(FREIGHTS)])
    }
  })

  it('have metrics by the order’s date, and findings in them', async () => {
    const { items } = await askJson<ListPage<SuggestedMetric>>(me, '/api/metrics/suggestions')
    const named = (name: string) => items.find(({ input }) => input.name === name)?.input
    expect(items.some(({ input }) => /ShipVia|sum\(\[(OrderID|ProductID)/.test(input.formula))).toBe(false)
    expect(named('LineTotal')).toMatchObject({ time: date, direction: 'up' })
    const made = await askJson<Metric>(me, '/api/metrics', named('LineTotal'))
    const byMonth = await ask({
      ...{ v: 2, kind: 'aggregate', measures: [{ kind: 'metric', id: made.id }], filters: [] },
      dimensions: [{ field: date, grain: 'month' }],
    })
    expect(asMonths(byMonth)).toEqual(LINE_TOTALS)
    const findings = await askJson<FindingPage>(me, `/api/findings?metric=${made.id}`)
    expect(findings.lookedAt).not.toBeNull()
    expect(findings.items.map(({ about }) => about.time)).toEqual(findings.items.map(() => date))
    // The order of 6 May 2016 is not a month.
    if (findings.items.length === 0) expect(findings.newest?.from).toBe('2016-04-01')
  })

  it('have a dearer freight told where it became dearer, as bad, without the months that are cut short', async () => {
    const field = { dataset: orders, column: 'c3' as const }
    const insight = await askJson<Insight>(me, '/api/insights', {
      name: 'Freight',
      viz: { chart: 'line', direction: 'down' },
      plan: {
        v: 1,
        kind: 'aggregate',
        measures: [{ kind: 'column', agg: 'sum', field, label: 'Freight' }],
        dimensions: [{ field: date, grain: 'month' }],
        filters: [],
      },
    })
    const { items } = await askJson<FindingPage>(me, `/api/insights/${insight.id}/findings?limit=50`)
    const shift = items.find(({ kind, member }) => kind === 'levelShift' && member === null)
    expect([shift?.period.from, shift?.period.to, shift?.tone]).toEqual(['2016-01-01', '2016-04-01', 'bad'])
    const since = ['2016-01-01', '2016-02-01', '2016-03-01', '2016-04-01']
    expect(Number(shift?.effect.value)).toBeCloseTo(
      since.reduce((sum, month) => sum + (FREIGHTS.get(month) ?? 0), 0),
      2,
    )
    expect(items.filter(({ kind }) => kind === 'trendBreak')).toEqual([])
    for (const { period, about } of items) {
      expect([period.from >= '2014-08-01', period.to <= '2016-04-01']).toEqual([true, true])
      expect(about.dimensions.map(({ label }) => label)).not.toContain('OrderID')
    }
    const empty = items.find(({ member }) => member?.value === null)
    if (empty) expect(plainSentenceOf(empty)).toContain(`${empty.member?.label ?? ''} is empty`)
  })

  it('have no finding in what adds up a key', async () => {
    const field = { dataset: orders, column: 'c2' as const }
    const insight = await askJson<Insight>(me, '/api/insights', {
      name: 'Carriers',
      viz: { chart: 'line', direction: 'up' },
      plan: {
        v: 1,
        kind: 'aggregate',
        measures: [{ kind: 'column', agg: 'sum', field }],
        dimensions: [{ field: date, grain: 'month' }],
        filters: [],
      },
    })
    expect((await askJson<FindingPage>(me, `/api/insights/${insight.id}/findings`)).items).toEqual([])
  })
})
