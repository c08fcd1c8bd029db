import { z } from 'zod'
import { idSchema } from '../ids'
import { DATE_PARTS } from '../query/date-range'
import { COMPARISON_OPERATORS } from '../query/functions'
import { fieldSchema } from '../query/field'
import { groupingReferenceSchema, scalarSchema } from '../query/plan'
import { columnKeySchema } from '../data-sources/files'
import { DATASET_MAX_COLUMNS } from '../limits'
import { ROLES } from '../permissions'

/** Who may see what of a workspace's data, as people write it down. What follows from it for one person: `Scope`. */

export const ACCESS_RULES_MAX = 200
export const USER_ATTRIBUTES_MAX = 50
const ATTRIBUTE_VALUES_MAX = 100
const RULE_FILTERS_MAX = 10

/** Whom a rule is about. */
export const accessSubjectSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('everyone') }),
  z.strictObject({ kind: z.literal('role'), role: z.enum(ROLES) }),
  z.strictObject({ kind: z.literal('group'), id: idSchema('group') }),
  z.strictObject({ kind: z.literal('member'), id: idSchema('user') }),
])
export type AccessSubject = z.infer<typeof accessSubjectSchema>

/** What a rule is about. A source stands for each of its datasets, a category for each of its insights. */
export const accessResourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('source'), id: idSchema('source') }),
  /** `sourceId`: set by the server. */
  z.strictObject({ kind: z.literal('dataset'), id: idSchema('dataset'), sourceId: idSchema('source').optional() }),
  z.strictObject({ kind: z.literal('metric'), id: idSchema('metric') }),
  z.strictObject({ kind: z.literal('category'), id: idSchema('category') }),
])
export type AccessResource = z.infer<typeof accessResourceSchema>

/**
 * What is left of a value: its range or year, its last four characters, a pseudonym that is the same for the same value,
 * or nothing.
 */
export const COLUMN_MASKS = ['bucket', 'lastFour', 'hash', 'empty'] as const
export type ColumnMask = (typeof COLUMN_MASKS)[number]
/** From the most open to the least: of several grants of a column the first counts. */
export const COLUMN_GRANTS = ['show', ...COLUMN_MASKS, 'hide'] as const
export type ColumnGrant = (typeof COLUMN_GRANTS)[number]

/** A value, or those that an attribute of the person holds. */
const valueSchema = z.union([scalarSchema, z.strictObject({ attribute: z.string().regex(/^[a-z][a-zA-Z0-9]{0,39}$/) })])
export type AccessValue = z.infer<typeof valueSchema>
export const isAttributeValue = (value: AccessValue): value is { attribute: string } =>
  typeof value === 'object' && value !== null

/** One condition of a rule. An attribute with several values stands in `in` and `notIn` only. */
const accessConditionSchema = z.discriminatedUnion('op', [
  z.strictObject({ op: z.enum(COMPARISON_OPERATORS), value: valueSchema }),
  z.strictObject({ op: z.enum(['in', 'notIn']), values: z.array(valueSchema).min(1).max(1000) }),
  z.strictObject({
    op: z.enum(['contains', 'startsWith', 'notContains', 'notStartsWith']),
    value: z.string().min(1).max(2000),
  }),
  z.strictObject({ op: z.literal('between'), from: scalarSchema, to: scalarSchema }),
  z.strictObject({ op: z.enum(['empty', 'notEmpty']) }),
])
export type AccessCondition = z.infer<typeof accessConditionSchema>

/**
 * A condition on a column of the rows, or of a row that they point at by confirmed relations. With `grouping`, on ids of
 * groups.
 */
export const accessFilterSchema = z.strictObject({
  field: fieldSchema,
  part: z.enum(DATE_PARTS).optional(),
  any: z.array(accessConditionSchema).min(1).max(20),
  grouping: groupingReferenceSchema.optional(),
})
export type AccessFilter = z.infer<typeof accessFilterSchema>

const columnGrantsSchema = z
  .array(z.strictObject({ key: columnKeySchema, grant: z.enum(COLUMN_GRANTS) }))
  .max(DATASET_MAX_COLUMNS)

/**
 * One rule. `allow` opens rows, `hide` takes them away, and wins. `rows`: all of them, those that pass every one of
 * `filters`, or `unchanged` where the rule is about columns alone.
 */
