import { describe, expect, it } from 'vitest'
import { ledgerMetrics, columnMetrics } from './suggested-metrics'
import { BAS_RANGES, type AccountRange } from '../../../shared/account-classes'
import type { ColumnKey } from '../../../shared/data-sources/files'
import { BUSINESS_RANKS } from '../../../shared/data-sources/key-columns'
import type { Column } from '../../../shared/data-sources/data-sources'

const column = (index: number, label: string, given: Partial<Column> = {}): Column => ({
  ...{ key: `c${index}`, label, type: 'text', role: 'dimension', format: { style: 'plain' }, hidden: false },
  fileIndex: index,
  ...given,
})
const amount = { type: 'number', role: 'measure', scale: 2 } as const
const ENTRIES = {
  id: 'ds_00000000000000000001',
  ...{ name: 'Ledger', title: 'Ledger' },
  columns: [
    column(0, 'voucher_key'),
    column(1, 'date', { type: 'date', role: 'time' }),
    column(2, 'account_key'),
    column(3, 'account'),
    column(4, 'amount', amount),
  ],
  time: { dataset: 'ds_00000000000000000001', column: 'c1' as const },
  isDocument: true,
  joins: new Set<ColumnKey>(),
  related: [],
}
const BAS = { ranges: BAS_RANGES, adjusted: false }
const made = (ranges: readonly AccountRange[]) =>
  (ledgerMetrics(ENTRIES, { ranges, adjusted: ranges !== BAS_RANGES }) ?? []).map(({ input, reason }) => [
    input.name,
    input.formula,
    reason,
    input.direction,
  ])

describe('metrics of a ledger', () => {
  it('follow the income statement of the BAS chart: what is earned is turned round, costs are as booked', () => {
    expect(made(BAS_RANGES)).toEqual([
      ['Revenue', 'sum([amount] * -1)', 'Accounts 3000–3999', 'up'],
      ['Net sales', 'sum([amount] * -1)', 'Accounts 3000–3799', 'up'],
      ['Cost of goods sold', 'sum([amount])', 'Accounts 4000–4999', 'down'],
      ['Gross profit', 'sum([amount] * -1)', 'Accounts 3000–3799, 4000–4999', 'up'],
      ['Personnel expenses', 'sum([amount])', 'Accounts 7000–7699', 'down'],
      ['Other external expenses', 'sum([amount])', 'Accounts 5000–6999', 'down'],
      ['Depreciation', 'sum([amount])', 'Accounts 7700–7899', 'down'],
      ['Operating expenses', 'sum([amount])', 'Accounts 4000–7999', 'down'],
      ['Operating profit', 'sum([amount] * -1)', 'Accounts 3000–7999', 'up'],
      ['Profit after financial items', 'sum([amount] * -1)', 'Accounts 3000–8799', 'up'],
      ['Cash flow', 'sum([amount])', 'Accounts 1900–1999', 'up'],
    ])
    const [revenue] = ledgerMetrics(ENTRIES, BAS) ?? []
    expect(revenue?.input).toMatchObject({
      time: { column: 'c1' },
      filters: [{ field: { column: 'c3' }, any: [{ op: 'between', from: '3000', to: '3999' }] }],
    })
  })

  it('follow the ranges of a workspace where it has its own, and leave out what has none', () => {
    const own: AccountRange[] = [
      { from: 3000, to: 3099, line: 'netSales' },
      { from: 6000, to: 6999, line: 'goods' },
      { from: 1910, to: 1949, line: 'cash' },
    ]
    expect(made(own).map(([name, , reason]) => [name, reason])).toEqual([
      ['Revenue', 'Accounts 3000–3099'],
      ['Net sales', 'Accounts 3000–3099'],
      ['Cost of goods sold', 'Accounts 6000–6999'],
      ['Gross profit', 'Accounts 3000–3099, 6000–6999'],
      ['Operating expenses', 'Accounts 6000–6999'],
      ['Operating profit', 'Accounts 3000–3099, 6000–6999'],
      ['Profit after financial items', 'Accounts 3000–3099, 6000–6999'],
      ['Cash flow', 'Accounts 1910–1949'],
    ])
  })

  it('come from its entries only; other tables are no ledger', () => {
    const accounts = { ...ENTRIES, columns: [column(0, 'org_number'), column(1, 'account_key'), column(2, 'name')] }
    expect(ledgerMetrics(accounts, BAS)).toEqual([])
    expect(ledgerMetrics({ ...ENTRIES, columns: [column(0, 'amount', amount)] }, BAS)).toBeNull()
  })
})

