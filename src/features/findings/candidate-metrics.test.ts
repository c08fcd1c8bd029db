import { expect, it } from 'vitest'
import { defaultCandidates, insightCandidate, metricCandidate } from './candidate-metrics'
import { BAS_RANGES } from '../../shared/account-classes'
import type { CatalogueDataset } from '../../warehouse/contract'
import type { Column } from '../../shared/data-sources/data-sources'
import type { AggregateMeasure, Measure } from '../../shared/query/plan'

const ID = 'ds_orders'
const column = (key: Column['key'], label: string, over: Partial<Column>): Column => ({
  ...{ key, label, type: 'number', role: 'measure', format: { style: 'plain' }, hidden: false, fileIndex: 0 },
  ...over,
})
const ORDERS: CatalogueDataset = {
  ...{ id: ID, sourceId: 'src_1', name: 'Orders', dataVersion: 1, rowCount: 1000, bytes: 0, keyColumns: [] },
  columns: [
    column('c0', 'Date', { type: 'date', role: 'time' }),
    column('c1', 'Sales', {}),
    column('c2', 'Customer', { type: 'text', role: 'dimension' }),
  ],
  loadedAt: null,
}
const time = { dataset: ID, column: 'c0' } as const
const accounts = { ranges: BAS_RANGES, adjusted: false }
const around = {
  find: () => ORDERS,
  timeOf: () => time,
  joinsOf: () => new Set<never>(),
  relatedOf: () => [],
  accounts,
}
const sum: AggregateMeasure = { kind: 'column', agg: 'sum', field: { dataset: ID, column: 'c1' } }
const running = (of: Measure): Measure => ({ kind: 'cumulative', of, restart: 'year', label: 'Year to date' })
const ofInsight = (measure: Measure) =>
  insightCandidate(
    {
      ...{ id: 'ins_1', name: 'My insight', viz: { direction: 'up' } },
      plan: {
        v: 2,
        kind: 'aggregate',
        measures: [measure],
        dimensions: [{ field: time, grain: 'month' }],
        filters: [],
      },
    },
    around,
  )

it('looks at what a running total is made of, and calls it so', () => {
  expect(ofInsight(running({ ...sum, label: 'Net sales' }))).toMatchObject({ label: 'Net sales', measure: sum })
  expect(ofInsight(running(sum))).toMatchObject({ label: 'Sales', measure: sum })
  expect(ofInsight({ ...sum, label: 'Revenue' })).toMatchObject({ label: 'Revenue' })
  expect(ofInsight(sum)).toMatchObject({ label: 'My insight' })
  const metric = { id: 'met_1', dataset: ID, time, direction: 'up' } as const
  expect(metricCandidate({ ...metric, name: 'YTD', measure: running(sum) }, around)?.label).toBe('Sales')
  expect(metricCandidate({ ...metric, name: 'Turnover', measure: sum }, around)?.label).toBe('Turnover')
})

it('is one look for a figure and its running total', () => {
  expect(ofInsight(running(sum))?.key).toBe(ofInsight(sum)?.key)
})

it('is no look at a text or a date, and one at how many there are', () => {
  const [customer, sales] = [{ dataset: ID, column: 'c2' } as const, { dataset: ID, column: 'c1' } as const]
  expect(ofInsight({ kind: 'column', agg: 'last', field: customer, by: sales })).toBeNull()
  expect(ofInsight({ kind: 'column', agg: 'max', field: time })).toBeNull()
  expect(ofInsight({ kind: 'column', agg: 'countDistinct', field: customer })).not.toBeNull()
})

it('looks at the average of exchange rates, which add up to nothing', () => {
  const labels = ['JPY', 'USD', 'SEK']
  const rates = labels.map((label, at) => column(`c${at + 1}`, label, { scale: 4 }))
  const home = { ...ORDERS, columns: [...ORDERS.columns.slice(0, 1), ...rates] }
  const found = defaultCandidates(home, { ...around, find: () => home })
  expect(found.map(({ label, measure }) => [label, measure.kind === 'column' && measure.agg])).toEqual([
    ...[
      ['Average USD', 'avg'],
      ['Average SEK', 'avg'],
    ],
    ['Average JPY', 'avg'],
  ])
})

it('tells what was paid by when it was paid: of the newest invoices little has been, whatever the business does', () => {
  const invoices = [
    column('c0', 'Fakturadatum', { type: 'date', role: 'time' }),
    column('c1', 'Totalt', { scale: 2 }),
    column('c2', 'Betalt belopp', { scale: 2 }),
  ]
  const looked = (columns: Column[]): unknown[] =>
    defaultCandidates({ ...ORDERS, columns }, around).map(({ label, time: when }) => [label, when.column])
  const [totals, average] = [
    ['Totalt', 'c0'],
    ['Average Totalt', 'c0'],
  ]
  expect(looked(invoices), 'nothing says when').toEqual([totals, average])
  const paid = column('c3', 'Betaldatum', { type: 'date', role: 'time' })
  expect(looked([...invoices, paid])).toEqual([totals, ['Betalt belopp', 'c3'], average])
  const payments = [column('c0', 'Date', { type: 'date', role: 'time' }), column('c2', 'Amount paid', { scale: 2 })]
  expect(looked(payments), 'payments alone: their own date').toEqual([
    ['Amount paid', 'c0'],
    ['Average Amount paid', 'c0'],
  ])
})

it('looks at a ledger by the accounts that the workspace says, the result first', () => {
  const labels = ['voucher_key', 'account_key', 'date', 'account', 'amount'] as const
  const columns = labels.map((label, at) =>
    column(`c${at}`, label, label === 'amount' ? {} : { type: 'text', role: 'dimension' }),
  )
  const ranges = [
    { from: 3000, to: 3099, line: 'netSales' },
    { from: 6000, to: 6999, line: 'goods' },
  ] as const
  const told = (of: typeof around) =>
    defaultCandidates({ ...ORDERS, columns }, of).map(({ label, filters }) => [label, JSON.stringify(filters)])
  const own = told({ ...around, accounts: { ranges: [...ranges], adjusted: true } })
  expect(own.map(([label]) => label)).toEqual(['Profit after financial items', 'Revenue', 'Cost of goods sold'])
  expect(own[1]?.[1]).toContain('"from":"3000","to":"3099"')
  expect(told(around).map(([label]) => label)).toEqual([
    ...['Profit after financial items', 'Revenue', 'Cost of goods sold', 'Other external expenses'],
    'Personnel expenses',
  ])
})
