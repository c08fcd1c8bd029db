import { expect, it } from 'vitest'
import { chooseBreakdowns, breakdownsOf } from './breakdowns'
import type { Field } from '../../shared/query/field'
import type { Column } from '../../shared/data-sources/data-sources'
import type { CatalogueDataset } from '../../warehouse/contract'
import type { RelationEdge } from '../../warehouse/query/plan/relation-graph'

const text = (key: Column['key'], label: string): Column => ({
  ...{ key, label, type: 'text', role: 'dimension', format: { style: 'plain' }, hidden: false, fileIndex: 0 },
})
const dataset = (id: string, columns: Column[]): CatalogueDataset => ({
  ...{
    id,
    sourceId: 'src_1',
    name: id,
    dataVersion: 1,
    rowCount: 1000,
    bytes: 0,
    columns,
    keyColumns: [],
    loadedAt: null,
  },
})
const orders = dataset('ds_orders', [text('c0', 'Customer'), text('c1', 'Product group')])
const EDGE: RelationEdge = {
  ...{ id: 'rel_1', from: { dataset: 'ds_orders', key: 'c0' }, to: { dataset: 'ds_customers', key: 'c0' } },
}
/** What figures of orders are taken apart by, where customers have these columns with so many values. */
function looked(further: [string, number][]): string[] {
  const columns = further.map(([label], at) => text(`c${at + 1}`, label))
  const customers = dataset('ds_customers', [text('c0', 'Customer'), ...columns])
  const find = (id: string) => [orders, customers].find((one) => one.id === id) ?? null
  const values = new Map([
    ['ds_orders.c0', 40],
    ['ds_orders.c1', 5],
    ...further.map(([, n], at) => [`ds_customers.c${at + 1}`, n] as const),
  ])
  return chooseBreakdowns(breakdownsOf(orders, { edges: [EDGE], datasets: [orders, customers], find }), {
    values,
    rows: 1000,
    preferred: [],
  }).map(({ label }) => label)
}

it('looks at customers by their name, also where their name is what joins them', () => {
  expect(looked([['City', 9]])).toEqual(['Product group', 'City', 'Customer'])
  expect(
    looked([
      ['Name', 40],
      ['City', 9],
    ]),
  ).toEqual(['Product group', 'City', 'Ds_customers'])
})

it('tells two shops of one name apart by their numbers, and leaves names alone that are one row each', () => {
  const sales = dataset('ds_sales', [text('c9', 'shop_id')])
  const shops = dataset('ds_shops', [text('c0', 'shop_id'), text('c1', 'shop_name')])
  const edge: RelationEdge = {
    ...{ id: 'rel_1', from: { dataset: 'ds_sales', key: 'c9' }, to: { dataset: 'ds_shops', key: 'c0' } },
  }
  const splits = breakdownsOf(sales, {
    ...{ edges: [edge], datasets: [sales, shops] },
    find: (id) => [sales, shops].find((one) => one.id === id) ?? null,
  })
  const shopsOf = (names: number): unknown => {
    const values = new Map([
      ...([['ds_sales.c9', 20] as const, ['ds_shops.c0', 20] as const] as const),
      ['ds_shops.c1', names] as const,
    ])
    const found = chooseBreakdowns(splits, { values, rows: 1000, preferred: [] })
    const shop = found.find(({ label }) => label === 'shop_name')
    return [shop?.field.column, shop?.values, shop?.names?.name.column]
  }
  expect(shopsOf(20)).toEqual(['c1', 20, undefined])
  expect(shopsOf(19)).toEqual(['c0', 20, 'c1'])
  expect(shopsOf(4), 'kinds of shops').toEqual(['c1', 4, undefined])
})

it('tells two customers of one name apart in a table of its own, and looks at them once', () => {
  const number: Column = { ...text('c1', 'Customer no'), role: 'dimension' }
  const home = dataset('ds_home', [text('c0', 'Customer name'), number, text('c2', 'Region')])
  const splits = breakdownsOf(home, { edges: [], datasets: [home], find: () => null })
  const lookedAt = (names: number): unknown[] => {
    const values = new Map([['ds_home.c0', names] as const, ['ds_home.c1', 20] as const, ['ds_home.c2', 4] as const])
    const found = chooseBreakdowns(splits, { values, rows: 1000, preferred: [] })
    return found.map(({ label, field, names: called }) => [label, field.column, called?.name.column])
  }
  expect(lookedAt(19)).toEqual([
    ['Region', 'c2', undefined],
    ['Customer name', 'c1', 'c0'],
  ])
  expect(lookedAt(20)).toEqual([
    ['Region', 'c2', undefined],
    ['Customer name', 'c0', undefined],
  ])
})

it('calls who buys by the company that its table names, also from afar', () => {
  const lines = dataset('ds_lines', [text('c9', 'order_id')])
  const orders = dataset('ds_orders', [text('c0', 'order_id'), text('c9', 'customer_id')])
  const customers = dataset('ds_customers', [text('c0', 'customer_id'), text('c1', 'company')])
  expect(lookedAlong([lines, orders, customers], { customer_id: 90, company: 90 })).toEqual(['company'])
})

