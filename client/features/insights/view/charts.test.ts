import { describe, expect, it } from 'vitest'
import { CHARTS, suggestChart, chartProblem } from '../../../../src/shared/insights'
import type { Dimension, Measure, QueryPlan } from '../../../../src/shared/query/plan'
import { answerOf, country, kronor, month, quarter, sales } from '../../../ui/chart/chart.fixture'
import { pivotModel } from '../../../../src/shared/charts/pivot-model'
import { toMeasureDraft, canShowAsPercent } from '../builder/measure-draft'
import { buildPlan, toPlanDraft } from '../builder/build-plan'
import { exportPageText } from '../../../ui/chart/answer-png'
import { currencyCountPlan, findMixedCurrency } from './plan-currencies'
import { pivotLines } from '../../../../src/shared/charts/pivot-cells'
import { pivotCellText, pivotRowsInView, pivotTextTable } from '../../../ui/pivot/pivot-text'
import { field, MONTHLY, ORDERS } from '../insights.fixture'

const SUM: Measure = { kind: 'column', agg: 'sum', field: field('c5') }
const COUNT: Measure = { kind: 'column', agg: 'count' }
const AVG: Measure = { kind: 'column', agg: 'avg', field: field('c5') }
const SHARE: Measure = { kind: 'ratio', over: SUM, under: SUM }
const TIME: Dimension = { field: field('c1'), grain: 'month' }
const NAME: Dimension = { field: field('c2') }
const plan = (measures: Measure[], dimensions: Dimension[]): QueryPlan => ({ ...MONTHLY, measures, dimensions })

describe('the chart of a question', () => {
  it.each([
    ['number', [SUM], []],
    ['line', [SUM], [TIME]],
    ['bar', [SUM], [NAME]],
    ['combined', [SUM, COUNT], [TIME]],
    ['line', [SUM, AVG], [TIME]],
    ['groupedBar', [SUM, COUNT], [NAME]],
    ['stackedBar', [SUM], [TIME, NAME]],
    ['line', [AVG], [TIME, NAME]],
    ['groupedBar', [SHARE], [NAME, NAME]],
    ['pivot', [SUM], [NAME, NAME, TIME]],
    ['table', [SUM, SUM, SUM, SUM], [NAME]],
  ] as const)('is suggested as %s', (chart, measures, dimensions) => {
    const asked = plan([...measures], [...dimensions])
    expect(suggestChart(asked)).toBe(chart)
    expect(chartProblem(chart, asked)).toBeNull()
  })

  it('is refused in a sentence that says what to change', () => {
    const reasons = CHARTS.flatMap((chart) => chartProblem(chart, plan([AVG], [NAME])) ?? [])
    expect(reasons.length).toBeGreaterThan(5)
    for (const reason of reasons) expect(reason).toMatch(/^[A-Z].+\.$/)
  })

  it('adds up only what adds up', () => {
    expect(chartProblem('stackedBar', plan([AVG], [TIME, NAME]))).toMatch(/do not add up/)
    expect(chartProblem('waterfall', plan([SHARE], [NAME]))).toMatch(/do not add up/)
    expect(chartProblem('waterfall', plan([SUM], [NAME]))).toBeNull()
  })

  it('turns bars into grouped bars when a second split comes, and back', () => {
    const draft = toPlanDraft(plan([SUM], [NAME]), { chart: 'bar', direction: 'up' }, ORDERS)
    const two = { ...draft, dimensions: [...draft.dimensions, ...draft.dimensions] }
    expect(buildPlan(two)).toMatchObject({ viz: { chart: 'groupedBar' } })
    expect(buildPlan({ ...draft, chart: 'groupedBar' })).toMatchObject({ viz: { chart: 'bar' } })
  })
})

