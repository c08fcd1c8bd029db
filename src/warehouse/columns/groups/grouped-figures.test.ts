import { describe, expect, it } from 'vitest'
import { CALENDAR, column, EVERYTHING, inSqlite, tableOf } from '../../../../test/worker/warehouse-rows'
import { runQuery } from '../../../../test/worker/run-query'
import { groupTally } from './group-tally'
import type { RpcResult } from '../../../shared/errors'
import { queryPlanSchema, type GroupedMeasure, type Measure, type QueryPlanInput } from '../../../shared/query/plan'
import type { QueryResult } from '../../../shared/query/result'
import type { StorageValue } from '../../../lib/storage-value'

const ORDERS = 'ds_00000000000000000031'
const at = (index: number) => ({ dataset: ORDERS, column: `c${index}` as const })
const COLUMNS = [
  column(0, { type: 'text', label: 'Customer' }),
  column(1, { type: 'number', scale: 2, label: 'Amount', format: { style: 'currency', currency: 'SEK' } }),
  column(2, { type: 'date', label: 'Day', role: 'time' }),
  column(3, { type: 'text', label: 'Country' }),
]
const [MARCH, APRIL] = [20_513, 20_544]
/** Ann 300 + 100 in March and 50 in April, Bo 30 in March, Cy 7 000 in April; Di has an order without an amount. */
const ROWS: StorageValue[][] = [
  ['Ann', 30_000, MARCH, 'SE'],
  ['Ann', 10_000, MARCH, 'SE'],
  ['Bo', 3_000, MARCH, 'NO'],
  ['Ann', 5_000, APRIL, 'SE'],
  ['Cy', 700_000, APRIL, 'NO'],
  ['Di', null, APRIL, 'NO'],
]
const ask = (given: Partial<QueryPlanInput>, rows: StorageValue[][] = ROWS) =>
  inSqlite('grouped-test', (sql): RpcResult<QueryResult> => {
    const dataset = { ...tableOf(COLUMNS, rows, { perChunk: 2 }), id: ORDERS, name: 'Orders' }
    const plan = queryPlanSchema.parse({ v: 3, kind: 'aggregate', measures: [], dimensions: [], filters: [], ...given })
    const catalogue = { find: () => dataset, edges: [] }
    return runQuery({ sql, catalogue, scope: EVERYTHING, plan, calendar: CALENDAR, now: 0 })
  })
const answer = async (given: Partial<QueryPlanInput>, rows?: StorageValue[][]): Promise<QueryResult> => {
  const outcome = await ask(given, rows)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error))
  return outcome.value
}
const amount: Measure = { kind: 'column', agg: 'sum', field: at(1) }
const orders: Measure = { kind: 'column', agg: 'count', dataset: ORDERS }
const perCustomer = (agg: GroupedMeasure['agg'], more: Partial<GroupedMeasure> = {}): GroupedMeasure => ({
  ...{ kind: 'grouped', agg, of: amount, by: [{ field: at(0) }], ...more },
})
const figure = async (measure: Measure) => (await answer({ measures: [measure] })).rows[0]?.[0]

