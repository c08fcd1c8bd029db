import { describe, expect, it } from 'vitest'
import { column, warehouse } from '../../../test/worker/warehouse-driver'
import type { ScopeWire } from '../../identity/scope'
import { unwrap } from '../../shared/errors'
import type { QueryPlan } from '../../shared/query/plan'
import type { QueryResult } from '../../shared/query/result'
import { dayFromCivil, type Calendar } from '../../shared/dates'
import type { ColumnKey } from '../../shared/data-sources/files'

const CALENDAR: Calendar = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 7, today: '2026-03-15' }
const MANY = 60_000
const FIRST = dayFromCivil({ year: 2024, month: 1, day: 1 })
const COLUMNS = [column(0), column(1, 'number:2'), column(2), column(3, 'date'), column(4)]
/** Ten groups, amounts of which some are empty, a secret, days of two years, and a name for every row. */
const rows = (count = MANY) =>
  Array.from({ length: count }, (_, n) => [
    n % 11 === 0 ? null : `G${n % 10}`,
    n % 7 === 0 ? null : (n % 100) - 20,
    n % 3 === 0 ? 'x' : 'y',
    FIRST + ((n * 37) % 730),
    `Row ${n}`,
  ])

async function scene() {
  const driver = warehouse()
  const { load, scope, stub } = driver
  const { datasetId } = await load({ columns: COLUMNS, rows: rows() })
  const field = (key: ColumnKey) => ({ dataset: datasetId, column: key })
  const planOf = (more: Partial<QueryPlan> = {}): QueryPlan => ({
    v: 1,
    kind: 'aggregate',
    measures: [
      { kind: 'column', agg: 'sum', field: field('c1') },
      { kind: 'column', agg: 'avg', field: field('c1') },
      { kind: 'column', agg: 'min', field: field('c1') },
      { kind: 'column', agg: 'count', dataset: datasetId },
    ],
    dimensions: [{ field: field('c3'), grain: 'month' }, { field: field('c0') }],
    filters: [],
    period: {
      field: field('c3'),
      range: { kind: 'absolute', from: '2024-02-01', to: '2025-11-30' },
      compare: 'none',
      completeOnly: false,
    },
    ...more,
  })
  const ask = async (plan: QueryPlan, who: ScopeWire = scope): Promise<QueryResult> =>
    unwrap(await stub().query(who, { plan, calendar: CALENDAR }))
  const prepare = async (plans: QueryPlan[]) => unwrap(await stub().prepare(scope, { plans, calendar: CALENDAR }))
  /** Under a calendar of another name nothing is kept: the same answer, another question. */
  const renamed = (plan: QueryPlan): QueryPlan => ({
    ...plan,
    measures: plan.measures.map((measure, n) => ({ ...measure, label: `Again ${n}` })),
  })
  return { ...driver, datasetId, field, planOf, ask, prepare, renamed }
}

describe('what is made by month before it is asked', () => {
  it('answers questions by whole months as the rows do, and no others', async () => {
    const { planOf, field, ask, prepare, renamed } = await scene()
    const { period } = planOf()
    if (!period) throw new Error('the plan has a period')
    const ofQuarters = planOf({ dimensions: [{ field: field('c3'), grain: 'fiscalQuarter' }] })
    const filtered = planOf({ filters: [{ field: field('c0'), any: [{ op: 'in', values: ['G1', null] }] }] })
    const top = planOf({
      dimensions: [
        { field: field('c3'), grain: 'month' },
        { field: field('c0'), topN: 3 },
      ],
    })
    const compared = planOf({ dimensions: [{ field: field('c0') }], period: { ...period, compare: 'year' } })
    const whole = [planOf(), ofQuarters, filtered, top, compared]
    const before: QueryResult[] = []
    for (const plan of whole) before.push(await ask(plan))
    expect(before.some(({ rolled }) => rolled)).toBe(false)
    expect(await prepare(whole)).toEqual(whole.map(() => true))
    for (const [n, plan] of whole.entries()) {
      const after = await ask(renamed(plan))
      expect([n, after.rolled, after.rows]).toEqual([n, true, before[n]?.rows])
    }
  })

  it('leaves out what does not fold, and answers nothing once the rows are others', async () => {
    const { planOf, field, ask, prepare, renamed, load, datasetId } = await scene()
    const named = planOf({ dimensions: [{ field: field('c3'), grain: 'month' }, { field: field('c4') }] })
    const days = planOf({ dimensions: [{ field: field('c3'), grain: 'day' }] })
    const { period } = planOf()
    const within =
      period && planOf({ period: { ...period, range: { kind: 'absolute', from: '2024-02-02', to: '2025-11-30' } } })
    expect(await prepare([named, planOf(), days, within ?? named])).toEqual([false, true, false, false])
    expect((await ask(days)).rolled).toBeUndefined()
    await load({ datasetId, mode: 'append', columns: COLUMNS, rows: [['G1', 500, 'x', FIRST + 40, 'New']] })
    expect((await ask(renamed(planOf()))).rolled).toBeUndefined()
    expect(await prepare([planOf()])).toEqual([true])
    expect((await ask({ ...renamed(planOf()), totals: true })).rolled).toBe(true)
  })

  it('shows a limited member nothing of what is kept from them', async () => {
    const { planOf, field, ask, prepare, scope, datasetId } = await scene()
    await prepare([planOf()])
    const filters = [{ field: field('c2'), any: [{ op: 'eq' as const, value: 'x' }] }]
    const ruled: ScopeWire = { ...scope, rowFilters: [{ dataset: datasetId, filters }] }
    const limited = await ask(planOf(), ruled)
    const asked = await ask(planOf({ filters }))
    expect([limited.rolled, limited.rows]).toEqual([undefined, asked.rows])
  })
})
