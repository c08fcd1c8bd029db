import { describe, expect, it } from 'vitest'
import { runQuery } from '../../../../test/worker/run-query'
import { CALENDAR, column, DATASET, EVERYTHING, inSqlite, tableOf } from '../../../../test/worker/warehouse-rows'
import type { RpcResult } from '../../../shared/errors'
import { queryPlanSchema } from '../../../shared/query/plan'
import type { CalcOperand, Measure, QueryPlanInput } from '../../../shared/query/plan'
import type { QueryResult } from '../../../shared/query/result'
import type { Calendar } from '../../../shared/dates'
import type { StorageValue } from '../../../lib/storage-value'

const DAY_MS = 86_400_000
const day = (iso: string): number => Date.parse(`${iso}T00:00:00Z`) / DAY_MS
const field = (index: number) => ({ dataset: DATASET, column: `c${index}` as const })
const SEK = { style: 'currency', currency: 'SEK' } as const
const EUR = { style: 'currency', currency: 'EUR' } as const
/** When, where, income and costs in öre, an amount of another currency. */
const columns = [
  column(0, { type: 'date', role: 'time' }),
  column(1, { type: 'text' }),
  column(2, { type: 'number', scale: 2, format: SEK }),
  column(3, { type: 'number', scale: 2, format: SEK }),
  column(4, { type: 'number', scale: 2, format: EUR }),
]
const row = (iso: string | null, where: string, income: number | null, cost: number | null): StorageValue[] => [
  ...[iso === null ? null : day(iso), where, income, cost, income],
]
const sum = (index: number): Measure => ({ kind: 'column', agg: 'sum', field: field(index) })
const calc = (op: 'add' | 'subtract' | 'multiply' | 'divide', left: CalcOperand, right: CalcOperand): Measure => ({
  ...{ kind: 'calc', op, left, right },
})
const prev = (of: Measure, steps = 1): Measure => ({ kind: 'prev', of, steps })
const running = (of: Measure, restart: 'never' | 'year' | 'fiscalYear' = 'never'): Measure => ({
  ...{ kind: 'cumulative', of, restart },
})
const moving = (of: Measure, agg: 'sum' | 'avg', units: number): Measure => ({ kind: 'moving', of, agg, units })
const whole = (of: Measure): Measure => ({ kind: 'whole', of })
const byMonth = { field: field(0), grain: 'month' as const }

const ask = (
  rows: StorageValue[][],
  given: Partial<QueryPlanInput> & Pick<QueryPlanInput, 'measures'>,
  calendar: Partial<Calendar> = {},
): Promise<RpcResult<QueryResult>> =>
  inSqlite('windows-test', (sql) => {
    const dataset = tableOf(columns, rows)
    return runQuery({
      sql,
      catalogue: { find: (id) => (id === DATASET ? dataset : null), edges: [] },
      scope: EVERYTHING,
      plan: queryPlanSchema.parse({ v: 2, kind: 'aggregate', dataset: DATASET, dimensions: [], filters: [], ...given }),
      calendar: { ...CALENDAR, today: '2026-06-15', ...calendar },
      now: 0,
    })
  })
const answer = async (...given: Parameters<typeof ask>): Promise<QueryResult> => {
  const outcome = await ask(...given)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error))
  return outcome.value
}
const refusal = async (...given: Parameters<typeof ask>) => {
  const outcome = await ask(...given)
  return outcome.ok ? null : outcome.error
}

const ROWS = [
  row('2025-11-10', 'A', 10_010, null),
  row('2025-12-10', 'A', 20_000, 5_000),
  row('2026-01-10', 'A', 30_000, null),
  row('2026-01-11', 'B', 1_000, 500),
  row('2026-03-10', 'A', null, 7_000),
  row(null, 'A', 900, null),
]