describe('a ratio as per cent', () => {
  it('is kept with the insight, by measure', () => {
    const draft = toPlanDraft(plan([COUNT, SHARE], [TIME]), { chart: 'line', direction: 'up', percent: [1] }, ORDERS)
    expect(draft.measures[1]).toMatchObject({ kind: 'ratio', percent: true })
    expect(buildPlan(draft)).toMatchObject({ viz: { percent: [1] } })
  })

  it('is kept also for a ratio that the builder cannot take apart', () => {
    const row = { kind: 'field', field: field('c5') } as const
    const odd: Measure = { kind: 'ratio', over: { kind: 'expression', agg: 'sum', row }, under: SUM }
    const draft = toPlanDraft(plan([odd], [TIME]), { chart: 'line', direction: 'up', percent: [0] }, ORDERS)
    expect(draft.measures[0]).toMatchObject({ kind: 'kept', percent: true })
    expect(buildPlan(draft)).toMatchObject({ viz: { percent: [0] } })
  })

  it('is offered only for two like things', () => {
    const ratio = (over: Measure, under: Measure) => {
      const draft = toMeasureDraft({ kind: 'ratio', over, under }, ORDERS)
      return draft.kind === 'ratio' && canShowAsPercent(draft, ORDERS)
    }
    expect(ratio(SUM, SUM)).toBe(true)
    expect(ratio(COUNT, COUNT)).toBe(true)
    expect(ratio(SUM, COUNT)).toBe(false)
    expect(ratio(COUNT, SUM)).toBe(false)
  })
})

describe('amounts of several currencies', () => {
  const currency = { ...ORDERS.columns[2], key: 'c9', label: 'currency', role: 'currency' } as const
  const [, , countryColumn] = ORDERS.columns
  if (!countryColumn) throw new Error('no column')
  const data = { ...ORDERS, columns: [...ORDERS.columns, { ...countryColumn, ...currency }] }

  it('are noticed where plain amounts are put together', () => {
    const found = findMixedCurrency(plan([SUM], [TIME]), [data])
    expect(found?.column.label).toBe('currency')
    expect(currencyCountPlan(MONTHLY, found)?.measures).toEqual([
      { kind: 'column', agg: 'countDistinct', field: { dataset: data.id, column: 'c9' } },
    ])
  })

  it('are no matter without a currency column, in counts, or one currency at a time', () => {
    expect(findMixedCurrency(plan([SUM], [TIME]), [ORDERS])).toBeNull()
    expect(findMixedCurrency(plan([COUNT], [TIME]), [data])).toBeNull()
    expect(findMixedCurrency(plan([SUM], [{ field: { dataset: data.id, column: 'c9' } }]), [data])).toBeNull()
    const filters = [{ field: { dataset: data.id, column: 'c9' as const }, any: [{ op: 'eq' as const, value: 'SEK' }] }]
    expect(findMixedCurrency({ ...plan([SUM], [TIME]), filters }, [data])).toBeNull()
  })
})

describe('a pivot in text', () => {
  const main = answerOf(
    [{ ...country, key: 'd0' }, { ...month, key: 'd1' }, sales],
    [
      ['=1+1', '2026-01-01', 1234.5],
      ['Norway', '2026-02-01', -2],
    ],
  )
  const model = pivotModel(main, {}, kronor)
  if (!model) throw new Error('no pivot')

  it('is CSV with bare figures, and no formula of a spreadsheet', () => {
    expect(pivotLines(model).map((line) => line.map((cell) => pivotCellText(cell, kronor)))).toEqual([
      ['country', 'Jan 2026', 'Feb 2026'],
      ["'=1+1", '1234,5', ''],
      ['Norway', '', '-2'],
    ])
    const order = (column: number, dir: 'asc' | 'desc') =>
      pivotRowsInView(model, { sort: { column, dir }, filters: [] }).map(({ label }) => label)
    expect(order(0, 'desc')).toEqual(['Norway', '=1+1'])
    expect(order(1, 'asc')).toEqual(['=1+1', 'Norway'])
    expect(order(2, 'asc')).toEqual(['Norway', '=1+1'])
  })

  it('is a table of formatted figures', () => {
    const table = pivotTextTable(model, kronor)
    expect(table.rows[0]?.cells.map((cell) => cell.replace(/[\u00a0\u202f]/g, ' '))).toEqual([
      '=1+1',
      '1 234,50 kr',
      '',
    ])
  })
})

describe('a picture that leaves the product', () => {
  it('carries title, question, period, source and date', () => {
    const text = exportPageText({
      result: quarter(),
      viz: { chart: 'line', direction: 'up' },
      format: kronor,
      title: 'Sales',
      dataAsOf: '1 Apr 2026, 10:00',
      today: '2 Apr 2026',
    })
    expect(text).toMatchObject({ title: 'Sales', subtitle: 'Sales by month' })
    expect(text.foot).toBe(
      'Period: Jan–Mar 2026 vs Jan–Mar 2025 · Source: Orders, updated 1 Apr 2026, 10:00 · Exported 2 Apr 2026',
    )
  })
})
