import type { GroupingSummary } from '../../../src/shared/groupings/groupings'
import type { Insight } from '../../../src/shared/insights'
import type { Metric } from '../../../src/shared/metrics'
import type { QueryPlan } from '../../../src/shared/query/plan'
import type { Relation } from '../../../src/shared/relations'
import type { Column, Dataset } from '../../../src/shared/data-sources/data-sources'
import type { SemanticCatalogue } from '../../lib/query-builder/catalogue'

/** Made-up things of this room, for tests. */
const column = (key: Column['key'], label: string, over: Partial<Column> = {}): Column => ({
  key,
  label,
  type: 'text',
  role: 'dimension',
  format: { style: 'plain' },
  hidden: false,
  fileIndex: Number(key.slice(1)),
  ...over,
})

export const ORDERS: Dataset = {
  id: 'ds_00000000000000000001',
  sourceId: 'src_00000000000000000001',
  name: 'Orders',
  rowCount: 1230,
  bytes: 1000,
  dataVersion: 2,
  columns: [
    column('c0', 'order_id', { type: 'integer', role: 'id' }),
    column('c1', 'ordered_at', { type: 'date', role: 'time' }),
    column('c2', 'country'),
    column('c3', 'quantity', { type: 'integer', role: 'measure' }),
    column('c4', 'unit_price', { type: 'number', role: 'measure', scale: 2 }),
    column('c5', 'amount', { type: 'number', role: 'measure', scale: 2 }),
    column('c6', 'secret', { hidden: true }),
    column('c7', 'paid', { type: 'boolean' }),
    column('c8', 'delivered', { type: 'datetime', role: 'time' }),
  ],
  keyColumns: [],
  cleaning: [],
  rowsRejected: 0,
  rowsDuplicate: 0,
  loadedAt: '2026-11-20T10:00:04.000Z',
  version: 3,
}
export const field = (key: Column['key']) => ({ dataset: ORDERS.id, column: key })

export const MONTHLY: QueryPlan = {
  v: 1,
  kind: 'aggregate',
  dataset: ORDERS.id,
  measures: [{ kind: 'column', agg: 'sum', field: field('c5'), label: 'Amount' }],
  dimensions: [{ field: field('c1'), grain: 'month' }],
  period: {
    field: field('c1'),
    range: { kind: 'relative', span: 'last', unit: 'month', n: 12, includeCurrent: false },
    compare: 'year',
    completeOnly: false,
  },
  filters: [],
  totals: true,
}

export const insight = (over: Partial<Insight> = {}): Insight => ({
  id: 'ins_00000000000000000001',
  name: 'Amount by month',
  description: '',
  plan: MONTHLY,
  viz: { chart: 'line', direction: 'up' },
  ownerId: 'usr_anna',
  ownerName: 'Anna Lindqvist',
  origin: 'person',
  frozen: false,
  categoryId: null,
  findings: 'on',
  verified: null,
  following: false,
  version: 1,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  deletedAt: null,
  ...over,
})

export const CUSTOMERS: Dataset = {
  ...ORDERS,
  id: 'ds_00000000000000000002',
  name: 'Customers',
  columns: [
    column('c0', 'customer_no', { role: 'id' }),
    column('c1', 'region'),
    column('c2', 'credit_limit', { type: 'number', role: 'measure' }),
    column('c3', 'customer_name'),
  ],
}

/** Every order names its customer in `country`, for want of another column. */
export const CUSTOMER_OF: Relation = {
  id: 'rel_00000000000000000001',
  from: { datasetId: ORDERS.id, datasetName: 'Orders', key: 'c2', label: 'country' },
  to: { datasetId: CUSTOMERS.id, datasetName: 'Customers', key: 'c0', label: 'customer_no' },
  state: 'confirmed',
  proof: { fromRows: 1230, matchedRows: 1230, toRows: 40, duplicateKeys: 0, checkedAt: '2026-11-20T10:00:00.000Z' },
  version: 1,
}

export const MARGIN: Metric = {
  ...{ id: 'met_00000000000000000001', name: 'Margin', synonyms: ['Gross profit'], description: 'What is left.' },
  ...{ dataset: ORDERS.id, formula: 'sum([amount]) - sum([unit_price])', filters: [], time: field('c1') },
  measure: {
    kind: 'calc',
    op: 'subtract',
    left: { kind: 'column', agg: 'sum', field: field('c5') },
    right: { kind: 'column', agg: 'sum', field: field('c4') },
  },
  ...{ direction: 'down', format: { style: 'percent' }, currencyMode: null, version: 1 },
  verified: { by: 'usr_anna', byName: 'Anna Lindqvist', at: '2026-11-20T10:00:00.000Z' },
  ...{ createdAt: '2026-11-20T10:00:00.000Z', updatedAt: '2026-11-20T10:00:00.000Z' },
  ...{ ownerId: 'usr_anna', ownerName: 'Anna Lindqvist' },
}
export const COUNTRIES: GroupingSummary = {
  ...{ id: 'gpg_00000000000000000001', name: 'Regions', description: '', kind: 'values' },
  target: { kind: 'column', dataset: ORDERS.id, column: 'c2' },
  fallback: { kind: 'ungrouped', name: 'Elsewhere' },
  ...{ groupCount: 3, memberCount: 9, eraCount: 1, unmatched: null, version: 1, frozen: false },
  ...{ createdAt: '2026-11-20T10:00:00.000Z', updatedAt: '2026-11-20T10:00:00.000Z' },
  ...{ ownerId: 'usr_anna', ownerName: 'Anna Lindqvist' },
}
export const CATALOGUE: SemanticCatalogue = { metrics: [MARGIN], groupings: [COUNTRIES] }