describe('metrics of columns', () => {
  it('are amounts, what is left of them after their cost, and counts', () => {
    const sek = { format: { style: 'currency', currency: 'SEK' } } as const
    const columns = [
      column(0, 'Order'),
      column(1, 'Revenue', { ...amount, ...sek }),
      column(2, 'Cost', { ...amount, ...sek }),
      column(3, 'Unit price', { ...amount, ...sek }),
      column(4, 'Secret total', { ...amount, hidden: true }),
    ]
    const found = columnMetrics({ ...ENTRIES, name: 'Sales', title: 'Sales', columns })
    expect(found.map(({ input }) => [input.name, input.formula, input.direction ?? 'up'])).toEqual([
      ['Revenue', 'sum([Revenue])', 'up'],
      ['Cost', 'sum([Cost])', 'down'],
      ['Gross profit', 'sum([Revenue]) - sum([Cost])', 'up'],
      ['Gross margin', '(sum([Revenue]) - sum([Cost])) / sum([Revenue])', 'up'],
      ['Count of Sales', 'count(*)', 'up'],
      ['Distinct count of Order', 'countdistinct([Order])', 'up'],
    ])
    expect(found[3]?.input.format).toEqual({ style: 'percent' })
  })

  it('are the product of quantity and price where lines have no amount, never before money, and sizes last', () => {
    const ranked = (name: string, columns: Column[], isDocument = true) =>
      columnMetrics({ ...ENTRIES, name, title: name, columns, isDocument }).map(({ input, rank }) => [
        input.name,
        input.formula,
        rank,
      ])
    const price = column(0, 'UnitPrice', amount)
    const lines = [price, column(1, 'Quantity', { type: 'integer', role: 'measure' })]
    expect(ranked('Lines', lines)).toEqual([
      ['Quantity', 'sum([Quantity])', BUSINESS_RANKS.quantity],
      ['Quantity × UnitPrice', 'sum([Quantity] * [UnitPrice])', BUSINESS_RANKS.lineAmount],
      ['Count of Lines', 'count(*)', BUSINESS_RANKS.documents],
    ])
    expect(ranked('Lines', [...lines, column(2, 'Line total', amount)]).map(([name]) => name)).not.toContain(
      'Quantity × UnitPrice',
    )
    const track = ['Milliseconds', 'Bytes', 'Filstorlek', 'Width'].map((label, at) =>
      column(at + 1, label, { type: 'integer', role: 'measure' }),
    )
    expect(ranked('Track', [price, ...track], false).map(([name, , rank]) => [name, rank])).toEqual([
      ['Milliseconds', BUSINESS_RANKS.technical],
      ['Bytes', BUSINESS_RANKS.technical],
      ['Filstorlek', BUSINESS_RANKS.technical],
      ['Count of Track', BUSINESS_RANKS.register],
    ])
  })

  it('are the average and the latest value of exchange rates, before how many there are', () => {
    const columns = ['Date', 'JPY', 'SEK', 'EEK'].map((label, at) =>
      column(at, label, at === 0 ? { type: 'date', role: 'time' } : amount),
    )
    const found = columnMetrics({ ...ENTRIES, name: 'Rates', title: 'Rates', columns }).toSorted(
      (a, b) => a.rank - b.rank,
    )
    expect(found.map(({ input }) => [input.name, input.formula, input.direction ?? 'up'])).toEqual([
      ['Average SEK', 'avg([SEK])', 'none'],
      ['Latest SEK', 'last([SEK])', 'none'],
      ['Average JPY', 'avg([JPY])', 'none'],
      ['Latest JPY', 'last([JPY])', 'none'],
      ['Average EEK', 'avg([EEK])', 'none'],
      ['Latest EEK', 'last([EEK])', 'none'],
      ['Count of Rates', 'count(*)', 'up'],
    ])
  })

  it('never add up keys, guess costs as better low, and are dated by what the rows point at', () => {
    const columns = [
      column(0, 'Order', { type: 'integer', role: 'id' }),
      column(1, 'Shipper', { type: 'integer', role: 'measure' }),
      column(2, 'ShipVia', { type: 'integer', role: 'measure' }),
      column(3, 'Freight', amount),
      column(4, 'LineTotal', amount),
    ]
    const time = { dataset: 'ds_00000000000000000002', column: 'c7' as const }
    const found = columnMetrics({
      ...ENTRIES,
      name: 'Lines',
      title: 'Lines',
      columns,
      time,
      joins: new Set<ColumnKey>(['c1']),
    })
    expect(found.map(({ input }) => [input.name, input.direction ?? 'up'])).toEqual([
      ...[
        ['LineTotal', 'up'],
        ['Freight', 'down'],
        ['Count of Lines', 'up'],
      ],
      ['Distinct count of Order', 'up'],
    ])
    expect(found.map(({ input }) => input.time)).toEqual(found.map(() => time))
  })

  it('multiply how many by the price of what the rows point at, and write it as a formula that says where it is', () => {
    const [lines, orders, products] = ['1', '2', '3'].map((n) => `ds_0000000000000000000${n}`)
    const time = { dataset: String(orders), column: 'c1' as const }
    const related = [
      [
        { id: String(orders), name: 'orders', columns: [column(1, 'date', { type: 'date', role: 'time' })], via: [] },
        { id: String(products), name: 'products', columns: [column(4, 'price', amount)], via: [] },
      ],
    ]
    const columns = [column(2, 'product', { role: 'id' }), column(3, 'quantity', { type: 'integer', role: 'measure' })]
    const found = columnMetrics({ ...ENTRIES, id: String(lines), name: 'lines', columns, time, related })
    expect(found.toSorted((a, b) => a.rank - b.rank)[0]?.input).toMatchObject({
      name: 'quantity × price',
      formula: 'sum([quantity] * [products.price])',
    })
  })
})

describe('what agreements bring each month', () => {
  const names = (date: string, amountLabel: string) =>
    columnMetrics({
      ...ENTRIES,
      name: 'Subscriptions',
      columns: [column(1, date, { type: 'date', role: 'time' }), column(2, amountLabel, amount)],
    }).map(({ input }) => input.name)

  it.each(['Start date', 'Signed up', 'started_at', 'Startdatum'])('is new where it is summed by %s', (date) => {
    expect(names(date, 'MRR')[0]).toBe('New MRR')
  })

  it('is called as its column where the date is that of a month or an invoice', () => {
    expect(names('Month', 'MRR')[0]).toBe('MRR')
    expect(names('Start date', 'Amount')[0]).toBe('Amount')
  })
})
