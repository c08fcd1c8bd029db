import { describe, expect, it } from 'vitest'
import { answerRows, askRows } from '../../../../test/worker/ask-rows'
import { column, DATASET } from '../../../../test/worker/warehouse-rows'
import type { QueryPlanInput } from '../../../shared/query/plan'

const field = (index: number) => ({ dataset: DATASET, column: `c${index}` as const })
const columns = [
  column(0, { type: 'number', scale: 2, label: 'Price' }),
  column(1, { type: 'integer', label: 'Age' }),
  column(2, { type: 'text', label: 'Country' }),
]
const rows = [
  [999, 34, 'Sweden'],
  [1_000, 18, 'Norway'],
  [-1, 71, 'Sweden'],
  [0, 35, null],
  [null, null, 'Norway'],
]
const answer = (plan: Partial<QueryPlanInput>) => answerRows('bins', { columns, rows, plan })

describe('a split in steps of a number', () => {
  it('has what is at an edge in the step above it, and begins at multiples below 0, too', async () => {
    const found = await answer({ dimensions: [{ field: field(0), bins: { width: 10 } }] })
    expect(found.rows).toEqual([
      [-10, 1],
      [0, 2],
      [10, 1],
      [null, 1],
    ])
    expect(found.columns[0]).toMatchObject({ bins: { width: 10 } })
    expect(found.words).toBe('Number of rows by Price in steps of 10')
  })

  it('takes round steps that fit the numbers of the answer', async () => {
    const bins = { count: 5 }
    const all = await answer({ dimensions: [{ field: field(1), bins }] })
    expect(all.columns[0]?.bins).toEqual({ width: 20 })
    const some = await answer({
      dimensions: [{ field: field(1), bins }],
      filters: [{ field: field(1), any: [{ op: 'lt', value: 36 }] }],
    })
    expect(some.columns[0]?.bins).toEqual({ width: 5 })
    expect(some.rows).toEqual([
      [15, 1],
      [30, 1],
      [35, 1],
    ])
  })

  it('is refused of texts, and beside a top N', async () => {
    const refused = async (given: object) => {
      const dimensions = [{ bins: { width: 1 }, field: field(2), ...given }]
      const outcome = await askRows('bins', { columns, rows, plan: { dimensions } })
      return outcome.ok ? null : Object.keys(Object(outcome.error.details?.['fields']))
    }
    expect(await refused({})).toEqual(['plan.dimensions.0.bins'])
    expect(await refused({ field: field(0), topN: 2 })).toEqual(['plan.dimensions.0.topN'])
  })
})

describe('a list of values', () => {
  it('has every value that occurs once, without a figure', async () => {
    const found = await answer({ measures: [], dimensions: [{ field: field(2) }], totals: true })
    expect(found.rows).toEqual([['Norway'], ['Sweden'], [null]])
    expect(found).toMatchObject({ rowCount: 3, totals: null, words: 'Values of Country' })
  })

  it('is refused without a split, and with a top N', async () => {
    const none = await askRows('bins', { columns, rows, plan: { measures: [] } })
    const top = await askRows('bins', {
      ...{ columns, rows },
      plan: { measures: [], dimensions: [{ field: field(2), topN: 3 }] },
    })
    expect([none.ok, top.ok]).toEqual([false, false])
  })
})

describe('a percentile', () => {
  const of = (index: number, percent?: number) => ({
    ...{ kind: 'column' as const, agg: 'median' as const, field: field(index) },
    ...(percent === undefined ? {} : { percent }),
  })
  it('lies between two values as far along as its rank, exactly', async () => {
    const found = await answer({ measures: [of(1, 25), of(1), of(1, 90), of(0, 33.33)] })
    // 18, 34, 35, 71 and −0.01, 0, 9.99, 10.00.
    expect(found.rows).toEqual([[30, 34.5, 60.2, -0.000001]])
    expect(found.columns.map(({ label }) => label)).toEqual([
      '25th percentile of Age',
      'Median Age',
      '90th percentile of Age',
      '33.33th percentile of Price',
    ])
  })

  it('is refused of another aggregate', async () => {
    const plan = { measures: [{ kind: 'column' as const, agg: 'sum' as const, field: field(1), percent: 90 }] }
    const outcome = await askRows('bins', { columns, rows, plan })
    expect(outcome.ok ? null : outcome.error.details).toMatchObject({
      fields: { 'plan.measures.0.percent': expect.any(String) },
    })
  })
})
