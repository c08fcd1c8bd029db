import { createFormatter } from '../../../../src/shared/figures/formatter'
import { describe, expect, it } from 'vitest'
import { queryPlanSchema, type QueryPlan } from '../../../../src/shared/query/plan'
import type { QueryResult } from '../../../../src/shared/query/result'
import { answerOf, country, kronor, month, quarter, sales } from '../../../ui/chart/chart.fixture'
import { withAllTime } from './empty-result'
import { hasValues } from '../../../ui/chart/has-values'
import { exportUrl, safeFileName } from './export-insight'
import {
  describeComparison,
  describeExactness,
  measureFormula,
  formulaNaming,
  usedRowsPlan,
} from './describe-calculation'
import { drillPlan } from '../../../lib/marks/drill-plan'
import { drillTitle } from '../../../lib/marks/drill-title'
import { CATALOGUE, COUNTRIES, field, MARGIN, MONTHLY, ORDERS } from '../insights.fixture'

const drill = (parts: Partial<Parameters<typeof drillPlan>[0]> = {}): QueryPlan => {
  const plan = drillPlan({ plan: MONTHLY, result: quarter(), row: 1, ...parts })
  expect(queryPlanSchema.safeParse(plan).error).toBeUndefined()
  return plan
}

describe('the records behind a point', () => {
  it('are those of its bucket, paged', () => {
    expect(drill()).toMatchObject({
      kind: 'rows',
      measures: [],
      dimensions: [],
      period: { range: { kind: 'absolute', from: '2026-02-01', to: '2026-02-28' }, compare: 'none' },
    })
  })

  it('never reach beyond the period of the answer', () => {
    const { period } = quarter()
    const cut = quarter({ period: period && { ...period, to: '2026-03-12' } })
    expect(drill({ result: cut, row: 2 }).period?.range).toMatchObject({ from: '2026-03-01', to: '2026-03-12' })
  })

  it('are those from the lower edge of a bin to below its upper one', () => {
    const plan: QueryPlan = { ...MONTHLY, dimensions: [{ field: field('c4'), bins: { width: 0.1 } }] }
    const steps = { ...country, type: 'number' as const, bins: { width: 0.1 } }
    expect(drill({ plan, result: answerOf([steps, sales], [[0.2, 5]]), row: 0 }).filters).toEqual([
      { field: field('c4'), any: [{ op: 'ge', value: 0.2 }] },
      { field: field('c4'), any: [{ op: 'lt', value: 0.3 }] },
    ])
  })

  it('are those of a key, whatever it is called, and of Other all without a named one', () => {
    const plan: QueryPlan = { ...MONTHLY, dimensions: [{ field: field('c0'), label: field('c2'), topN: 2 }] }
    const named = { ...country, names: { key: 'order_id', of: { 17: 'Anna Berg (17)', 1042: 'Anna Berg (1042)' } } }
    const rows = [[17, 5] as const, [1042, 4] as const, ['Other', 3] as const].map((row) => [...row])
    const result = answerOf([named, sales], rows, { otherRow: 2, otherCells: [{ row: 2, dimension: 0 }] })
    expect(drill({ plan, result, row: 0 }).filters).toEqual([{ field: field('c0'), any: [{ op: 'eq', value: 17 }] }])
    expect(drill({ plan, result, row: 2 }).filters).toEqual([
      { field: field('c0'), any: [{ op: 'notIn', values: [17, 1042] }] },
    ])
  })

  it('are those of a weekday or an hour in every week', () => {
    const plan: QueryPlan = { ...MONTHLY, dimensions: [{ field: field('c1'), part: 'weekday' }] }
    const weekday = { ...country, type: 'integer' as const, part: 'weekday' as const }
    const days = answerOf(
      [weekday, sales],
      [
        [1, 5],
        [7, 6],
      ],
    )
    expect(drill({ plan, result: days, row: 1 }).filters).toEqual([
      { field: field('c1'), part: 'weekday', any: [{ op: 'eq', value: 7 }] },
    ])
  })

  it('keep every filter of the question and of its first figure', () => {
    const sweden = { field: field('c2'), any: [{ op: 'eq' as const, value: 'Sweden' }] }
    const paid = { field: field('c7'), any: [{ op: 'eq' as const, value: true }] }
    const plan: QueryPlan = {
      ...MONTHLY,
      filters: [sweden],
      measures: [{ kind: 'column', agg: 'count', filter: [paid] }],
    }
    expect(drill({ plan }).filters).toEqual([sweden, paid])
  })

  it('are of a split through groups those of the group, of a value that stands for itself, and of no named one', () => {
    const grouping = { id: COUNTRIES.id, level: 1 }
    const plan: QueryPlan = { ...MONTHLY, dimensions: [{ field: field('c2'), grouping, topN: 2 }] }
    const groups = [
      { id: 'gpm_1', name: 'North', color: null },
      { id: null, name: 'Elsewhere', color: null },
    ]
    const rows = [
      ['North', 5],
      ['Elsewhere', 3],
      ['North (value)', 2],
      ['Other', 1],
    ]
    const result = { ...answerOf([{ ...country, groups }, sales], rows), otherCells: [{ row: 3, dimension: 0 }] }
    const filters = (row: number) => drill({ plan, result, row }).filters
    const within = (op: 'in' | 'notIn', values: (string | null)[]) => ({
      field: field('c2'),
      grouping,
      any: [{ op, values }],
    })
    expect(filters(0)).toEqual([within('in', ['gpm_1'])])
    expect(filters(1)).toEqual([within('in', [null])])
    expect(filters(2)).toEqual([{ field: field('c2'), any: [{ op: 'eq', value: 'North' }] }])
    expect(filters(3)).toEqual([
      within('notIn', ['gpm_1', null]),
      { field: field('c2'), any: [{ op: 'notIn', values: ['North'] }] },
    ])
    const leaving = { ...CATALOGUE, groupings: [{ ...COUNTRIES, fallback: { kind: 'exclude' as const } }] }
    expect(drill({ plan, result, row: 0, catalogue: leaving }).filters).toEqual([
      within('notIn', [null]),
      within('in', ['gpm_1']),
    ])
  })

  it('are of a metric only those that its own filters let through', () => {
    const paid = { field: field('c7'), any: [{ op: 'eq' as const, value: true }] }
    const catalogue = { ...CATALOGUE, metrics: [{ ...MARGIN, filters: [paid] }] }
    const plan: QueryPlan = { ...MONTHLY, measures: [{ kind: 'metric', id: MARGIN.id }] }
    expect(drill({ plan, catalogue }).filters).toEqual([paid])
  })

  it('are the rows of a named group, of an empty one, and of all but the named for the rest', () => {
    const plan: QueryPlan = { ...MONTHLY, dimensions: [{ field: field('c2'), topN: 1 }] }
    const rows = [
      ['Sweden', 5],
      [null, 1],
      ['Other', 9],
    ]
    const result = { ...answerOf([country, sales], rows), otherCells: [{ row: 2, dimension: 0 }] }
    const filters = (row: number) => drill({ plan, result, row }).filters
    expect(filters(0)).toEqual([{ field: field('c2'), any: [{ op: 'eq', value: 'Sweden' }] }])
    expect(filters(1)).toEqual([{ field: field('c2'), any: [{ op: 'empty' }] }])
    expect(filters(2)).toEqual([
      { field: field('c2'), any: [{ op: 'notIn', values: ['Sweden'] }] },
      { field: field('c2'), any: [{ op: 'notEmpty' }] },
    ])
    expect(drillTitle({ result, row: 2 }, kronor)).toBe('Other')
    expect(drillTitle({ result, row: 1 }, kronor)).toBe('No value')
  })

  it('tell what each comes to in the currency of the figure, as the answer was converted', () => {
    const line = { currency: 'EUR', amount: '1', rows: 1, rate: { least: 11, greatest: 11 }, from: '', to: '' }
    const converted = (own: object): QueryResult => ({
      ...quarter(),
      conversion: { code: 'SEK', mode: 'average', lines: [{ ...line, source: 'ecb', ...own }], missing: [] },
    })
    expect(drill({ result: converted({}) }).currency).toEqual({ code: 'SEK', mode: 'average' })
    expect(drill({ result: converted({ mode: 'closing' }) }).currency).toBeUndefined()
    expect(drill().currency).toBeUndefined()
  })

  it('filter by another date than the period’s beside it', () => {
    const plan: QueryPlan = { ...MONTHLY, dimensions: [{ field: field('c8'), grain: 'month' }] }
    const asked = drill({ plan, row: 0 })
    expect(asked.period?.range).toMatchObject({ from: '2026-01-01', to: '2026-03-31' })
    expect(asked.filters).toEqual([
      { field: field('c8'), any: [{ op: 'between', from: '2026-01-01', to: '2026-01-31' }] },
    ])
  })

  it('of an hour are those of that hour alone', () => {
    const plan: QueryPlan = { ...MONTHLY, dimensions: [{ field: field('c8'), grain: 'hour' }] }
    const hours = answerOf([{ ...month, grain: 'hour' }, sales], [['2026-03-01T14:00', 5]])
    expect(drill({ plan, result: hours, row: 0 }).filters).toEqual([
      { field: field('c8'), any: [{ op: 'between', from: '2026-03-01T14:00', to: '2026-03-01T14:59:59.999' }] },
    ])
  })

  it('of the whole answer are those of its period', () => {
    expect(drill({ row: null }).period?.range).toMatchObject({ from: '2026-01-01', to: '2026-03-31' })
  })
})

