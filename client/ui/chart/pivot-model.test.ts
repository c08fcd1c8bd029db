import { describe, expect, it } from 'vitest'
import type { QueryPlan } from '../../../src/shared/query/plan'
import type { ResultColumn } from '../../../src/shared/query/result'
import { acrossDimensionIndex, pivotModel, pivotPlans } from '../../../src/shared/charts/pivot-model'
import { markFilters, markLabel } from '../../lib/marks/mark-filters'
import { answerOf, country, kronor, month, sales } from './chart.fixture'

const region: ResultColumn = { ...country, key: 'd0', label: 'region' }
const town: ResultColumn = { ...country, key: 'd1', label: 'town' }
const field = (column: `c${number}`) => ({ dataset: 'ds_00000000000000000001', column })
const PLAN: QueryPlan = {
  v: 1,
  kind: 'aggregate',
  measures: [{ kind: 'column', agg: 'avg', field: field('c5') }],
  dimensions: [{ field: field('c1') }, { field: field('c2'), topN: 3 }, { field: field('c3'), grain: 'month' }],
  filters: [],
  sort: [{ by: { dimension: 2 }, dir: 'asc' }],
}

describe('pivotPlans', () => {
  it('asks the server for every total instead of adding up', () => {
    const plans = pivotPlans(PLAN)
    const grains = (plan?: QueryPlan) => plan?.dimensions.map((one) => one.field.column)
    expect(grains(plans?.rows)).toEqual(['c1', 'c2'])
    expect(grains(plans?.across)).toEqual(['c3'])
    expect(grains(plans?.outer)).toEqual(['c1', 'c3'])
    expect(grains(plans?.outerTotal)).toEqual(['c1'])
    expect(plans?.rows).toMatchObject({ totals: true, dimensions: [{}, { topN: 3 }] })
    expect(plans?.rows).not.toHaveProperty('sort')
  })

  it('asks for none under limits on figures, which hold for groups only', () => {
    expect(pivotPlans({ ...PLAN, having: [{ measure: 0, op: 'gt', value: 1 }] })).toBeNull()
  })

  it('puts the one split over time across, else the last', () => {
    expect(acrossDimensionIndex([{ grain: 'month' }, {}])).toBe(0)
    expect(acrossDimensionIndex([{}, {}])).toBe(1)
    expect(acrossDimensionIndex([{ grain: 'month' }, { grain: 'year' }, {}])).toBe(2)
  })
})

describe('pivotModel', () => {
  const main = answerOf(
    [region, town, { ...month, key: 'd2' }, sales],
    [
      ['North', 'Umeå', '2026-01-01', 10],
      ['North', 'Umeå', '2026-02-01', 30],
      ['South', 'Malmö', '2026-01-01', 5],
    ],
  )
  const answers = {
    rows: answerOf(
      [region, town, sales],
      [
        ['North', 'Umeå', 20],
        ['South', 'Malmö', 5],
      ],
      { totals: [null, null, 15] },
    ),
    across: answerOf(
      [month, sales],
      [
        ['2026-01-01', 7.5],
        ['2026-02-01', 30],
      ],
    ),
    outer: answerOf(
      [region, month, sales],
      [
        ['North', '2026-01-01', 10],
        ['North', '2026-02-01', 30],
      ],
    ),
    outerTotal: answerOf(
      [region, sales],
      [
        ['North', 20],
        ['South', 5],
      ],
    ),
  }

  it('shows minor units in all of its amounts, or in none', () => {
    const write = (amounts: readonly [number, number]): string[] => {
      const cells = amounts.map((amount, at) => ['North', 'Umeå', `2026-0${at + 1}-01`, amount])
      const model = pivotModel(answerOf([region, town, { ...month, key: 'd2' }, sales], cells), {}, kronor)
      const [column] = model?.measures ?? []
      return amounts.map((amount) => (column ? kronor.full(amount, column).replace(/\s/g, ' ') : ''))
    }
    expect(write([10, 30.5])).toEqual(['10,00 kr', '30,50 kr'])
    expect(write([10, 30])).toEqual(['10 kr', '30 kr'])
  })

  it('knows what each heading stands for: a row of the answer, and which of its splits', () => {
    const model = pivotModel(main, answers, kronor)
    expect(model?.across.map(({ head }) => head)).toEqual([
      { row: 0, dimensions: [2] },
      { row: 1, dimensions: [2] },
    ])
    expect(model?.rows.map(({ head }) => head)).toEqual([
      { row: 0, dimensions: [0] },
      { row: 0, dimensions: [0, 1] },
      { row: 2, dimensions: [0] },
      { row: 2, dimensions: [0, 1] },
    ])
    const mark = { plan: PLAN, result: main, ...(model?.rows[2]?.head ?? { row: 0 }) }
    expect(markFilters(mark)).toEqual([{ field: field('c1'), any: [{ op: 'eq', value: 'South' }] }])
    expect(markLabel(mark, kronor)).toBe('South')
  })

  it('stands figures under their own column with the totals of the server', () => {
    const model = pivotModel(main, answers, kronor)
    expect(model?.across.map((one) => one.label)).toEqual(['Jan 2026', 'Feb 2026'])
    expect(model?.rows.map((row) => [row.label, row.depth])).toEqual([
      ['North', 0],
      ['Umeå', 1],
      ['South', 0],
      ['Malmö', 1],
    ])
    const [north, umea, south, malmo] = model?.rows ?? []
    expect(north?.figures).toMatchObject({ cells: [[{ value: 10, row: null }], [{ value: 30 }]], total: [20] })
    expect(umea?.figures).toMatchObject({ cells: [[{ value: 10, row: 0 }], [{ value: 30, row: 1 }]], total: [20] })
    expect(south?.figures.cells).toEqual([[], []])
    expect(malmo?.parent).toBe(south?.key)
    expect(model?.totals).toMatchObject({ cells: [[{ value: 7.5 }], [{ value: 30 }]], total: [15] })
  })

  it('shows its cells before the totals have come', () => {
    const model = pivotModel(main, {}, kronor)
    expect(model?.rows).toHaveLength(4)
    expect(model?.totals).toBeNull()
    expect(model?.rows[0]?.figures.total).toBeNull()
  })

  it('keeps the group of the rest last and apart from a real "Other"', () => {
    const result = answerOf(
      [region, { ...month, key: 'd1' }, sales],
      [
        ['Other', '2026-01-01', 9],
        ['Other', '2026-01-01', 1],
        ['Zone', '2026-01-01', 2],
      ],
      { otherCells: [{ row: 0, dimension: 0 }] },
    )
    const model = pivotModel(result, {}, kronor)
    expect(model?.rows.map((row) => row.figures.cells[0]?.[0]?.value)).toEqual([1, 2, 9])
  })

  it('marks buckets that the data begin in the middle of, downwards as across', () => {
    const cut = { ...month, partial: [{ start: '2026-01-01', from: '2026-01-24' }] }
    const year: ResultColumn = { ...month, key: 'd1', grain: 'year' }
    const made = pivotModel(answerOf([cut, year, sales], [['2026-01-01', '2026-01-01', 10]]), {}, kronor)
    expect(made?.rows.map(({ label }) => label)).toEqual(['Jan 2026 *'])
  })
})
