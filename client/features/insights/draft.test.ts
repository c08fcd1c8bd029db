import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CHARTS, vizSchema } from '../../../src/shared/insights'
import { queryPlanSchema } from '../../../src/shared/query'
import type { Filter, Measure, QueryPlan } from '../../../src/shared/query'
import { EMPTY_DRAFT } from './draft'
import type { PlanDraft } from './draft'
import { defaultDraft } from './draft-defaults'
import { measureDraft, measureOf } from './draft-measures'
import { buildPlan, chartsFor, draftOf } from './draft-plan'
import { draftReducer } from './draft-reducer'
import type { DraftAction } from './draft-reducer'
import { draftName } from './draft-words'
import { CUSTOMER_OF, CUSTOMERS, field, MONTHLY, ORDERS } from './samples'
import type { FieldKey } from '../../lib/filters/fields'
import { filterDraft, filterOf, operatorsOf, scalarOf } from '../../lib/filters/filter-draft'
import { linkDataset } from '../../lib/filters/linked-datasets'

const TODAY = '2026-11-21'
const HISTORY = { from: '2023-12-01', to: '2026-11-14' }
const VIZ = { chart: 'line', direction: 'up' } as const
const start = (): PlanDraft => defaultDraft(linkDataset(ORDERS, [ORDERS, CUSTOMERS], [CUSTOMER_OF]), HISTORY, TODAY)
const keys = fc.constantFrom<FieldKey | null>(
  ...ORDERS.columns.map((column) => column.key),
  `${CUSTOMERS.id}/c1`,
  'ds_gone/c1',
  null,
)
const at = fc.nat({ max: 4 })
const agg = fc.constantFrom('sum', 'avg', 'count', 'countDistinct', 'median', 'min', 'max')
const filter = fc.record({
  kind: fc.constant('edit' as const),
  column: keys,
  op: fc.constantFrom('eq', 'in', 'contains', 'between', 'empty', 'ge'),
  values: fc.array(fc.constantFrom('Sweden', '12,5', '2026-01-01', 'true', ''), { maxLength: 2 }),
  from: fc.constantFrom('', '1', '2026-01-01'),
  to: fc.constantFrom('', '9', '2026-02-01'),
})
const base = { label: fc.string({ maxLength: 100 }), filters: fc.array(filter, { maxLength: 2 }) }
const measure = fc.oneof(
  fc.record({ kind: fc.constant('count' as const), dataset: fc.constantFrom(null, CUSTOMERS.id), ...base }),
  fc.record({ kind: fc.constant('column' as const), agg, column: keys, ...base }),
  fc.record({
    kind: fc.constant('expression' as const),
    agg,
    first: keys,
    terms: fc.array(
      fc.record({ op: fc.constantFrom('add', 'multiply', 'divide'), operand: fc.oneof(keys, fc.integer()) }),
      {
        maxLength: 3,
      },
    ),
    ...base,
  }),
  fc.record({
    kind: fc.constant('ratio' as const),
    over: fc.record({ agg, column: keys }),
    under: fc.record({ agg, column: keys }),
    percent: fc.boolean(),
    ...base,
  }),
)
const action: fc.Arbitrary<DraftAction> = fc.oneof(
  fc.record({ type: fc.constant('measure' as const), at, measure }),
  fc.constantFrom<DraftAction>(
    { type: 'addMeasure' },
    { type: 'addSplit' },
    { type: 'addFilter' },
    { type: 'addPeriod' },
    { type: 'removePeriod' },
  ),
  fc.record({ type: fc.constantFrom('removeMeasure', 'removeSplit', 'removeFilter'), at }),
  fc.record({
    type: fc.constant('split' as const),
    at,
    change: fc.record(
      { column: keys, grain: fc.constantFrom('month', 'hour', null), topN: fc.constantFrom(5, null) },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    type: fc.constant('period' as const),
    change: fc.record(
      {
        column: keys,
        range: fc.oneof(
          fc.constantFrom('last12Months', 'all', 'kept', 'thisFiscalYear').map((preset) => ({ preset })),
          fc.record({
            preset: fc.constant('dates' as const),
            from: fc.constantFrom('', '2026-01-01'),
            to: fc.constantFrom('2025-01-01', '2026-02-01'),
          }),
        ),
        compare: fc.constantFrom('previous', 'year', 'none'),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({ type: fc.constant('filter' as const), at, filter }),
  fc.record({
    type: fc.constant('chart' as const),
    chart: fc.constantFrom(...CHARTS, null),
  }),
)

describe('the builder', () => {
  it('always yields a plan the server accepts, or one sentence that says what is missing', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 25 }), (actions) => {
        const built = buildPlan(actions.reduce(draftReducer, start()))
        if (built.ok) {
          expect(queryPlanSchema.safeParse(built.plan).error).toBeUndefined()
          expect(chartsFor(built.plan)).toContain(built.viz.chart)
          expect(vizSchema.safeParse(built.viz).error).toBeUndefined()
        } else expect(built.missing).toMatch(/^[A-Z].+\.$/)
      }),
      { numRuns: 400 },
    )
  })

  it('says first what is missing of an empty draft', () => {
    expect(buildPlan(EMPTY_DRAFT)).toEqual({ ok: false, missing: 'Choose the data to look at.' })
    expect(buildPlan({ ...start(), measures: [] })).toEqual({ ok: false, missing: 'Choose what to measure.' })
  })

  it('suggests the chart by shape and keeps an override only while it fits', () => {
    const one = draftReducer(start(), { type: 'chart', chart: 'bar' })
    expect(buildPlan(one)).toMatchObject({ viz: { chart: 'bar' } })
    const none = draftReducer(one, { type: 'removeSplit', at: 0 })
    expect(buildPlan(none)).toMatchObject({ viz: { chart: 'number' } })
  })

  it('gives a date a grain and no top-N, and anything else the other way round', () => {
    const named = draftReducer(start(), { type: 'split', at: 0, change: { column: 'c2', topN: 5 } })
    expect(named.splits[0]).toEqual({ column: 'c2', grain: null, topN: 5 })
    const dated = draftReducer(named, { type: 'split', at: 0, change: { column: 'c1' } })
    expect(dated.splits[0]).toEqual({ column: 'c1', grain: 'month', topN: null })
  })

  it('keeps at most five measures, three splits and twenty filters', () => {
    const many = Array.from({ length: 30 }).reduce<PlanDraft>(
      (draft) =>
        draftReducer(draftReducer(draftReducer(draft, { type: 'addMeasure' }), { type: 'addSplit' }), {
          type: 'addFilter',
        }),
      start(),
    )
    expect([many.measures.length, many.splits.length, many.filters.length]).toEqual([5, 3, 20])
  })
})

