import { expect, it } from 'vitest'
import { defaultCurrencyMode } from './currencies'
import { queryPlanSchema, type Condition } from './query/plan'

const ID = 'ds_00000000000000000000'
const dataset = (labels: string[]) => ({
  id: ID,
  columns: labels.map((label, i) => ({ key: `c${i}` as const, label })),
})
const ENTRIES = dataset(['account', 'amount', 'voucher_key', 'date'])
const PERIODS = dataset(['account', 'amount', 'period', 'fiscal_year'])
const BALANCES = dataset(['account', 'amount', 'kind', 'fiscal_year'])
const plan = (any?: Condition[], within = false) => {
  const filters = any ? [{ field: { dataset: ID, column: 'c0' }, any }] : []
  return queryPlanSchema.parse({
    ...{ v: 2, kind: 'aggregate', dimensions: [], filters: within ? [] : filters },
    measures: [
      { kind: 'column', agg: 'sum', field: { dataset: ID, column: 'c1' }, ...(within ? { filter: filters } : {}) },
    ],
  })
}

it('takes closing rates for what accounts stand at and averages for what was posted', () => {
  expect(defaultCurrencyMode(plan(), [BALANCES], 'automatic')).toBe('closing')
  expect(defaultCurrencyMode(plan(), [ENTRIES], 'automatic')).toBe('average')
  expect(defaultCurrencyMode(plan(), [PERIODS], 'automatic')).toBe('average')
  expect(defaultCurrencyMode(plan(), [dataset(['Customer', 'Amount'])], 'automatic')).toBe('transaction')
  expect(defaultCurrencyMode(plan(), [BALANCES], 'budget')).toBe('budget')
})

it.each([
  [{ op: 'between', from: '1000', to: '2999' }, 'closing'],
  [{ op: 'startsWith', value: '19' }, 'closing'],
  [{ op: 'in', values: ['1510', '2440'] }, 'closing'],
  [{ op: 'lt', value: '3000' }, 'closing'],
  [{ op: 'lt', value: '3' }, 'closing'],
  [{ op: 'between', from: '1000', to: '3000' }, 'average'],
  [{ op: 'in', values: ['1510', '3001'] }, 'average'],
  [{ op: 'notIn', values: ['3001'] }, 'average'],
] as const)('knows accounts of the balance sheet by their class: %o', (condition, mode) => {
  const given: Condition =
    condition.op === 'in' || condition.op === 'notIn' ? { ...condition, values: [...condition.values] } : condition
  expect(defaultCurrencyMode(plan([given]), [ENTRIES], 'automatic')).toBe(mode)
  expect(defaultCurrencyMode(plan([given], true), [ENTRIES], 'automatic')).toBe(mode)
})
