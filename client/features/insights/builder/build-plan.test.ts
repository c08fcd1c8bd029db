import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { chartProblem, CHARTS, vizSchema } from '../../../../src/shared/insights'
import { queryPlanSchema } from '../../../../src/shared/query/plan'
import type { Filter, GroupedMeasure, GroupingReference, Measure, QueryPlan } from '../../../../src/shared/query/plan'
import { EMPTY_PLAN_DRAFT, type MeasureDraft, type PlanDraft } from './draft'
import { defaultDraft } from './default-draft'
import { toMeasureDraft, toMeasure } from './measure-draft'
import { buildPlan, chartShape, toPlanDraft } from './build-plan'
import { draftReducer, type DraftAction } from './draft-reducer'
import { suggestInsightName } from './describe-draft'
import { CATALOGUE, COUNTRIES, CUSTOMER_OF, CUSTOMERS, field, MARGIN, MONTHLY, ORDERS } from '../insights.fixture'
import type { FieldKey } from '../../../lib/query-builder/catalogue'
import { toFilterDraft, toFilter, operatorsFor, parseScalar } from '../../../lib/query-builder/filter-draft'
import { linkDataset } from '../../../lib/query-builder/linked-datasets'
import { setSession } from '../../../lib/session'
import { memberPageData } from '../../../test/page-data'

const GONE_GROUPING: GroupingReference = { id: 'gpg_gone' }
const TODAY = '2026-11-21'
const HISTORY = { from: '2023-12-01', to: '2026-11-14' }
// Names of figures write numbers as the workspace does.
beforeEach(() => setSession(memberPageData('owner')))