describe('a stored plan', () => {
  const sweden: Filter = { field: field('c2'), any: [{ op: 'in', values: ['Sweden'] }] }
  const odd: Filter = { field: field('c2'), any: [{ op: 'eq', value: 'A' }, { op: 'empty' }] }
  const revenue: Measure = {
    kind: 'expression',
    agg: 'sum',
    row: {
      kind: 'binary',
      op: 'multiply',
      left: { kind: 'field', field: field('c3') },
      right: { kind: 'field', field: field('c4') },
    },
  }
  const plans: [string, QueryPlan][] = [
    ['a sum by month', MONTHLY],
    ['a filtered count', { ...MONTHLY, measures: [{ kind: 'column', agg: 'count', filter: [sweden] }] }],
    ['a row expression', { ...MONTHLY, measures: [revenue], filters: [sweden, odd] }],
    [
      'a ratio',
      {
        ...MONTHLY,
        measures: [
          {
            kind: 'ratio',
            over: { kind: 'column', agg: 'sum', field: field('c5') },
            under: { kind: 'column', agg: 'count' },
          },
        ],
      },
    ],
    [
      'a nested expression',
      {
        ...MONTHLY,
        measures: [
          { kind: 'expression', agg: 'avg', row: { kind: 'coalesce', items: [{ kind: 'number', value: 1 }] } },
        ],
      },
    ],
    [
      'limits on figures',
      {
        ...MONTHLY,
        having: [{ measure: 0, op: 'gt', value: 10 }],
        sort: [{ by: { measure: 0 }, dir: 'desc' }],
        limit: 20,
      },
    ],
    [
      'a range no preset names',
      {
        ...MONTHLY,
        period: {
          field: field('c1'),
          range: { kind: 'relative', span: 'last', unit: 'week', n: 7, includeCurrent: true },
          compare: 'previous',
          completeOnly: true,
        },
      },
    ],
    [
      'top groups without a period',
      {
        v: 1,
        kind: 'aggregate',
        dataset: ORDERS.id,
        measures: MONTHLY.measures,
        dimensions: [{ field: field('c2'), topN: 5 }],
        filters: [],
        totals: true,
      },
    ],
  ]

  it.each(plans)('with %s asks the same after going through the builder', (_name, plan) => {
    expect(buildPlan(draftOf(plan, VIZ, ORDERS))).toMatchObject({ ok: true, plan })
  })

  it('says what to choose when its column is gone', () => {
    const shrunk = { ...ORDERS, columns: ORDERS.columns.filter((column) => column.key !== 'c5') }
    expect(buildPlan(draftOf(MONTHLY, VIZ, shrunk))).toEqual({
      ok: false,
      missing: 'Choose the column to measure.',
    })
  })
})

