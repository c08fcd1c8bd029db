import { expect, it } from 'vitest'
import { describePlan, planNaming } from './describe-plan'
import { column } from '../../../../test/worker/warehouse-rows'
import type { Measure, QueryPlan } from '../../../shared/query/plan'

const SEK = { style: 'currency', currency: 'SEK' } as const
const COLUMNS = [
  column(0, { type: 'number', label: 'Amount', role: 'measure', format: SEK }),
  column(1, { type: 'date', label: 'Day', role: 'time' }),
  column(2, { type: 'integer', label: 'Customer', role: 'id' }),
]
const ORDERS = 'ds_00000000000000000001'
const at = (index: 0 | 1 | 2) => ({ dataset: ORDERS, column: `c${index}` }) as const
const graph = {
  edges: [],
  datasetName: () => 'Orders',
  columnLabel: ({ key }: { key: string }) => COLUMNS.find((one) => one.key === key)?.label ?? '',
}
const wordsOf = (plan: Omit<QueryPlan, 'v' | 'kind'>, locale?: string): string =>
  describePlan(
    { v: 2, kind: 'aggregate', ...plan },
    null,
    planNaming(graph, { home: ORDERS, find: () => ({ columns: COLUMNS }), locale }),
  ).replaceAll(/[\u00A0\u202F]/g, ' ')
const SUM = { kind: 'column', agg: 'sum', field: at(0) } as const
const PLAN: Omit<QueryPlan, 'v' | 'kind'> = {
  measures: [SUM],
  dimensions: [],
  filters: [
    { field: at(0), any: [{ op: 'gt', value: 100_000 }] },
    { field: at(1), any: [{ op: 'ge', value: '2024-01-05' }] },
    { field: at(2), any: [{ op: 'eq', value: 100_000 }] },
  ],
  having: [{ measure: 0, op: 'ge', value: 1_250_000.5 }],
}

it('writes values of conditions in the notation of the workspace, with their currency, and leaves keys as they are', () => {
  expect(wordsOf(PLAN, 'sv-SE')).toBe(
    'Sum of Amount, where Amount is more than 100 000 kr and Day is at least 5 Jan 2024 and Customer is 100000, ' +
      'only where sum of Amount is at least 1 250 000,50 kr',
  )
  expect(wordsOf(PLAN)).toContain('is more than kr 100,000')
})

it('writes limits on figures of groups, and steps of bins', () => {
  const per: Measure = {
    kind: 'grouped',
    agg: 'count',
    of: SUM,
    by: [{ field: at(2) }],
    having: { op: 'gt', value: 10_000 },
  }
  const bins = { field: at(0), bins: { width: 2500 } }
  expect(wordsOf({ measures: [per], dimensions: [bins], filters: [] }, 'sv-SE')).toBe(
    'Number of Customer with sum of Amount more than 10 000 kr by Amount in steps of 2 500 kr',
  )
})