const VIZ = { chart: 'line', direction: 'up' } as const
const LINKED = { ...linkDataset(ORDERS, [ORDERS, CUSTOMERS], [CUSTOMER_OF]), catalogue: CATALOGUE }
const start = (): PlanDraft => defaultDraft(LINKED, HISTORY, TODAY)
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
const grouping = fc.constantFrom<GroupingReference>(
  { id: COUNTRIES.id },
  { id: COUNTRIES.id, level: 1, as: 'then' },
  GONE_GROUPING,
)
const groupsFilter = fc.record({
  kind: fc.constant('groups' as const),
  column: keys,
  grouping,
  op: fc.constantFrom('in' as const, 'notIn' as const),
  groups: fc.subarray([null, 'gpm_00000000000000000001']),
})
const along = fc.oneof(
  fc.record({ kind: fc.constant('prev' as const), steps: fc.integer({ min: 1, max: 120 }), label: fc.string() }),
  fc.record({
    kind: fc.constant('cumulative' as const),
    restart: fc.constantFrom('never' as const, 'year' as const, 'fiscalYear' as const),
    label: fc.constantFrom('', 'So far'),
  }),
)
const base = {
  label: fc.string({ maxLength: 100 }),
  filters: fc.array(fc.oneof(filter, groupsFilter), { maxLength: 2 }),
}
const figure: fc.Arbitrary<MeasureDraft> = fc.oneof(
  fc.record({ kind: fc.constant('metric' as const), id: fc.constantFrom(MARGIN.id, 'met_gone', null), ...base }),
  fc.record({ kind: fc.constant('count' as const), dataset: fc.constantFrom(null, CUSTOMERS.id), ...base }),
  fc.record({ kind: fc.constant('column' as const), agg, column: keys, ...base }),
  fc.record({
    kind: fc.constant('column' as const),
    agg: fc.constantFrom('first' as const, 'last' as const),
    ...{ column: keys, shown: keys },
    ...base,
  }),
  fc.record({
    kind: fc.constant('expression' as const),
    formula: fc.constantFrom('', 'sum([', 'count(*) / 2', 'sum([amount] * 2)', `[${MARGIN.name}] * 2`, 'sum([Gone])'),
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
const measure: fc.Arbitrary<MeasureDraft> = fc
  .tuple(figure, fc.option(along, { nil: null }))
  .map(([one, runs]) => (runs ? { ...one, timeCalculation: runs } : one))
const action: fc.Arbitrary<DraftAction> = fc.oneof(
  fc.record({ type: fc.constant('measure' as const), at, measure }),
  fc.constantFrom<DraftAction>(
    { type: 'addMeasure' },
    { type: 'addEarlier' },
    { type: 'addSplit' },
    { type: 'addFilter' },
    { type: 'addPeriod' },
    { type: 'addCondition' },
    { type: 'removePeriod' },
  ),
  fc.record({ type: fc.constantFrom('removeMeasure', 'removeSplit', 'removeFilter', 'removeCondition'), at }),
  fc.record({
    ...{ type: fc.constant('condition' as const), at },
    condition: fc.record({
      measure: fc.nat({ max: 2 }),
      op: fc.constantFrom('gt' as const, 'ne' as const),
      value: fc.constantFrom(0, 0.125, -7, null),
    }),
  }),
  fc.record({
    type: fc.constant('split' as const),
    at,
    change: fc.record(
      {
        column: keys,
        grain: fc.constantFrom('month', 'hour', null),
        part: fc.constantFrom('weekday', 'hourOfDay', null),
        key: fc.constantFrom('c0', `${CUSTOMERS.id}/c0`, null),
        topN: fc.constantFrom(5, null),
        grouping: fc.option(grouping, { nil: null }),
      },
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
  fc.record({ type: fc.constant('filter' as const), at, filter: fc.oneof(filter, groupsFilter) }),
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
          expect(chartProblem(built.viz.chart, built.plan)).toBeNull()
          expect(vizSchema.safeParse(built.viz).error).toBeUndefined()
        } else expect(built.missing).toMatch(/^[A-Z].+\.$/)
      }),
      { numRuns: 400 },
    )
  })

  it('says a plan back as it was told: nothing is lost between a draft and its plan', () => {
    let built = 0
    fc.assert(
      fc.property(fc.array(action, { maxLength: 12 }), (actions) => {
        const first = buildPlan(actions.reduce(draftReducer, start()))
        if (!first.ok) return
        built += 1
        expect(buildPlan(toPlanDraft(first.plan, first.viz, LINKED))).toEqual(first)
      }),
      { numRuns: 400 },
    )
    expect(built).toBeGreaterThan(20)
  })

  it('says first what is missing of an empty draft', () => {
    expect(buildPlan(EMPTY_PLAN_DRAFT)).toEqual({ ok: false, missing: 'Choose data.' })
    expect(buildPlan({ ...start(), measures: [], dimensions: [] })).toEqual({ ok: false, missing: 'Choose a measure.' })
  })

  it('limits the rows of the answer by its figures, and asks for what is missing', () => {
    const added = draftReducer(start(), { type: 'addCondition' })
    expect(buildPlan(added)).toEqual({ ok: false, missing: 'Enter the value of the condition.' })
    const set = draftReducer(added, { type: 'condition', at: 0, condition: { measure: 0, op: 'ge', value: 1000 } })
    const built = buildPlan(set)
    expect(built).toMatchObject({ plan: { having: [{ measure: 0, op: 'ge', value: 1000 }] } })
    expect(built.ok && toPlanDraft(built.plan, built.viz, LINKED).conditions).toEqual(set.conditions)
    const text: MeasureDraft = { kind: 'column', agg: 'max', column: 'c2', label: '', filters: [] }
    expect(buildPlan(draftReducer(set, { type: 'measure', at: 0, measure: text })).ok).toBe(false)
  })

  it('keeps equal names apart by the key beside them, and shows another column where one is largest', () => {
    const name = `${CUSTOMERS.id}/c3` as const
    const split = draftReducer(start(), { type: 'split', at: 0, change: { column: name, grouping: null } })
    expect(split.dimensions[0]).toMatchObject({ column: name, key: `${CUSTOMERS.id}/c0` })
    const shown: MeasureDraft = { kind: 'column', agg: 'last', column: 'c5', shown: name, label: '', filters: [] }
    const built = buildPlan({ ...split, measures: [shown] })
    const of = (column: string) => ({ dataset: CUSTOMERS.id, column })
    expect(built).toMatchObject({
      plan: {
        v: 3,
        dimensions: [{ field: of('c0'), label: of('c3') }],
        measures: [{ agg: 'last', field: of('c3'), by: field('c5') }],
      },
      viz: { chart: 'table' },
    })
    const other = draftReducer(split, { type: 'split', at: 0, change: { column: 'c2' } })
    expect(other.dimensions[0]).not.toHaveProperty('key')
  })

  it('lists the values of a split as a table where nothing is measured', () => {
    const named = draftReducer(start(), { type: 'split', at: 0, change: { column: 'c2', topN: 5 } })
    const built = buildPlan({ ...named, measures: [] })
    expect(built).toMatchObject({
      plan: { v: 3, measures: [], dimensions: [{ field: field('c2') }] },
      viz: { chart: 'table' },
    })
    expect(built.ok && built.plan.dimensions[0]?.topN).toBeUndefined()
  })

  it('suggests the chart by shape and keeps an override only while it fits', () => {
    const one = draftReducer(start(), { type: 'chart', chart: 'bar' })
    expect(buildPlan(one)).toMatchObject({ viz: { chart: 'bar' } })
    const none = draftReducer(one, { type: 'removeSplit', at: 0 })
    expect(buildPlan(none)).toMatchObject({ viz: { chart: 'number' } })
  })

  it('gives a date a grain and no top-N, and anything else the other way round', () => {
    const named = draftReducer(start(), { type: 'split', at: 0, change: { column: 'c2', topN: 5 } })
    expect(named.dimensions[0]).toEqual({ column: 'c2', grain: null, part: null, topN: 5, grouping: null })
    const dated = draftReducer(named, { type: 'split', at: 0, change: { column: 'c1' } })
    expect(dated.dimensions[0]).toEqual({ column: 'c1', grain: 'month', part: null, topN: null, grouping: null })
  })

  it('keeps at most five measures, three splits and twenty filters', () => {
    const many = Array.from({ length: 30 }).reduce<PlanDraft>(
      (draft) =>
        draftReducer(draftReducer(draftReducer(draft, { type: 'addMeasure' }), { type: 'addSplit' }), {
          type: 'addFilter',
        }),
      start(),
    )
    expect([many.measures.length, many.dimensions.length, many.filters.length]).toEqual([5, 3, 20])
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
  const NEW: QueryPlan = { ...MONTHLY, v: 2 }
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
      'a filtered formula of several figures and a condition',
      {
        ...NEW,
        measures: [
          {
            kind: 'calc',
            op: 'divide',
            left: { ...revenue, filter: [sweden] },
            right: {
              kind: 'expression',
              agg: 'sum',
              row: {
                kind: 'function',
                fn: 'if',
                items: [
                  {
                    kind: 'compare',
                    op: 'gt',
                    left: { kind: 'field', field: field('c5') },
                    right: { kind: 'number', value: 100 },
                  },
                  { kind: 'number', value: 1 },
                ],
              },
              filter: [sweden],
            },
            label: 'Per large order',
          },
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
      'a metric under a name and in a format of its own',
      {
        ...NEW,
        measures: [{ kind: 'metric', id: MARGIN.id, label: 'What is left', format: { style: 'percent' } }],
      },
    ],
    [
      'the figure of twelve months earlier and what came together',
      {
        ...NEW,
        measures: [
          ...MONTHLY.measures,
          { kind: 'prev', of: { kind: 'metric', id: MARGIN.id }, steps: 12, label: 'Last year' },
          { kind: 'cumulative', of: { kind: 'column', agg: 'count' }, restart: 'fiscalYear' },
          {
            kind: 'prev',
            of: { kind: 'cumulative', of: { kind: 'column', agg: 'count' }, restart: 'never' },
            steps: 1,
          },
        ],
      },
    ],
    [
      'groups of a level as they were then, and only some groups',
      {
        ...NEW,
        dimensions: [
          { field: field('c2'), grouping: { id: COUNTRIES.id, level: 1, as: 'then' } },
          { field: field('c2'), grouping: { id: COUNTRIES.id }, topN: 3 },
        ],
        filters: [
          {
            field: field('c2'),
            grouping: { id: COUNTRIES.id },
            any: [{ op: 'notIn', values: [null, 'gpm_00000000000000000001'] }],
          },
        ],
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
    const built = buildPlan(toPlanDraft(plan, VIZ, { ...ORDERS, catalogue: CATALOGUE }))
    expect(built.ok && built.plan).toEqual(plan)
  })

  it('opens what was worked out in steps as its formula, and a formula that is wrong says where', () => {
    const opened = toPlanDraft({ ...MONTHLY, measures: [{ ...revenue, filter: [sweden] }] }, VIZ, ORDERS)
    expect(opened.measures).toMatchObject([
      { kind: 'expression', formula: 'sum([quantity] * [unit_price])', filters: [{ column: 'c2' }] },
    ])
    const wrong: MeasureDraft = { kind: 'expression', formula: 'sum([quantty])', label: '', filters: [] }
    expect(toMeasure(wrong, ORDERS)).toBe('Column quantty not found. Did you mean quantity?')
    const metric: MeasureDraft = {
      ...wrong,
      formula: `[${MARGIN.name}] * 2`,
      filters: opened.measures[0]?.filters ?? [],
    }
    expect(toMeasure(metric, { ...ORDERS, catalogue: CATALOGUE })).toMatch(/^Filters can’t be used with metrics/)
  })

  it('says which name of the catalogue is gone, and asks for a split by time where figures run over one', () => {
    const said = (over: Partial<QueryPlan>): string | null => {
      const built = buildPlan(toPlanDraft({ ...NEW, ...over }, VIZ, { ...ORDERS, catalogue: CATALOGUE }))
      return built.ok ? null : built.missing
    }
    expect(said({ measures: [{ kind: 'metric', id: 'met_gone' }] })).toMatch(/Metric deleted/)
    expect(said({ dimensions: [{ field: field('c2'), grouping: { id: 'gpg_gone' } }] })).toMatch(/Grouping deleted/)
    const lost: Filter = { field: field('c2'), grouping: { id: 'gpg_gone' }, any: [{ op: 'in', values: [null] }] }
    expect(said({ filters: [lost] })).toMatch(/or remove the filter/)
    const measures: Measure[] = [{ kind: 'prev', of: { kind: 'metric', id: MARGIN.id }, steps: 1 }]
    expect(said({ measures, dimensions: [] })).toMatch(/^Earlier periods, .* need a breakdown/)
    const twice = [...MONTHLY.dimensions, { field: field('c8'), grain: 'day' as const }]
    expect(said({ measures, dimensions: twice })).toMatch(/need just one breakdown by date/)
  })

  it('says what to choose when its column is gone', () => {
    const shrunk = { ...ORDERS, columns: ORDERS.columns.filter((column) => column.key !== 'c5') }
    expect(buildPlan(toPlanDraft(MONTHLY, VIZ, shrunk))).toEqual({
      ok: false,
      missing: 'Choose a column.',
    })
  })
})

describe('filters', () => {
  it('read what people type by the type of the column', () => {
    const [, , , quantity, , , , paid] = ORDERS.columns
    if (!quantity || !paid) throw new Error('sample')
    expect(parseScalar('1 234,5', quantity)).toBe(1234.5)
    expect(parseScalar('twelve', quantity)).toBeNull()
    expect(parseScalar('true', paid)).toBe(true)
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
    for (const one of filters) expect(toFilter(toFilterDraft(one, ORDERS), ORDERS)).toEqual(one)
  })

  it('offer only operators that the column knows', () => {
    for (const column of ORDERS.columns) expect(operatorsFor(column).length).toBeGreaterThan(2)
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

describe('metrics and groupings', () => {
  const metric: MeasureDraft = { kind: 'metric', id: MARGIN.id, label: '', filters: [] }

  it('bring their names, and which way is good where the metric stands first', () => {
    const first = draftReducer(start(), { type: 'measure', at: 0, measure: metric })
    expect([suggestInsightName(first), first.direction]).toEqual(['Margin by month', 'down'])
    const kept = draftReducer(
      { ...first, direction: 'none' },
      { type: 'measure', at: 0, measure: { ...metric, label: 'Left' } },
    )
    expect([suggestInsightName(kept), kept.direction]).toEqual(['Left by month', 'none'])
    const split = { column: 'c2' as const, grouping: { id: COUNTRIES.id } }
    expect(suggestInsightName(draftReducer(first, { type: 'split', at: 0, change: split }))).toBe('Margin by Regions')
    const earlier = draftReducer(first, { type: 'addEarlier' })
    expect(suggestInsightName(earlier)).toBe('Margin, Margin, one month earlier by month')
  })

  it('let charts of parts of a whole show a metric whose parts add up', () => {
    const stacked = [...MONTHLY.dimensions, { field: field('c2'), grouping: { id: COUNTRIES.id } }]
    const plan: QueryPlan = { ...MONTHLY, v: 2, measures: [{ kind: 'metric', id: MARGIN.id }], dimensions: stacked }
    expect(chartProblem('stackedBar', chartShape(plan, LINKED))).toBeNull()
    expect(chartProblem('stackedBar', chartShape(plan, {}))).not.toBeNull()
  })

  it('lose a grouping with its column, and a column seen through groups has no days', () => {
    const grouped = draftReducer(start(), {
      type: 'split',
      at: 0,
      change: { column: 'c2', grouping: { id: COUNTRIES.id } },
    })
    expect(grouped.dimensions[0]).toMatchObject({ grouping: { id: COUNTRIES.id }, grain: null })
    const other = draftReducer(grouped, { type: 'split', at: 0, change: { column: 'c1' } })
    expect(other.dimensions[0]).toMatchObject({ grouping: null, grain: 'month' })
  })
})

describe('figures over groups', () => {
  const grouped = (over: Partial<GroupedMeasure> = {}): GroupedMeasure => ({
    ...{ kind: 'grouped', agg: 'avg', of: { kind: 'column', agg: 'sum', field: field('c5'), label: 'Amount' } },
    ...{ by: [{ field: field('c2') }], ...over },
  })
  const drafted = (measure: Measure): MeasureDraft => toMeasureDraft(measure, LINKED)

  it('come back from the builder as they were, also over time', () => {
    const all: Measure[] = [
      grouped(),
      grouped({ agg: 'share', largest: 10, label: 'Top ten' }),
      grouped({ agg: 'count', having: { op: 'gt', value: 10_000 } }),
      grouped({ of: { kind: 'metric', id: MARGIN.id }, by: [{ field: field('c1'), grain: 'day' }] }),
      { kind: 'moving', of: grouped(), agg: 'avg', units: 3 },
    ]
    for (const measure of all) {
      expect(drafted(measure).kind).not.toBe('kept')
      expect(toMeasure(drafted(measure), LINKED)).toEqual(measure)
    }
    const kept = [
      grouped({ by: [{ field: field('c2') }, { field: field('c1') }] }),
      grouped({ agg: 'median', percent: 90 }),
    ]
    for (const measure of kept) {
      expect(drafted(measure)).toMatchObject({ kind: 'kept' })
      expect(toMeasure(drafted(measure), LINKED)).toEqual(measure)
    }
  })

  it('are asked in the third version, and say what is missing', () => {
    const plan = { ...start(), measures: [drafted(grouped())] }
    expect(buildPlan(plan)).toMatchObject({ ok: true, plan: { v: 3 } })
    const without = (groups: Partial<NonNullable<MeasureDraft['groups']>>) => {
      const measure = drafted(grouped())
      return toMeasure({ ...measure, ...(measure.groups ? { groups: { ...measure.groups, ...groups } } : {}) }, LINKED)
    }
    expect(without({ by: null })).toBe('Choose a column to group by.')
    expect(without({ agg: 'share' })).toBe('Set a limit or the largest groups for a share.')
  })

  it('are named by what they are', () => {
    const name = (measure: Measure) => suggestInsightName({ ...start(), measures: [drafted(measure)], dimensions: [] })
    expect(name(grouped())).toBe('Average amount per Country')
    expect(name(grouped({ agg: 'count', having: { op: 'gt', value: 10 } }))).toBe(
      'Number of Country with amount more than 10',
    )
  })
})

describe('names', () => {
  it('say what is measured and by what it is split', () => {
    expect(suggestInsightName(start())).toBe('Amount by month')
    const more = draftReducer(draftReducer(start(), { type: 'addSplit' }), {
      type: 'split',
      at: 1,
      change: { column: 'c2' },
    })
    expect(suggestInsightName(more)).toBe('Amount by month and Country')
  })

  it('never pass the limit of a name', () => {
    const long = { ...ORDERS, columns: ORDERS.columns.map((column) => ({ ...column, label: 'x'.repeat(90) })) }
    expect(suggestInsightName({ ...start(), dataset: long }).length).toBeLessThanOrEqual(80)
  })

  it('call a sum as its column, and take a person’s own word over that', () => {
    expect(toMeasure({ kind: 'column', agg: 'sum', column: 'c4', label: '', filters: [] }, ORDERS)).toMatchObject({
      label: 'Unit price',
    })
    const own = toMeasure({ kind: 'column', agg: 'sum', column: 'c5', label: ' Sales ', filters: [] }, ORDERS)
    expect(own).toMatchObject({ label: 'Sales' })
    expect(typeof own !== 'string' && toMeasureDraft(own, ORDERS)).toMatchObject({ label: 'Sales' })
  })
})