describe('filters', () => {
  it('read what people type by the type of the column', () => {
    const [, , , quantity, , , , paid] = ORDERS.columns
    if (!quantity || !paid) throw new Error('sample')
    expect(scalarOf('1 234,5', quantity)).toBe(1234.5)
    expect(scalarOf('twelve', quantity)).toBeNull()
    expect(scalarOf('true', paid)).toBe(true)
  })

  it('go through the builder and back', () => {
    const filters: Filter[] = [
      { field: field('c2'), any: [{ op: 'contains', value: 'we' }] },
      { field: field('c3'), any: [{ op: 'between', from: 1, to: 5 }] },
      { field: field('c1'), any: [{ op: 'between', from: '2026-01-01', to: '2026-02-01' }] },
      { field: field('c7'), any: [{ op: 'eq', value: false }] },
      { field: field('c2'), any: [{ op: 'notEmpty' }] },
      { field: field('c2'), any: [{ op: 'in', values: ['A', null] }] },
    ]
    for (const one of filters) expect(filterOf(filterDraft(one, ORDERS), ORDERS)).toEqual(one)
  })

  it('offer only operators that the column knows', () => {
    for (const column of ORDERS.columns) expect(operatorsOf(column).length).toBeGreaterThan(2)
    const changed = draftReducer(
      { ...start(), filters: [{ kind: 'edit', column: 'c2', op: 'contains', values: ['x'], from: '', to: '' }] },
      {
        type: 'filter',
        at: 0,
        filter: { kind: 'edit', column: 'c3', op: 'contains', values: ['x'], from: '', to: '' },
      },
    )
    expect(changed.filters[0]).toMatchObject({ op: 'eq', values: [] })
  })
})

describe('names', () => {
  it('say what is measured and by what it is split', () => {
    expect(draftName(start())).toBe('Amount by month')
    const more = draftReducer(draftReducer(start(), { type: 'addSplit' }), {
      type: 'split',
      at: 1,
      change: { column: 'c2' },
    })
    expect(draftName(more)).toBe('Amount by month and country')
  })

  it('never pass the limit of a name', () => {
    const long = { ...ORDERS, columns: ORDERS.columns.map((column) => ({ ...column, label: 'x'.repeat(90) })) }
    expect(draftName({ ...start(), dataset: long }).length).toBeLessThanOrEqual(80)
  })

  it('call a sum as its column, and take a person’s own word over that', () => {
    expect(measureOf({ kind: 'column', agg: 'sum', column: 'c4', label: '', filters: [] }, ORDERS)).toMatchObject({
      label: 'Unit price',
    })
    const own = measureOf({ kind: 'column', agg: 'sum', column: 'c5', label: ' Sales ', filters: [] }, ORDERS)
    expect(own).toMatchObject({ label: 'Sales' })
    expect(typeof own !== 'string' && measureDraft(own, ORDERS)).toMatchObject({ label: 'Sales' })
  })
})
