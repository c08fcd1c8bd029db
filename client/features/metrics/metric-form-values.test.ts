import { expect, it } from 'vitest'
import type { Column } from '../../../src/shared/data-sources/data-sources'
import { newMetricValues, previewPlan, toMetricInput } from './metric-form-values'

const column = (key: Column['key'], label: string, over: Partial<Column>): Column => ({
  ...{ key, label, type: 'number', role: 'measure', format: { style: 'plain' }, hidden: false, fileIndex: 0 },
  ...over,
})
const ORDERS = {
  ...{ id: 'ds_00000000000000000001', name: 'Orders' },
  columns: [
    column('c0', 'Day', { type: 'date', role: 'time' }),
    column('c1', 'Amount', {}),
    column('c2', 'City', { type: 'text' }),
  ],
}
const MEASURE = { kind: 'column', agg: 'sum', field: { dataset: ORDERS.id, column: 'c1' } } as const
const preview = (dataRange: { from: string; to: string } | null) => {
  const values = newMetricValues([ORDERS], (one) => one, {})
  return previewPlan(MEASURE, values, { currency: 'SEK', storedMetric: null, dataset: ORDERS, dataRange }).period?.range
}

it('previews the newest twelve months that there are, however long ago they were', () => {
  expect(preview({ from: '2001-03-04', to: '2004-05-17' })).toEqual({
    ...{ kind: 'absolute', from: '2003-06-01', to: '2004-05-31' },
  })
  expect(preview(null)).toMatchObject({ kind: 'relative', span: 'all' })
})

it('begins over the first dataset with dated figures, or the first there is', () => {
  const customers = {
    id: 'ds_00000000000000000002',
    name: 'Customers',
    columns: [column('c0', 'Name', { type: 'text', role: 'dimension' })],
  }
  const begun = (datasets: (typeof ORDERS)[]) => newMetricValues(datasets, (one) => one, {})
  expect(begun([customers, ORDERS])).toMatchObject({ dataset: ORDERS.id, time: expect.stringContaining('c0') })
  expect(begun([customers]).dataset).toBe(customers.id)
  expect(newMetricValues([customers, ORDERS], (one) => one, { dataset: customers.id }).dataset).toBe(customers.id)
})

it.each([
  ['sum([Amount])', 'up', { style: 'percent' }, 'closing'],
  ['count([City])', 'up', { style: 'percent' }, 'closing'],
  ['max([City])', 'none', null, null],
  ['max([Day])', 'none', null, null],
  ['max(if([Amount] > 100, "large", "small"))', 'none', null, null],
] as const)(
  'says what is good, a format and a currency of numbers only: %s',
  (formula, direction, format, currencyMode) => {
    const begun = newMetricValues([ORDERS], (one) => one, { formula })
    const values = { ...begun, format: 'percent', currencyMode: 'closing' } as const
    const input = toMetricInput(values, { currency: 'SEK', storedMetric: null, dataset: ORDERS })
    expect(input).toMatchObject({ direction, format, currencyMode })
  },
)
