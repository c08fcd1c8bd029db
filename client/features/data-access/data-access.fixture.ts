import { jsonResponse, mockServer } from '../../test/mock-server'
import type {
  AccessExplanation,
  AccessHistoryItem,
  AccessImpact,
  AccessOverview,
  DataAccess,
  DatasetView,
  SensitiveColumn,
} from '../../../src/shared/data-access/data-access'
import type { AccessPolicy, AccessRule } from '../../../src/shared/data-access/rules'
import type { Column } from '../../../src/shared/data-sources/data-sources'

export const ORDERS = 'ds_00000000000000000001'
export const CUSTOMERS = 'ds_00000000000000000002'
export const SALES_GROUP = 'grp_00000000000000000001'
export const BO = 'usr_00000000000000000002'
const RELATION = 'rel_00000000000000000001'

const column = (at: number, label: string, over: Partial<Column> = {}): Column => ({
  ...{ key: `c${at}`, label, type: 'text', role: 'dimension', format: { style: 'plain' } },
  ...{ hidden: false, fileIndex: at },
  ...over,
})
export const ORDER_COLUMNS = [
  column(0, 'Order no', { type: 'integer', role: 'id' }),
  column(1, 'Customer no', { type: 'integer', role: 'id' }),
  column(2, 'Region'),
  column(3, 'Salary', { type: 'number', role: 'measure' }),
]
const CUSTOMER_COLUMNS = [column(0, 'No', { type: 'integer', role: 'id' }), column(1, 'Segment')]
const SOURCE = {
  name: 'Shop',
  datasets: [
    { id: ORDERS, name: 'Orders', sourceId: 'src_1', dataVersion: 1, rowCount: 900, columns: ORDER_COLUMNS },
    { id: CUSTOMERS, name: 'Customers', sourceId: 'src_1', dataVersion: 1, rowCount: 70, columns: CUSTOMER_COLUMNS },
  ],
}
const CUSTOMER_OF_ORDER = {
  ...{ id: RELATION, state: 'confirmed', version: 1 },
  from: { datasetId: ORDERS, datasetName: 'Orders', key: 'c1', label: 'Customer no' },
  to: { datasetId: CUSTOMERS, datasetName: 'Customers', key: 'c0', label: 'No' },
  proof: { fromRows: 900, matchedRows: 900, toRows: 70, duplicateKeys: 0, checkedAt: '2026-01-01T00:00:00.000Z' },
}

export const OWN_REGION: AccessRule = {
  ...{ id: 'acr_00000000000000000001', name: 'Own region', effect: 'allow', rows: 'some', active: true },
  subject: { kind: 'group', id: SALES_GROUP },
  resource: { kind: 'dataset', id: ORDERS },
  filters: [{ field: { dataset: ORDERS, column: 'c2' }, any: [{ op: 'in', values: [{ attribute: 'region' }] }] }],
  columns: [{ key: 'c3', grant: 'empty' }],
}
export const POLICY: AccessPolicy = {
  rules: [OWN_REGION],
  restricted: [{ kind: 'dataset', id: CUSTOMERS }],
  attributes: [
    {
      ...{ id: 'atr_00000000000000000001', key: 'region', label: 'Region', type: 'text' },
      ...{ multiple: true, defaults: [] },
    },
  ],
  tests: [
    {
      ...{ id: 'act_00000000000000000001', name: 'Sales doesn’t see Salary', dataset: ORDERS, column: 'c3' },
      ...{ subject: { kind: 'group', id: SALES_GROUP }, expect: 'masked' },
    },
  ],
}
export const dataAccess = (over: Partial<DataAccess> = {}): DataAccess => ({
  ...{ policy: POLICY, revision: 3, mayEdit: true },
  values: [{ attributeId: 'atr_00000000000000000001', holder: { kind: 'group', id: SALES_GROUP }, values: ['South'] }],
  tests: [{ testId: 'act_00000000000000000001', passes: true, found: 'masked' }],
  ...over,
})