/** What lines are taken apart by, along relations of one column each from the first of these datasets on. */
function lookedAlong(datasets: CatalogueDataset[], values: Record<string, number>): string[] {
  const edges = datasets.slice(1).map((to, at): RelationEdge => ({
    ...{ id: `rel_${at}`, from: { dataset: datasets[at]?.id ?? '', key: 'c9' }, to: { dataset: to.id, key: 'c0' } },
  }))
  const find = (id: string) => datasets.find((one) => one.id === id) ?? null
  const [home] = datasets
  const splits = home ? breakdownsOf(home, { edges, datasets, find }) : []
  const found = new Map(splits.map(({ key, label }) => [key, values[label] ?? 0]))
  return chooseBreakdowns(splits, { values: found, rows: 10_000, preferred: [] }).map(({ label }) => label)
}

it('takes lines apart by categories of what they point at from afar, and by no other column there', () => {
  const lines = dataset('ds_lines', [text('c9', 'variant_id')])
  const variants = dataset('ds_variants', [text('c0', 'id'), text('c9', 'kind_id')])
  const kinds = dataset('ds_kinds', [text('c0', 'id'), text('c1', 'category'), text('c2', 'city')])
  expect(lookedAlong([lines, variants, kinds], { category: 20, city: 4 })).toEqual(['category'])
})

it('takes lines apart by where those who buy are, not by where those who sell are', () => {
  const named = (id: string, name: string, columns: Column[]): CatalogueDataset => ({ ...dataset(id, columns), name })
  const all = [
    named('ds_lines', 'payment', [text('c8', 'customer_id'), text('c9', 'staff_id')]),
    named('ds_staff', 'staff', [text('c0', 'staff_id'), text('c9', 'address_id')]),
    named('ds_customers', 'customer', [text('c0', 'customer_id'), text('c9', 'address_id')]),
    named('ds_addresses', 'address', [text('c0', 'address_id'), text('c1', 'district'), text('c9', 'country_id')]),
    named('ds_countries', 'country', [text('c0', 'country_id'), text('c1', 'country')]),
  ]
  const edge = (id: string, from: string, key: Column['key'], to: string): RelationEdge => ({
    ...{ id, from: { dataset: from, key }, to: { dataset: to, key: 'c0' } },
  })
  const edges = [
    ...[edge('rel_staff', 'ds_lines', 'c9', 'ds_staff'), edge('rel_customer', 'ds_lines', 'c8', 'ds_customers')],
    ...[edge('rel_home', 'ds_customers', 'c9', 'ds_addresses'), edge('rel_work', 'ds_staff', 'c9', 'ds_addresses')],
    edge('rel_country', 'ds_addresses', 'c9', 'ds_countries'),
  ]
  const [home] = all
  const find = (id: string) => all.find((one) => one.id === id) ?? null
  const found = home ? breakdownsOf(home, { edges, datasets: all, find }) : []
  expect(found.filter(({ label }) => label === 'country').map(({ field }) => field.via)).toEqual([
    ['rel_customer', 'rel_home', 'rel_country'],
  ])
})

it('calls by their names also what the rows that it points at point at', () => {
  const lines = dataset('ds_lines', [text('c9', 'article')])
  const articles = dataset('ds_articles', [text('c0', 'article'), text('c9', 'kind')])
  const kinds = dataset('ds_kinds', [text('c0', 'kind'), text('c1', 'name')])
  expect(lookedAlong([lines, articles, kinds], { kind: 32, Ds_kinds: 32, article: 90 })).toEqual([
    'Ds_kinds',
    'article',
  ])
  expect(lookedAlong([lines, articles, kinds], { kind: 32, Ds_kinds: 3, article: 90 })).toEqual([
    ...['Ds_kinds', 'kind'],
    'article',
  ])
})

it('leaves out how far rows have come, unless a person asks by it', () => {
  const flags = [text('c2', 'Betald'), text('c3', 'Is paid')]
  const home = dataset('ds_home', [text('c0', 'Region'), text('c1', 'Order status'), ...flags])
  const splits = breakdownsOf(home, { edges: [], datasets: [home], find: () => null })
  const values = new Map(splits.map(({ key }, at) => [key, at < 2 ? 4 : 2]))
  const chosen = (preferred: Field[]): string[] =>
    chooseBreakdowns(splits, { values, rows: 1000, preferred }).map(({ label }) => label)
  expect(chosen([])).toEqual(['Region'])
  expect(chosen([{ dataset: 'ds_home', column: 'c1' }])).toEqual(['Order status', 'Region'])
})

it('takes books apart by accounts and dimensions with their names, never by what files a voucher', () => {
  const day: Column = { ...text('c4', 'date'), type: 'date', role: 'time' }
  const amount: Column = { ...text('c5', 'amount'), type: 'number', role: 'measure' }
  const entries = dataset('ds_entries', [
    ...[text('c0', 'voucher_key'), text('c1', 'series'), text('c2', 'number'), text('c3', 'account'), day, amount],
    ...[text('c6', 'text'), text('c7', 'dim_1'), text('c8', 'dim_1_name')],
  ])
  const key: Column = { ...text('c2', 'account_key'), role: 'id' }
  const chart = [text('c0', 'org_number'), text('c1', 'fiscal_year'), key, text('c3', 'account'), text('c4', 'name')]
  const accounts = dataset('ds_accounts', [...chart, text('c5', 'sru')])
  const all = [entries, accounts]
  const found = breakdownsOf(entries, {
    edges: [],
    datasets: all,
    find: (id) => all.find((one) => one.id === id) ?? null,
  })
  expect(found.map(({ label, names }) => [label, names?.name])).toEqual([
    ['account', { dataset: 'ds_accounts', column: 'c4' }],
    ['Cost centre', { dataset: 'ds_entries', column: 'c8' }],
  ])
})