const ruleFields = {
  name: z.string().trim().min(1, { message: 'Enter a name.' }).max(80),
  subject: accessSubjectSchema,
  resource: accessResourceSchema,
  effect: z.enum(['allow', 'hide']),
  rows: z.enum(['all', 'some', 'unchanged']),
  filters: z.array(accessFilterSchema).max(RULE_FILTERS_MAX),
  columns: columnGrantsSchema,
  active: z.boolean(),
}
export const accessRuleInputSchema = z.strictObject(ruleFields)
export type AccessRuleInput = z.infer<typeof accessRuleInputSchema>
export const accessRuleSchema = z.strictObject({ id: idSchema('accessRule'), ...ruleFields })
export type AccessRule = z.infer<typeof accessRuleSchema>

/** What is known of people beyond their names, for rules to lean on. Without a value and a default a rule shows nothing. */
const attributeFields = {
  key: z.string().regex(/^[a-z][a-zA-Z0-9]{0,39}$/, {
    message: 'Use letters and digits, beginning with a lower-case letter.',
  }),
  label: z.string().trim().min(1, { message: 'Enter a name.' }).max(80),
  type: z.enum(['text', 'number']),
  multiple: z.boolean(),
  defaults: z.array(z.union([z.string().max(200), z.number()])).max(ATTRIBUTE_VALUES_MAX),
}
export const userAttributeInputSchema = z.strictObject(attributeFields)
export type UserAttributeInput = z.infer<typeof userAttributeInputSchema>
export const userAttributeSchema = z.strictObject({ id: idSchema('attribute'), ...attributeFields })
export type UserAttribute = z.infer<typeof userAttributeSchema>
export type AttributeValue = string | number

/** Keys that every person has: their proven address, and their id. */
export const BUILT_IN_ATTRIBUTES = ['email', 'userId'] as const

/** Whose value an attribute has: that of a member, else those of all their groups. */
export const attributeHolderSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('group'), id: idSchema('group') }),
  z.strictObject({ kind: z.literal('member'), id: idSchema('user') }),
])
export type AttributeHolder = z.infer<typeof attributeHolderSchema>
export const attributeValuesSchema = z.array(z.union([z.string().max(200), z.number()])).max(ATTRIBUTE_VALUES_MAX)

/** What is only for those whom a rule allows it. Everything else is open to all members. */
export const restrictedResourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('dataset'), id: idSchema('dataset'), sourceId: idSchema('source').optional() }),
  z.strictObject({ kind: z.literal('metric'), id: idSchema('metric') }),
])
export type RestrictedResource = z.infer<typeof restrictedResourceSchema>

/** What must stay true of somebody's access; asked again at each change. */
const testFields = {
  name: z.string().trim().min(1, { message: 'Enter a name.' }).max(120),
  subject: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('role'), role: z.enum(ROLES) }),
    z.strictObject({ kind: z.literal('group'), id: idSchema('group') }),
    z.strictObject({ kind: z.literal('member'), id: idSchema('user') }),
  ]),
  dataset: idSchema('dataset'),
  /** Null: the dataset itself. */
  column: columnKeySchema.nullable(),
  /** `everything`: all rows, or the column as it is; `something`: not nothing; `nothing`: no rows, or a column that does not exist. */
  expect: z.enum(['nothing', 'masked', 'something', 'everything']),
}
export const accessTestInputSchema = z.strictObject(testFields)
export const accessTestSchema = z.strictObject({ id: idSchema('accessTest'), ...testFields })
export type AccessTest = z.infer<typeof accessTestSchema>
export const ACCESS_TESTS_MAX = 100

/** Everything that decides who sees what, but for the values of attributes. */
export const accessPolicySchema = z.strictObject({
  rules: z.array(accessRuleSchema).max(ACCESS_RULES_MAX),
  restricted: z.array(restrictedResourceSchema).max(1000),
  attributes: z.array(userAttributeSchema).max(USER_ATTRIBUTES_MAX),
  tests: z.array(accessTestSchema).max(ACCESS_TESTS_MAX),
})
export type AccessPolicy = z.infer<typeof accessPolicySchema>
export const NO_POLICY: AccessPolicy = { rules: [], restricted: [], attributes: [], tests: [] }