describe('how computed', () => {
  const format = createFormatter({ numberLocale: 'sv-SE', currency: 'SEK', timeZone: 'UTC' })
  const naming = formulaNaming([ORDERS], ORDERS.id, { format })

  it('writes the formula of a measure out', () => {
    expect(measureFormula({ kind: 'column', agg: 'count' }, naming)).toBe('Number of rows')
    const revenue = {
      kind: 'expression' as const,
      agg: 'sum' as const,
      row: {
        kind: 'binary' as const,
        op: 'multiply' as const,
        left: { kind: 'field' as const, field: field('c3') },
        right: { kind: 'field' as const, field: field('c4') },
      },
      filter: [{ field: field('c2'), any: [{ op: 'in' as const, values: ['Sweden', 'Norway'] }] }],
    }
    expect(measureFormula(revenue, naming)).toBe(
      'Sum of (quantity × unit_price) over rows where country is one of Sweden, Norway',
    )
    const large = { ...revenue, filter: [{ field: field('c5'), any: [{ op: 'gt' as const, value: 100_000 }] }] }
    expect(measureFormula(large, naming).replaceAll(/\s/g, ' ')).toMatch(/where amount is more than 100 000/)
    expect(measureFormula({ kind: 'ratio', over: revenue, under: { kind: 'column', agg: 'count' } }, naming)).toMatch(
      /^\[.+\] ÷ \[Number of rows\]$/,
    )
  })

  it('says which days were compared', () => {
    expect(describeComparison(MONTHLY, quarter())).toBe(
      'Same days, previous year: Jan–Mar 2025 (1 Jan 2025 to 31 Mar 2025)',
    )
    expect(describeComparison(MONTHLY, answerOf([], []))).toBe('No comparison')
  })

  it('calls only scaled columns exact', () => {
    expect(describeExactness(MONTHLY, ORDERS.columns)).toMatch(/^Exact/)
    const floating = ORDERS.columns.map(({ scale: _scale, ...column }) => column)
    expect(describeExactness(MONTHLY, floating)).toContain('amount has more than four decimals')
  })

  it('counts the rows of the same period and filters', () => {
    expect(usedRowsPlan(MONTHLY)).toMatchObject({ dimensions: [], period: { compare: 'none', range: { n: 12 } } })
  })

  it('counts rows of what is measured, with the filters of the figure: without them, nothing says which table', () => {
    const { period: _period, dataset: _dataset, ...bare } = MONTHLY
    expect(usedRowsPlan({ ...bare, dimensions: [] })).toMatchObject({ dataset: ORDERS.id, filters: [] })
    const filter = [{ field: field('c2'), any: [{ op: 'in' as const, values: ['Sweden'] }] }]
    const sum = { kind: 'column' as const, agg: 'sum' as const, field: field('c3'), filter }
    expect(usedRowsPlan({ ...bare, measures: [sum] }).filters).toEqual(filter)
    expect(usedRowsPlan({ ...bare, measures: [sum, { kind: 'column', agg: 'count' }] }).filters).toEqual([])
    const named: QueryPlan = { ...bare, dimensions: [], measures: [{ kind: 'metric', id: MARGIN.id }] }
    expect(usedRowsPlan(named, CATALOGUE)).toMatchObject({ dataset: MARGIN.dataset })
  })
})

describe('an answer without figures', () => {
  it('is seen as such, zeros in groups are not', () => {
    expect(hasValues(answerOf([sales], [[null]]))).toBe(false)
    expect(hasValues(answerOf([month, sales], []))).toBe(false)
    expect(hasValues(answerOf([month, sales], [['2026-01-01', 0]]))).toBe(true)
    expect(hasValues(answerOf([sales], [[0]], { period: quarter().period }))).toBe(false)
    // A list of values has no figures.
    expect(hasValues(answerOf([country], [['Norway']]))).toBe(true)
    expect(hasValues(answerOf([country], []))).toBe(false)
  })

  it('can be asked over the whole history', () => {
    expect(withAllTime(MONTHLY).period).toMatchObject({ range: { span: 'all' }, compare: 'none' })
  })
})

describe('exports', () => {
  it('name the workspace and take any name', () => {
    expect(exportUrl('ins_1', { format: 'csv', workspace: 'ws&x' })).toBe(
      '/files/insights/ins_1/export?format=csv&w=ws%26x',
    )
    expect(safeFileName('Försäljning: 50% / "Q1"')).toBe('Försäljning 50 Q1')
    expect(safeFileName('///')).toBe('insight')
  })
})
