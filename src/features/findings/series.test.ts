import { beforeAll, describe, expect, it } from 'vitest'
import { askedTogether, queryDimensions, queryTotals } from './series'
import type { CandidateMetric } from './candidate-metrics'
import type { ChosenBreakdown } from './breakdowns'
import { depsAt } from '../../../test/worker/deps'
import { signedIn } from '../../../test/worker/factories'
import { loadedDataset } from '../../../test/worker/loaded-dataset'
import { column } from '../../../test/worker/warehouse-rows'
import { Scope } from '../../scope'
import { queryService, type QueryService } from '../../semantic/query-service'
import { dayFromIso } from '../../shared/dates'
import { PLAN_MEASURES_MAX } from '../../shared/limits'
import { isLeafMeasure } from '../../shared/query/plan-fields'
import type { Measure } from '../../shared/query/plan'

const GBP = { style: 'currency', currency: 'GBP' } as const
const COLUMNS = [
  column(0, { type: 'date', role: 'time', label: 'Day' }),
  column(1, { type: 'text', label: 'Region' }),
  column(2, { type: 'text', label: 'Customer' }),
  column(3, { ...{ type: 'number', scale: 2, role: 'measure', label: 'Amount' }, format: GBP }),
  column(4, { type: 'integer', role: 'measure', label: 'Quantity' }),
]
const FIRST = dayFromIso('2026-01-01') ?? 0
const ROWS = Array.from({ length: 900 }, (_, n) => [
  ...[FIRST + (n % 90), n % 11 === 0 ? null : `Region ${n % 4}`, `Customer ${n % 300}`],
  ...[n % 7 === 0 ? null : ((n * 37) % 1000) - 200, (n * 13) % 50],
])
const WINDOW = {
  grain: 'month',
  from: '2026-01-01',
  to: '2026-03-31',
  buckets: ['2026-01', '2026-02', '2026-03'],
} as const