describe('figures of figures', () => {
  it('are exact, and a missing sum is nothing less than what is there', async () => {
    const result = await answer(ROWS, {
      measures: [calc('subtract', sum(2), sum(3)), calc('multiply', sum(2), sum(3)), calc('divide', sum(2), sum(3))],
      dimensions: [byMonth],
      totals: true,
    })
    expect(result.rows).toEqual([
      ['2025-11-01', 100.1, null, null],
      ['2025-12-01', 150, 10_000, 4],
      ['2026-01-01', 305, 1550, 62],
      ['2026-03-01', -70, null, null],
      [null, 9, null, null],
    ])
    expect(result.totals?.slice(0, 2)).toEqual([null, 494.1])
    expect(result.columns.slice(1).map(({ format }) => format)).toEqual([SEK, SEK, { style: 'plain' }])
  })

  it('of an average or a constant need both sides', async () => {
    const average: Measure = { kind: 'column', agg: 'avg', field: field(3) }
    const one: CalcOperand = { kind: 'number', value: 1 }
    const result = await answer(ROWS, {
      measures: [calc('add', sum(2), average), calc('add', sum(3), one)],
      dimensions: [byMonth],
    })
    expect(result.rows.slice(0, 2)).toEqual([
      ['2025-11-01', null, null],
      ['2025-12-01', 250, 51],
    ])
  })

  it('never add amounts of two currencies, and keep the currency they are in', async () => {
    expect(await refusal(ROWS, { measures: [calc('add', sum(2), sum(4))] })).toMatchObject({
      code: 'mixed_currency',
      details: { currencies: ['SEK', 'EUR'] },
    })
    const shown = await answer(ROWS, {
      measures: [
        { ...calc('divide', sum(2), sum(3)), format: { style: 'percent' } },
        { ...sum(2), format: EUR },
      ],
    })
    expect(shown.columns.map(({ format }) => format)).toEqual([{ style: 'percent' }, SEK])
  })

  it('sort and limit exactly as they are shown', async () => {
    const tenths = [row('2026-01-01', 'A', 10, 20), row('2026-01-01', 'B', 20, 10), row('2026-01-01', 'C', 29, 0)]
    const asked = { measures: [calc('add', sum(2), sum(3))], dimensions: [{ field: field(1) }] }
    expect((await answer(tenths, asked)).rows).toEqual([
      ['A', 0.3],
      ['B', 0.3],
      ['C', 0.29],
    ])
    const equal = await answer(tenths, { ...asked, having: [{ measure: 0, op: 'eq', value: 0.3 }] })
    expect(equal.rows).toHaveLength(2)
  })

  it('are made of numbers only, and of at least one column', async () => {
    const text: Measure = { kind: 'column', agg: 'max', field: field(1) }
    for (const measure of [calc('add', text, sum(2)), running(text)])
      expect(await refusal(ROWS, { measures: [measure], dimensions: [byMonth] })).toMatchObject({
        message: 'Calculations need numbers.',
      })
    const numbers = calc('add', { kind: 'number', value: 1 }, { kind: 'number', value: 1 })
    expect((await refusal(ROWS, { measures: [numbers] }))?.code).toBe('invalid_input')
  })
})