describe('figures over groups', () => {
  it('put the figures of groups together; a group without a figure does not count', async () => {
    expect(await figure(perCustomer('avg'))).toBe((450 + 30 + 7000) / 3)
    expect(await figure(perCustomer('median'))).toBe(450)
    expect(await figure(perCustomer('median', { percent: 90 }))).toBe(5690)
    expect(await figure(perCustomer('sum'))).toBe(7480)
    expect(await figure(perCustomer('min'))).toBe(30)
    expect(await figure(perCustomer('max'))).toBe(7000)
    expect(await figure(perCustomer('count'))).toBe(3)
    expect(await figure(perCustomer('count', { of: orders }))).toBe(4)
    expect(await figure(perCustomer('avg', { of: { kind: 'ratio', over: amount, under: orders } }))).toBe(
      (150 + 30 + 7000) / 3,
    )
  })

  it('of the groups within a limit, and of these the largest', async () => {
    expect(await figure(perCustomer('count', { having: { op: 'gt', value: 450 } }))).toBe(1)
    expect(await figure(perCustomer('count', { having: { op: 'ge', value: 450 } }))).toBe(2)
    expect(await figure(perCustomer('sum', { having: { op: 'lt', value: 1000 }, largest: 1 }))).toBe(450)
    expect(await figure(perCustomer('share', { largest: 1 }))).toBe(7000 / 7480)
    expect(await figure(perCustomer('count', { having: { op: 'gt', value: 1e9 } }))).toBe(0)
    expect(await figure(perCustomer('avg', { having: { op: 'gt', value: 1e9 } }))).toBeNull()
  })

  it('are of the groups within each group of the answer, and their totals of the groups of everything', async () => {
    const month = { field: at(2), grain: 'month' as const }
    const { rows, totals, columns } = await answer({
      measures: [perCustomer('avg'), perCustomer('count')],
      dimensions: [month],
      totals: true,
    })
    expect(rows).toEqual([
      ['2026-03-01', 215, 2],
      ['2026-04-01', 3525, 2],
    ])
    expect(totals).toEqual([null, 7480 / 3, 3])
    expect(columns.slice(1).map(({ format }) => format)).toEqual([
      { style: 'currency', currency: 'SEK' },
      { style: 'plain' },
    ])
  })

  it('rank, are limited and folded into Other, and stand within calculations', async () => {
    const top = await answer({
      measures: [perCustomer('max'), { kind: 'ratio', over: amount, under: perCustomer('count') }],
      dimensions: [{ field: at(3), topN: 1 }],
    })
    expect(top.rows).toEqual([
      ['NO', 7000, 3515],
      ['Other', 450, 450],
    ])
    const limited = await answer({
      measures: [perCustomer('count')],
      dimensions: [{ field: at(3) }],
      having: [{ measure: 0, op: 'ge', value: 2 }],
    })
    expect(limited.rows).toEqual([['NO', 2]])
  })

  it('compare with the period before, each with the groups of its own rows', async () => {
    const range = { kind: 'absolute', from: '2026-04-01', to: '2026-04-30' } as const
    const period = { field: at(2), range, compare: 'previous' } as const
    expect((await answer({ measures: [perCustomer('count')], period })).rows).toEqual([[2, 2, 0, 0]])
    expect((await answer({ measures: [perCustomer('max')], period })).rows).toEqual([[7000, 400, 6600, 16.5]])
  })

  it('of units of a date: average revenue per day', async () => {
    const daily = perCustomer('avg', { by: [{ field: at(2), grain: 'day' }] })
    const { rows, words } = await answer({ measures: [daily] })
    expect([rows, words]).toEqual([[[3740]], 'Average sum of Amount per day of Day'])
  })

  it('stay exact past 2^53', async () => {
    const far = 2 ** 52 + 1
    const big = ['a', 'b', 'c'].map((name): StorageValue[] => [name, far, MARCH, 'SE'])
    const { rows } = await answer({ measures: [perCustomer('sum'), perCustomer('median')] }, big)
    expect(rows).toEqual([['135107988821114.91', '45035996273704.97']])
    const tally = groupTally(perCustomer('median'))
    for (const n of [2n ** 60n + 3n, 2n ** 60n + 1n]) tally.add({ n, scale: 2 })
    tally.add({ n: 5n, scale: 0 })
    expect(tally.value()).toEqual({ n: (2n ** 60n + 1n) * 10n, scale: 3 })
  })

  it('say so in words', async () => {
    const words = async (measure: Measure) => (await answer({ measures: [measure] })).words
    expect(await words(perCustomer('avg', { of: { ...amount, label: 'Revenue' } }))).toBe(
      'Average Revenue per Customer',
    )
    expect(await words(perCustomer('count', { having: { op: 'gt', value: 10_000 } }))).toBe(
      'Number of Customer with sum of Amount more than kr\u00a010,000',
    )
    expect(await words(perCustomer('share', { largest: 10 }))).toBe('Share of sum of Amount per Customer, 10 largest')
    expect(await words(perCustomer('median', { percent: 90 }))).toBe('90th percentile of sum of Amount per Customer')
  })
})

describe('figures over groups are refused', () => {
  const refused = async (measure: Measure): Promise<string> => {
    const outcome = await ask({ measures: [measure] })
    return outcome.ok ? 'answered' : (outcome.error.message ?? '')
  }
  it('within groups, over time, of what is no number, and shares of everything', async () => {
    expect(await refused(perCustomer('avg', { of: perCustomer('sum') }))).toBe('Groups can’t have groups of their own.')
    const running: Measure = { kind: 'cumulative', of: amount, restart: 'never' }
    expect(await refused(perCustomer('avg', { of: running }))).toBe(
      'Groups have no earlier periods, running totals or totals of all.',
    )
    const last: Measure = { kind: 'column', agg: 'max', field: at(3) }
    expect(await refused(perCustomer('avg', { of: last }))).toBe('Calculations need numbers.')
    expect(await refused(perCustomer('share'))).toBe('A share needs a condition or the largest groups.')
    expect(await refused(perCustomer('avg', { by: [{ field: at(0), grain: 'day' }] }))).toBe('Date units need a date.')
  })
})
