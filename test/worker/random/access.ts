import fc from 'fast-check'
import { CUSTOMERS, LINES, ORDERS, PAYMENTS, reached, REGIONS } from './joins'
import { fieldFilters } from './plans'
import { isExistsFilter, type Filter } from '../../../src/shared/query/plan'
import {
  accessFilterSchema,
  type AccessFilter,
  type AccessPolicy,
  type AccessRule,
} from '../../../src/shared/data-access/rules'
import type { AccessPerson } from '../../../src/identity/access/data-rights'

const idOf = (prefix: string, n: number): string => `${prefix}_${String(n).padStart(20, '0')}`
/** Whose source each dataset is of: all are of one, but for the orders. */
export const SOURCE = idOf('src', 1)
const ORDER_SOURCE = idOf('src', 2)
export const sourceOf = (dataset: string): string => (dataset === ORDERS ? ORDER_SOURCE : SOURCE)
const [GROUP, OTHER_GROUP, ME, OTHER] = [idOf('grp', 1), idOf('grp', 2), idOf('usr', 1), idOf('usr', 2)]
const ATTRIBUTE = idOf('atr', 1)
const DATASETS = [ORDERS, CUSTOMERS, REGIONS, PAYMENTS, LINES]

const subjects: fc.Arbitrary<AccessRule['subject']> = fc.constantFrom<AccessRule['subject']>(
  { kind: 'everyone' },
  { kind: 'role', role: 'viewer' },
  { kind: 'role', role: 'analyst' },
  { kind: 'group', id: GROUP },
  { kind: 'group', id: OTHER_GROUP },
  { kind: 'member', id: ME },
  { kind: 'member', id: OTHER },
)

/** A condition of a plan as rules take it, now and then with an attribute in the place of a value. */
const accessFilters = (dataset: string): fc.Arbitrary<AccessFilter> =>
  fc
    .tuple(
      fieldFilters((index) => reached(dataset, index)),
      fc.boolean(),
    )
    .map(([filter, byAttribute]) => asAccessFilter(filter, byAttribute))
    .filter((filter) => filter !== null)

function asAccessFilter(filter: Filter, byAttribute: boolean): AccessFilter | null {
  if (isExistsFilter(filter)) return null
  const any = filter.any.map((condition) =>
    byAttribute &&
    filter.field.column === 'c0' &&
    'value' in condition &&
    typeof condition.value === 'string' &&
    condition.op === 'eq'
      ? { ...condition, value: { attribute: 'region' } }
      : condition,
  )
  const parsed = accessFilterSchema.safeParse({ ...filter, any })
  return parsed.success ? parsed.data : null
}

/** Texts are masked, anything may be hidden, keys of relations too. */
const columns = (): fc.Arbitrary<AccessRule['columns']> =>
  fc.uniqueArray(
    fc.oneof(
      fc.record({
        key: fc.constant<`c${number}`>('c0'),
        grant: fc.constantFrom('bucket' as const, 'lastFour' as const, 'empty' as const, 'show' as const),
      }),
      fc.record({
        key: fc.integer({ min: 0, max: 9 }).map((n): `c${number}` => `c${n}`),
        grant: fc.constantFrom('hide' as const, 'show' as const),
      }),
    ),
    { maxLength: 1, selector: ({ key }) => key },
  )

const datasetRules = (dataset: string): fc.Arbitrary<AccessRule> =>
  fc
    .record({
      subject: subjects,
      effect: fc.constantFrom('allow' as const, 'allow' as const, 'hide' as const),
      rows: fc.constantFrom('some' as const, 'some' as const, 'all' as const, 'unchanged' as const),
      filters: fc.array(accessFilters(dataset), { minLength: 1, maxLength: 2 }),
      columns: columns(),
      active: fc.constantFrom(true, true, true, false),
    })
    .map((rule) => ({
      ...{ id: 'x', name: 'Rule', resource: { kind: 'dataset', id: dataset, sourceId: sourceOf(dataset) } },
      ...rule,
      filters: rule.rows === 'some' ? rule.filters : [],
    }))
const sourceRules: fc.Arbitrary<AccessRule> = fc.record({
  ...{ id: fc.constant('x'), name: fc.constant('Rule'), subject: subjects },
  resource: fc.constant({ kind: 'source' as const, id: ORDER_SOURCE }),
  ...{ effect: fc.constantFrom('allow' as const, 'hide' as const), rows: fc.constant('all' as const) },
  ...{ filters: fc.constant([]), columns: fc.constant([]), active: fc.constant(true) },
})

export const policies: fc.Arbitrary<AccessPolicy> = fc.record({
  rules: fc.array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...DATASETS).chain(datasetRules) },
      { weight: 1, arbitrary: sourceRules },
    ),
    { minLength: 1, maxLength: 5 },
  ),
  restricted: fc
    .subarray(DATASETS, { maxLength: 1 })
    .map((ids) => ids.map((id) => ({ kind: 'dataset' as const, id, sourceId: sourceOf(id) }))),
  attributes: fc
    .subarray(['a', 'b'])
    .map((defaults) => [
      { id: ATTRIBUTE, key: 'region', label: 'Region', type: 'text' as const, multiple: true, defaults },
    ]),
  tests: fc.constant([]),
})

export const people: fc.Arbitrary<AccessPerson> = fc.record({
  userId: fc.constant(ME),
  role: fc.constantFrom('viewer' as const, 'analyst' as const),
  email: fc.constant(null),
  groupIds: fc.subarray([GROUP, OTHER_GROUP]),
  values: fc.subarray([
    { attributeId: ATTRIBUTE, holder: { kind: 'member' as const, id: ME }, values: ['a'] },
    { attributeId: ATTRIBUTE, holder: { kind: 'group' as const, id: GROUP }, values: ['a', 'c'] },
    { attributeId: ATTRIBUTE, holder: { kind: 'member' as const, id: OTHER }, values: ['b'] },
  ]),
})