describe('figures over time', () => {
  it('look back over the calendar: a missing month has no figure, and a running total goes on over it', async () => {
    const result = await answer(ROWS, {
      measures: [sum(2), prev(sum(2)), prev(sum(2), 2), running(sum(2)), running(sum(2), 'year')],
      dimensions: [byMonth],
      totals: true,
    })
    expect(result.rows).toEqual([
      ['2025-11-01', 100.1, null, null, 100.1, 100.1],
      ['2025-12-01', 200, 100.1, null, 300.1, 300.1],
      ['2026-01-01', 310, 200, 100.1, 610.1, 310],
      ['2026-03-01', null, null, 310, 610.1, 310],
      [null, 9, null, null, null, null],
    ])
    expect(result.totals).toEqual([null, 619.1, null, null, 610.1, 310])
  })

  it('begin anew with the fiscal year', async () => {
    const asked = { measures: [running(sum(2), 'fiscalYear')], dimensions: [byMonth] }
    const { rows } = await answer(ROWS.slice(0, 4), asked, { fiscalYearStart: 12 })
    expect(rows.map(([, total]) => total)).toEqual([100.1, 200, 510])
  })

  it('run within each combination of the other splits; the whole has its own', async () => {
    const result = await answer(ROWS.slice(0, 5), {
      measures: [running(sum(2)), calc('subtract', sum(2), prev(sum(2)))],
      dimensions: [byMonth, { field: field(1) }],
      totals: true,
    })
    expect(result.rows).toEqual([
      ['2025-11-01', 'A', 100.1, null],
      ['2025-12-01', 'A', 300.1, 99.9],
      ['2026-01-01', 'A', 600.1, 100],
      ['2026-01-01', 'B', 10, null],
      ['2026-03-01', 'A', 600.1, null],
    ])
    expect(result.totals).toEqual([null, null, 610.1, null])
  })

  it('rank a top by what they are of, and keep Other last', async () => {
    const result = await answer(ROWS.slice(0, 4), {
      measures: [running(sum(2))],
      dimensions: [{ field: field(1), topN: 1 }, byMonth],
    })
    expect(result.rows).toEqual([
      ['A', '2026-01-01', 600.1],
      ['A', '2025-12-01', 300.1],
      ['A', '2025-11-01', 100.1],
      ['Other', '2026-01-01', 10],
    ])
    expect(result.otherCells).toEqual([{ row: 3, dimension: 0 }])
  })

  it('are compared with themselves over the comparison, which keeps its own years', async () => {
    const result = await answer(ROWS, {
      measures: [running(sum(2), 'year')],
      dimensions: [byMonth],
      period: {
        field: field(0),
        range: { kind: 'absolute', from: '2026-01-01', to: '2026-03-31' },
        compare: 'previous',
      },
    })
    expect(result.rows.map((cells) => cells.slice(0, 4))).toEqual([
      ['2026-01-01', 310, null, null],
      ['2026-02-01', 310, 100.1, 209.9],
      ['2026-03-01', 310, 300.1, 9.9],
    ])
  })

  it('compare a running year as far as it has come', async () => {
    const rows = [
      row('2025-01-10', 'A', 100, null),
      row('2025-09-10', 'A', 100, null),
      row('2026-01-10', 'A', 500, null),
    ]
    const result = await answer(rows, {
      measures: [running(sum(2))],
      dimensions: [byMonth],
      period: { field: field(0), range: { kind: 'absolute', from: '2026-01-01', to: '2026-12-31' }, compare: 'year' },
    })
    expect(result.rows.map(([month, now, before]) => [month, now, before])).toEqual([['2026-01-01', 5, 1]])
  })

  it('page, limit and sort after they are worked out', async () => {
    const asked = { measures: [running(sum(2))], dimensions: [byMonth] }
    const whole = await answer(ROWS, { ...asked, sort: [{ by: { measure: 0 }, dir: 'desc' }] })
    expect(whole.rows.map(([, total]) => total)).toEqual([610.1, 610.1, 300.1, 100.1, null])
    const page = await answer(ROWS, { ...asked, limit: 2, offset: 1 })
    expect([page.rows, page.rowCount, page.truncated]).toEqual([
      whole.rows.slice(2, 3).concat([whole.rows[0] ?? []]),
      5,
      true,
    ])
    const few = await answer(ROWS, { ...asked, having: [{ measure: 0, op: 'lt', value: 300.2 }], totals: true })
    expect([few.rowCount, few.totals]).toEqual([2, null])
  })

  it('need exactly one split by time, all of it shown', async () => {
    const measures = [prev(sum(2))]
    const wrong = [
      [],
      [{ field: field(1) }],
      [byMonth, { field: field(0), grain: 'year' as const }],
      [{ ...byMonth, topN: 2 }],
    ]
    for (const dimensions of wrong) {
      const error = await refusal(ROWS, { measures, dimensions })
      expect(error).toMatchObject({ code: 'invalid_input', message: expect.stringMatching(/^Earlier periods/) })
    }
  })

  it('refuse more groups than one answer holds', async () => {
    const rows = Array.from({ length: 10_001 }, (_, n) => row('2026-01-10', `place ${n}`, n, null))
    const asked = { measures: [running(sum(2))], dimensions: [byMonth, { field: field(1) }] }
    expect(await refusal(rows, asked)).toMatchObject({ code: 'query_too_complex', details: { what: 'groups' } })
  })

  it('refuse more terms than can be worked out for every group', async () => {
    const times = (left: CalcOperand, right: CalcOperand): Measure => ({ kind: 'calc', op: 'multiply', left, right })
    const ones = (size: number): CalcOperand =>
      size === 1 ? { kind: 'number', value: 1.00000000000001 } : times(ones(size / 2), ones(size / 2))
    const balanced = (size: number): Measure => (size === 1 ? sum(2) : times(balanced(size / 2), ones(size / 2)))
    const asked = (size: number) => ({ measures: [running(balanced(size))], dimensions: [byMonth] })
    expect((await answer(ROWS, asked(64))).rowCount).toBe(5)
    expect(await refusal(ROWS, asked(128))).toMatchObject({ details: { what: 'measure terms', max: 200 } })
  })
})

