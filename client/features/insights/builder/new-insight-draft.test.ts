import { describe, expect, it } from 'vitest'
import { buildPlan } from './build-plan'
import { startDataset, newInsightDraft, datasetOptions } from './new-insight-draft'
import { applyMeasureOption, measureOptions, unjoinedMetrics } from './measure-picker'
import { CATALOGUE, COUNTRIES, CUSTOMERS, field, MARGIN, ORDERS } from '../insights.fixture'
import type { MeasureDraft } from './draft'

const HISTORY = { from: '2023-12-01', to: '2026-11-14' }
const dataset = { ...ORDERS, catalogue: CATALOGUE }
const begin = (params: Parameters<typeof newInsightDraft>[0]['params'], of = dataset) =>
  newInsightDraft({ params, dataset: of, dataRange: HISTORY, today: '2026-11-21' })

describe('a new insight', () => {
  it('of a metric is over its data, by its own date, with its way that is good', () => {
    expect(startDataset({ metric: MARGIN.id }, [CUSTOMERS, ORDERS], CATALOGUE)?.id).toBe(ORDERS.id)
    const delivered = { ...MARGIN, time: field('c8') }
    const built = buildPlan(
      begin({ metric: MARGIN.id }, { ...dataset, catalogue: { ...CATALOGUE, metrics: [delivered] } }),
    )
    expect(
      built.ok && [built.plan.measures, built.plan.dimensions, built.plan.period?.field, built.viz.direction],
    ).toEqual([[{ kind: 'metric', id: MARGIN.id }], [{ field: field('c8'), grain: 'month' }], field('c8'), 'down'])
    const undated = begin(
      { metric: MARGIN.id },
      { ...dataset, catalogue: { ...CATALOGUE, metrics: [{ ...MARGIN, time: null }] } },
    )
    expect([undated.dimensions, undated.period]).toEqual([[], null])
  })

  it('by a grouping is split by the column that it is made for; of accounts in the fullest ledger', () => {
    const built = buildPlan(begin({ grouping: COUNTRIES.id }))
    expect(built.ok && built.plan.dimensions).toEqual([{ field: field('c2'), grouping: { id: COUNTRIES.id } }])
    const [first] = ORDERS.columns
    if (!first) throw new Error('sample')
    const ledger = (id: string, rowCount: number) => ({
      ...{ ...ORDERS, id, rowCount },
      columns: [{ ...first, type: 'text' as const, label: 'account' }, ...ORDERS.columns.slice(1)],
    })
    const accounts = { ...COUNTRIES, target: { kind: 'account' as const } }
    const found = startDataset({ grouping: COUNTRIES.id }, [ORDERS, ledger('ds_small', 2), ledger('ds_books', 9)], {
      metrics: [],
      groupings: [accounts],
    })
    expect(found?.id).toBe('ds_books')
  })

  it('says that what it was to begin with is gone', () => {
    expect(startDataset({ metric: 'met_gone', dataset: CUSTOMERS.id }, [ORDERS, CUSTOMERS], CATALOGUE)?.id).toBe(
      CUSTOMERS.id,
    )
    expect(buildPlan(begin({ metric: 'met_gone' }))).toMatchObject({
      ok: false,
      missing: 'Metric deleted. Choose another.',
    })
  })
})

describe('what can be measured', () => {
  it('is metrics of this data first, then columns, then calculations', () => {
    const groups = measureOptions(dataset, { kind: 'count', dataset: null, label: '', filters: [] })
    expect(groups.map(({ group }) => group)).toEqual(['Metrics', 'Columns of Orders', 'Calculations'])
    expect(groups[0]?.items).toMatchObject([{ label: 'Margin', metric: MARGIN }])
    const far = { ...MARGIN, id: 'met_far', dataset: CUSTOMERS.id }
    expect(unjoinedMetrics({ ...dataset, catalogue: { ...CATALOGUE, metrics: [MARGIN, far] } })).toEqual([far])
  })

  it('divides an amount by another amount at first, and by rows where there is no other', () => {
    const measure: MeasureDraft = { kind: 'column', agg: 'sum', column: 'c5', label: '', filters: [] }
    const under = (of: typeof ORDERS) => {
      const ratio = applyMeasureOption('ratio', measure, of)
      return ratio.kind === 'ratio' ? [ratio.over, ratio.under] : []
    }
    expect(under(ORDERS)).toEqual([
      { agg: 'sum', column: 'c5' },
      { agg: 'sum', column: 'c3' },
    ])
    const columns = ORDERS.columns.filter(({ key }) => key !== 'c3')
    expect(under({ ...ORDERS, columns })[1]).toEqual({ agg: 'count', column: null })
  })

  it('keeps how it runs over time, and its rows while they are the same', () => {
    const running = { kind: 'cumulative', restart: 'year', label: 'So far' } as const
    const filters = [{ kind: 'kept' as const, filter: { field: field('c2'), any: [{ op: 'empty' as const }] } }]
    const measure = {
      kind: 'column',
      agg: 'sum',
      column: 'c5',
      label: 'Sales',
      filters,
      timeCalculation: running,
    } as const
    expect(applyMeasureOption('column:c3', measure, dataset)).toEqual({
      ...{ kind: 'column', agg: 'sum', column: 'c3', label: '', filters },
      timeCalculation: { ...running, label: '' },
    })
    expect(applyMeasureOption(`metric:${MARGIN.id}`, measure, dataset)).toMatchObject({
      kind: 'metric',
      id: MARGIN.id,
      filters: [],
    })
  })
})

it('tells tables of the same name apart by their source', () => {
  const of = (id: string, sourceName: string) => ({ ...ORDERS, id, sourceId: sourceName, sourceName, name: 'Entries' })
  const books = (company: string) => [of(`${company}1`, company), { ...of(`${company}2`, company), name: 'Accounts' }]
  const alone = { ...CUSTOMERS, sourceId: 'src_c', sourceName: 'Customers' }
  expect(datasetOptions([...books('Ek AB'), alone, ...books('Al AB')])).toEqual([
    {
      group: 'Ek AB',
      items: [
        { value: 'Ek AB1', label: 'Entries' },
        { value: 'Ek AB2', label: 'Accounts' },
      ],
    },
    { value: CUSTOMERS.id, label: 'Customers' },
    {
      group: 'Al AB',
      items: [
        { value: 'Al AB1', label: 'Entries' },
        { value: 'Al AB2', label: 'Accounts' },
      ],
    },
  ])
})