describe('figures that are asked about together', () => {
  const calls: number[] = []
  let service: QueryService
  let metrics: CandidateMetric[]
  let splits: Record<'few' | 'many', ChosenBreakdown>

  beforeAll(async () => {
    const me = await signedIn({ timeZone: 'UTC' })
    const dataset = await loadedDataset(me.workspaceId, ROWS, COLUMNS)
    const scope = Scope.forJob({ workspaceId: me.workspaceId, userId: me.userId, epoch: '1.1' })
    const calendar = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-04-02' } as const
    const inner = queryService(depsAt(Date.UTC(2026, 3, 2)), { scope, calendar })
    service = {
      ...inner,
      answer: (plan) => {
        calls.push(plan.measures.length)
        return inner.answer(plan)
      },
    }
    const field = (key: 'c0' | 'c1' | 'c2' | 'c3' | 'c4') => ({ dataset, column: key })
    const measures: Measure[] = [
      { kind: 'column', agg: 'sum', field: field('c3') },
      { kind: 'column', agg: 'sum', field: field('c4') },
      { kind: 'column', agg: 'avg', field: field('c3') },
      { kind: 'column', agg: 'count', dataset },
    ]
    metrics = measures.map((measure, n) => ({
      ...{ key: `m${n}`, label: `Metric ${n}`, dataset, metric: null, insights: [], measure, filters: [] },
      ...{ time: field('c0'), direction: 'none', currency: undefined, targets: [], groupings: [], preferred: [] },
    }))
    splits = {
      few: { key: 'few', label: 'Region', field: field('c1'), values: 4 },
      many: { key: 'many', label: 'Customer', field: field('c2'), values: 300 },
    }
  })
  const alone = async <T>(ask: (some: readonly CandidateMetric[]) => Promise<T[]>): Promise<T[]> =>
    (await Promise.all(metrics.map((metric) => ask([metric])))).flat()

  it('get from one query what each would get from its own', async () => {
    const window = { ...WINDOW, buckets: [...WINDOW.buckets] }
    calls.length = 0
    const totals = await queryTotals(service, metrics, window)
    const regions = await queryDimensions(service, metrics, { window, split: splits.few })
    // Sums, how many were averaged, and how many rows there are: each once.
    expect(calls).toEqual([4, 4])
    expect(regions[0]?.members).toHaveLength(5)
    expect(totals).toEqual(await alone((some) => queryTotals(service, some, window)))
    const byName = (all: typeof regions) =>
      all.map((each) => each?.members.toSorted((a, b) => String(a.member).localeCompare(String(b.member))))
    expect(byName(regions)).toEqual(
      byName(await alone((some) => queryDimensions(service, some, { window, split: splits.few }))),
    )
  })

  it('show an average as what it is of, and how many times one amount goes into another as a plain figure', async () => {
    const [sum, quantity, average] = metrics
    if (!sum || !quantity || !average) throw new Error('three figures')
    const perPiece: Measure = { kind: 'calc', op: 'divide', left: sum.measure, right: quantity.measure }
    const asked = [sum, average, { ...sum, key: 'piece', measure: perPiece }]
    const totals = await queryTotals(service, asked, { ...WINDOW, buckets: [...WINDOW.buckets] })
    expect(totals.map((each) => each?.shown.format)).toEqual([GBP, GBP, { style: 'plain' }])
  })

  it('have largest members of their own where these are too many to be told', async () => {
    const window = { ...WINDOW, buckets: [...WINDOW.buckets] }
    const asked = { window, split: splits.many }
    const customers = await queryDimensions(service, metrics, asked)
    expect(customers).toEqual(await alone((some) => queryDimensions(service, some, asked)))
    expect(customers.map((each) => each?.other?.members)).toEqual([100, 100, 100, 100])
  })

  it('are those over the same rows, conditions and splits, and their differences; a product of them has a query of its own', () => {
    const window = { ...WINDOW, buckets: [...WINDOW.buckets] }
    const [sum, quantity, average, count] = metrics
    if (!sum || !quantity || !average || !count) throw new Error('four figures')
    const elsewhere = { ...sum, key: 'there', measure: { kind: 'column', agg: 'count', dataset: 'ds_other' } as const }
    const limited = {
      ...quantity,
      key: 'limited',
      filters: [{ field: splits.few.field, any: [{ op: 'eq' as const, value: 'Region 1' }] }],
    }
    const difference = {
      ...sum,
      key: 'difference',
      measure: { kind: 'calc', op: 'subtract', left: sum.measure, right: quantity.measure } as const,
    }
    const product = { ...difference, key: 'product', measure: { ...difference.measure, op: 'multiply' } as const }
    const groupsOf = (all: CandidateMetric[]): string[][] =>
      askedTogether(all.map((asked) => ({ asked, window, splits: [splits.few] }))).map((group) =>
        group.map(({ asked }) => asked.key),
      )
    const again = { ...sum, key: 'm5' }
    expect(groupsOf([sum, elsewhere, quantity, limited, difference, product, average, count, again])).toEqual([
      ['m0', 'm1', 'difference', 'm2', 'm3', 'm5'],
      ['there'],
      ['limited'],
      ['product'],
    ])
  })

  it('answers a difference beside its parts as it answers it alone', async () => {
    const window = { ...WINDOW, buckets: [...WINDOW.buckets] }
    const [sum, quantity] = metrics
    if (!sum || !quantity) throw new Error('two figures')
    const measure = { kind: 'calc', op: 'subtract', left: sum.measure, right: quantity.measure } as const
    const some = [sum, { ...sum, key: 'difference', measure }, quantity]
    const each = async <T>(ask: (metric: CandidateMetric) => Promise<T[]>): Promise<T[]> =>
      (await Promise.all(some.map(ask))).flat()
    expect(await queryTotals(service, some, window)).toEqual(await each((one) => queryTotals(service, [one], window)))
    const sorted = (all: Awaited<ReturnType<typeof queryDimensions>>) =>
      all.map((one) => one?.members.toSorted((a, b) => String(a.member).localeCompare(String(b.member))))
    const at = { window, split: splits.few }
    expect(sorted(await queryDimensions(service, some, at))).toEqual(
      sorted(await each((one) => queryDimensions(service, [one], at))),
    )
  })

  it('are as many as a plan has room for the measures of', async () => {
    const window = { ...WINDOW, buckets: [...WINDOW.buckets] }
    const [sum, quantity, average, count] = metrics
    if (!sum || !quantity || !average || !count) throw new Error('four figures')
    const filter = [{ field: splits.few.field, any: [{ op: 'eq' as const, value: 'Region 1' }] }]
    const within = [average, sum, quantity].map((each) => ({
      ...{
        ...each,
        key: `${each.key} of one region`,
        measure: isLeafMeasure(each.measure) ? { ...each.measure, filter } : each.measure,
      },
    }))
    const groups = askedTogether([average, ...within, count, quantity].map((asked) => ({ asked, window, splits: [] })))
    expect(groups.map((group) => group.map(({ asked }) => asked.key))).toEqual([
      ['m2'],
      ['m2 of one region', 'm0 of one region', 'm1 of one region', 'm3'],
      ['m1'],
    ])
    calls.length = 0
    for (const group of groups) {
      const some = group.map(({ asked }) => asked)
      const totals = await queryTotals(service, some, window)
      expect(totals).toEqual(await Promise.all(some.map(async (one) => (await queryTotals(service, [one], window))[0])))
    }
    expect(Math.max(...calls)).toBeLessThanOrEqual(PLAN_MEASURES_MAX)
  })
})