describe('moving sums and averages', () => {
  const rows = [
    row('2026-01-10', 'A', 300, 100),
    row('2026-02-10', 'A', 600, 200),
    row('2026-04-10', 'A', 900, 300),
    row('2026-05-10', 'A', 1_200, 400),
  ]
  it('begin where there are enough units, and count a unit without rows as 0', async () => {
    const { rows: found, columns: named } = await answer(rows, {
      measures: [moving(sum(2), 'sum', 3), moving(sum(2), 'avg', 3)],
      dimensions: [byMonth],
    })
    expect(found).toEqual([
      ['2026-01-01', null, null],
      ['2026-02-01', null, null],
      ['2026-04-01', 15, 5],
      ['2026-05-01', 21, 7],
    ])
    expect(named[2]?.label).toContain('3-month moving average')
  })

  it('average the figures that are there where they do not add up', async () => {
    const highest: Measure = { kind: 'column', agg: 'max', field: field(2) }
    const { rows: found } = await answer(rows, { measures: [moving(highest, 'avg', 3)], dimensions: [byMonth] })
    expect(found.at(-1)).toEqual(['2026-05-01', 10.5])
  })

  it('are filtered as they are shown', async () => {
    const { rows: found } = await answer(rows, {
      measures: [moving(sum(2), 'sum', 3)],
      dimensions: [byMonth],
      having: [{ measure: 0, op: 'gt', value: 20 }],
    })
    expect(found).toEqual([['2026-05-01', 21]])
  })

  it('are refused without a split by date', async () => {
    expect((await refusal(rows, { measures: [moving(sum(2), 'sum', 3)] }))?.code).toBe('invalid_input')
  })
})

describe('figures of all rows', () => {
  const rows = [
    row('2026-01-10', 'A', 300, 100),
    row('2026-02-10', 'B', 600, 200),
    row('2026-03-10', 'B', 900, 300),
    row('2026-04-10', 'C', 200, 400),
  ]
  const average: Measure = { kind: 'column', agg: 'avg', field: field(2) }
  const byPlace = { field: field(1) }

  it('stand beside each group, whatever a limit leaves, and without a split by date', async () => {
    const share: Measure = { kind: 'ratio', over: sum(2), under: whole(sum(2)) }
    const { rows: found, totals } = await answer(rows, {
      measures: [share, whole(average)],
      dimensions: [byPlace],
      sort: [{ by: { measure: 0 }, dir: 'desc' }],
      limit: 1,
      totals: true,
    })
    expect(found).toEqual([['B', 0.75, 5]])
    expect(totals).toEqual([null, 1, 5])
  })

  it('leave the groups that are above them', async () => {
    const { rows: found } = await answer(rows, {
      measures: [sum(2), calc('subtract', average, whole(average))],
      dimensions: [byPlace],
      having: [{ measure: 1, op: 'gt', value: 0 }],
    })
    expect(found).toEqual([['B', 15, 2.5]])
  })

  it('may look at no earlier units', async () => {
    const found = await refusal(rows, { measures: [whole(prev(sum(2)))], dimensions: [byMonth] })
    expect(found?.code).toBe('invalid_input')
  })
})