const ALL: DatasetView = { rows: 'all', count: null, masked: [], hidden: [] }
const SOME: DatasetView = { rows: 'rules', count: 120, masked: [{ key: 'c3', grant: 'empty' }], hidden: [] }
const NONE: DatasetView = { rows: 'none', count: 0, masked: [], hidden: [] }
const OVERVIEW: AccessOverview = {
  datasets: [
    { id: ORDERS, name: 'Orders', sourceId: 'src_1', sourceName: 'Shop', rowCount: 900, restricted: false },
    { id: CUSTOMERS, name: 'Customers', sourceId: 'src_1', sourceName: 'Shop', rowCount: 70, restricted: true },
  ],
  people: [
    {
      ...{ userId: 'usr_anna', name: 'Anna Lindqvist', role: 'owner', groups: [], views: [ALL, ALL] },
      ...{ hiddenMetrics: 0, hiddenCategories: 0 },
    },
    {
      ...{ userId: BO, name: 'Bo Ek', role: 'viewer', groups: [{ id: SALES_GROUP, name: 'Sales' }] },
      ...{ views: [SOME, NONE], hiddenMetrics: 1, hiddenCategories: 0 },
    },
  ],
}
export const impact = (over: Partial<AccessImpact> = {}): AccessImpact => ({
  changes: [{ userId: BO, name: 'Bo Ek', datasetId: ORDERS, datasetName: 'Orders', before: ALL, after: SOME }],
  ...{ count: 1, refusal: null, tests: [{ testId: 'act_00000000000000000001', passes: true, found: 'masked' }] },
  ...over,
})
export const FAILING_IMPACT = impact({
  tests: [{ testId: 'act_00000000000000000001', passes: false, found: 'everything' }],
})
export const EXPLANATION: AccessExplanation = {
  ...{ view: SOME, restricted: false, row: null },
  rules: [
    {
      ...{ id: OWN_REGION.id, name: 'Own region', effect: 'allow', rows: 'some', active: true, rowsOfRule: null },
      ...{ matches: { kind: 'group', name: 'Sales' }, missing: ['region'] },
    },
  ],
  attributes: [{ key: 'region', label: 'Region', values: [], from: 'none' }],
  columns: [{ key: 'c3', label: 'Salary', grant: 'empty', ruleIds: [OWN_REGION.id] }],
}
const HISTORY: AccessHistoryItem[] = [
  {
    ...{ revision: 3, at: '2026-11-20T10:00:00.000Z', by: { userId: 'usr_anna', name: 'Anna Lindqvist' } },
    changes: ['Changed rule “Own region”'],
  },
  {
    ...{ revision: 2, at: '2026-11-19T10:00:00.000Z', by: { userId: 'usr_anna', name: 'Anna Lindqvist' } },
    changes: ['Added rule “Own region”'],
  },
]
export const SALARY: SensitiveColumn = {
  dataset: { id: ORDERS, name: 'Orders' },
  column: { key: 'c3', label: 'Salary' },
  ...{ kind: 'salary', mask: 'bucket' },
}
const group = (id: string, name: string) => ({
  ...{
    id,
    name,
    description: '',
    color: 'blue',
    autoRule: null,
    memberCount: 1,
    decidesAccess: false,
    mayManage: true,
    version: 1,
  },
})
const regions = {
  ...{ kind: 'aggregate', rows: [['South', 4]], otherRow: null, totals: null, rowCount: 1, truncated: false },
  columns: [
    { key: 'd0', label: 'Region', kind: 'dimension', type: 'text', format: { style: 'plain' } },
    { key: 'm0', label: 'Rows', kind: 'measure', type: 'integer', format: { style: 'plain' } },
  ],
  ...{ words: '', datasets: [], dataAsOf: null, hash: 'h', cached: false, period: null },
}

/** The server of a workspace with one rule, as it answers. */
export const servedAccess = (over: Parameters<typeof mockServer>[0] = {}) =>
  mockServer({
    'GET /api/data-access': () => jsonResponse(dataAccess()),
    'GET /api/data-access/people': () => jsonResponse(OVERVIEW),
    'GET /api/data-access/history': () => jsonResponse(HISTORY),
    'GET /api/data-access/suggestions': () => jsonResponse([]),
    'POST /api/data-access/impact': () => jsonResponse(impact()),
    'POST /api/data-access/inspect': () => jsonResponse(EXPLANATION),
    'PUT /api/data-access': () => jsonResponse(dataAccess({ revision: 4 })),
    'GET /api/groups': () => jsonResponse([group(SALES_GROUP, 'Sales'), group('grp_00000000000000000002', 'HR')]),
    'GET /api/metrics': () => jsonResponse({ items: [], nextCursor: null }),
    'GET /api/groupings': () => jsonResponse([]),
    'GET /api/categories': () => jsonResponse({ items: [], nextCursor: null }),
    'GET /api/data-sources': () => jsonResponse({ items: [SOURCE], nextCursor: null }),
    'GET /api/relations': () => jsonResponse([CUSTOMER_OF_ORDER]),
    'POST /api/query': () => jsonResponse(regions),
    ...over,
  })
