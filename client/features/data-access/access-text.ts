import type { AccessTestResult, DatasetView } from '../../../src/shared/data-access/data-access'
import {
  BUILT_IN_ATTRIBUTES,
  isAttributeValue,
  type AccessFilter,
  type AccessResource,
  type AccessRule,
  type AccessTest,
  type AccessValue,
  type AttributeValue,
  type ColumnGrant,
  type UserAttribute,
} from '../../../src/shared/data-access/rules'
import type { Condition, FieldFilter, Scalar } from '../../../src/shared/query/plan'
import { MASK_LABELS } from '../../ui/data-table/mask-mark'
import { formatRowCount, type Formatter } from '../../../src/shared/figures/formatter'

export const GRANT_LABELS: Record<ColumnGrant, string> = {
  show: 'Unmasked',
  ...MASK_LABELS,
  hide: 'Hidden',
}
export const GRANT_HINTS: Record<ColumnGrant, string> = {
  show: 'Values as they are',
  bucket: 'Numbers as ranges, dates as years',
  lastFour: 'Everything before is replaced',
  hash: 'The same code for the same value',
  empty: 'The column without values',
  hide: 'The column doesn’t exist',
}
export const RESOURCE_LABELS: Record<AccessResource['kind'], string> = {
  dataset: 'Dataset',
  source: 'Data source',
  metric: 'Metric',
  category: 'Insight category',
}
export const EXPECTATION_LABELS: Record<AccessTest['expect'], string> = {
  nothing: 'Sees nothing',
  masked: 'Sees masked values',
  something: 'Sees something',
  everything: 'Sees everything',
}
export const describeFound = ({ found }: Pick<AccessTestResult, 'found'>): string =>
  found === null ? 'No one to test, or deleted' : EXPECTATION_LABELS[found]

/** `All 3 tests passed`, `1 of 3 tests failed`. */
export function describeTests(count: number, failing: number): string {
  if (count === 1) return failing === 0 ? '1 test passed' : '1 test failed'
  return failing === 0 ? `All ${count} tests passed` : `${failing} of ${count} tests failed`
}

/** What a rule does in one word, in the colour of it: one about columns alone may show, mask or hide them. */
export function ruleVerb({ rows, effect, columns }: Pick<AccessRule, 'rows' | 'effect' | 'columns'>) {
  const has = (are: (grant: ColumnGrant) => boolean): boolean => columns.some(({ grant }) => are(grant))
  if (rows !== 'unchanged')
    return effect === 'hide'
      ? ({ label: 'Hide', color: 'red' } as const)
      : ({ label: 'Allow', color: 'green' } as const)
  if (has((grant) => grant !== 'show' && grant !== 'hide')) return { label: 'Mask', color: 'yellow' } as const
  return has((grant) => grant === 'hide')
    ? ({ label: 'Hide', color: 'red' } as const)
    : ({ label: 'Unmask', color: 'green' } as const)
}

/** `All rows`, `1 204 rows`, `Some rows`, `No access`. */
export function describeRows({ rows, count }: Pick<DatasetView, 'rows' | 'count'>, format: Formatter): string {
  if (rows === 'none') return 'No access'
  if (rows === 'all') return 'All rows'
  return count === null ? 'Some rows' : formatRowCount(format, count)
}

const countOf = (count: number, noun: string): string[] => (count === 0 ? [] : [`${count} ${noun}`])
/** `All rows · 1 masked`. */
export const describeView = (view: DatasetView, format: Formatter): string =>
  [
    describeRows(view, format),
    ...(view.rows === 'none' ? [] : countOf(view.masked.length, 'masked')),
    ...(view.rows === 'none' ? [] : countOf(view.hidden.length, 'hidden')),
  ].join(' · ')

/** How many people see what of a dataset: `3 all rows · 1 some rows`, without what is true of nobody. */
export const describeReach = (views: readonly Pick<DatasetView, 'rows'>[]): string =>
  REACH.flatMap(({ rows, label }) => countOf(views.filter((view) => view.rows === rows).length, label)).join(' · ')
const REACH = [
  { rows: 'all', label: 'all rows' },
  { rows: 'rules', label: 'some rows' },
  { rows: 'none', label: 'no access' },
] as const

export const isFullView = ({ rows, masked, hidden }: DatasetView): boolean =>
  rows === 'all' && masked.length === 0 && hidden.length === 0

/** Attributes that conditions may ask, the built-in ones last. */
export function attributeChoices(attributes: readonly Pick<UserAttribute, 'key' | 'label'>[]) {
  return [
    ...attributes.map(({ key, label }) => ({ value: key, label })),
    ...BUILT_IN_ATTRIBUTES.map((key) => ({ value: key, label: key === 'email' ? 'Email' : 'User ID' })),
  ]
}

/** Keys of the attributes that a rule asks. */
export const attributesOfRule = ({ filters }: Pick<AccessRule, 'filters'>): string[] => [
  ...new Set(
    filters.flatMap(({ any }) =>
      any.flatMap((condition) => {
        const values = 'values' in condition ? condition.values : 'value' in condition ? [condition.value] : []
        return values.flatMap((value) => (isAttributeValue(value) ? [value.attribute] : []))
      }),
    ),
  ),
]

/** A filter whose attributes are named in braces, so that it reads as any other: `Region is one of {Region}`. */
export function withAttributeNames(filter: AccessFilter, nameOf: (key: string) => string): FieldFilter {
  const { any, ...rest } = filter
  const written = (value: AccessValue): Scalar => (isAttributeValue(value) ? `{${nameOf(value.attribute)}}` : value)
  const conditions = any.map((condition): Condition => {
    if ('values' in condition) return { op: condition.op, values: condition.values.map(written) }
    if (!('value' in condition)) return condition
    const { op, value } = condition
    const isText = op === 'contains' || op === 'notContains' || op === 'startsWith' || op === 'notStartsWith'
    return isText ? { op, value } : { op, value: written(value) }
  })
  return { ...rest, any: conditions }
}

export const describeValues = (values: readonly AttributeValue[]): string => values.join(', ')
