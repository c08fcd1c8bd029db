import { z } from 'zod'
import { columnKeySchema } from '../data-sources/files'
import { idSchema } from '../ids'
import { ROLES, type Role } from '../permissions'
import { scalarSchema } from '../query/plan'
import {
  accessRuleSchema,
  accessTestSchema,
  ACCESS_RULES_MAX,
  ACCESS_TESTS_MAX,
  attributeHolderSchema,
  attributeValuesSchema,
  restrictedResourceSchema,
  USER_ATTRIBUTES_MAX,
  userAttributeSchema,
  type AccessPolicy,
  type AttributeHolder,
  type AttributeValue,
  type ColumnGrant,
} from './rules'

/** The calls of `/api/data-access`. All of them are of the workspace at hand and of people who manage its data access. */

/** `GET /api/data-access`. */
export interface DataAccess {
  policy: AccessPolicy
  /** 0: no rule was ever written. Goes with every change. */
  revision: number
  /** Whether the plan lets rules be changed; those there are hold in any case. */
  mayEdit: boolean
  values: HeldAttribute[]
  /** What the tests that are kept came to, as things are now. */
  tests: AccessTestResult[]
}
/** A value of an attribute. */
export interface HeldAttribute {
  attributeId: string
  holder: AttributeHolder
  values: AttributeValue[]
}

/** What is new has no id yet; the server gives it one. */
const idOrNew = <T extends z.ZodType>(id: T) => id.optional()
export const accessPolicyInputSchema = z.strictObject({
  rules: z.array(accessRuleSchema.extend({ id: idOrNew(idSchema('accessRule')) })).max(ACCESS_RULES_MAX),
  restricted: z.array(restrictedResourceSchema).max(1000),
  attributes: z.array(userAttributeSchema.extend({ id: idOrNew(idSchema('attribute')) })).max(USER_ATTRIBUTES_MAX),
  tests: z.array(accessTestSchema.extend({ id: idOrNew(idSchema('accessTest')) })).max(ACCESS_TESTS_MAX),
})
export type AccessPolicyInput = z.input<typeof accessPolicyInputSchema>

/**
 * `PUT /api/data-access`: all of it at once, against the revision it was read at. Refused with `version_conflict`; with
 * `invalid_input` where nobody who manages data access would see all data any more; and, unless `force`, with `in_use` and
 * the tests that would fail.
 */
export const saveDataAccessSchema = z.strictObject({
  policy: accessPolicyInputSchema,
  revision: z.int().min(0),
  /** Save although stored tests fail. */
  force: z.boolean().default(false),
})
export type SaveDataAccessInput = z.input<typeof saveDataAccessSchema>

/** `POST /api/data-access/impact`: what a policy that is not saved yet would change. */
export const accessImpactSchema = z.strictObject({ policy: accessPolicyInputSchema })
export interface AccessImpact {
  /** People and datasets for whom something changes; the most changed first, 200 at most. */
  changes: AccessChange[]
  /** How many there are in all. */
  count: number
  tests: AccessTestResult[]
  /** Why it could not be saved; null: it can. */
  refusal: string | null
}
export interface AccessChange {
  userId: string
  name: string
  datasetId: string
  datasetName: string
  before: DatasetView
  after: DatasetView
}
/** What somebody sees of a dataset. */
export interface DatasetView {
  /** `rules`: some rows. */
  rows: 'all' | 'rules' | 'none'
  /** How many; null where they were not counted. */
  count: number | null
  masked: { key: string; grant: ColumnGrant }[]
  hidden: string[]
}

export interface AccessTestResult {
  testId: string
  passes: boolean
  /** What was found instead: one of `ACCESS_TEST_EXPECTATIONS`; null where its subject, dataset or column is gone. */
  found: 'nothing' | 'masked' | 'something' | 'everything' | null
}

/** `GET /api/data-access/people`: who sees what. */
export interface AccessOverview {
  datasets: { id: string; name: string; sourceId: string; sourceName: string; rowCount: number; restricted: boolean }[]
  people: {
    userId: string
    name: string
    role: Role
    groups: { id: string; name: string }[]
    /** By dataset, in the order of `datasets`. */
    views: DatasetView[]
    hiddenMetrics: number
    hiddenCategories: number
  }[]
}

/** `POST /api/data-access/inspect`: why somebody sees a dataset, or one row of it, as they do. */
export const inspectAccessSchema = z.strictObject({
  userId: idSchema('user'),
  dataset: idSchema('dataset'),
  /** A row by the value of one of its columns, such as its number. Absent: the dataset. */
  row: z.strictObject({ column: columnKeySchema, value: scalarSchema }).optional(),
})
export type InspectAccessInput = z.infer<typeof inspectAccessSchema>
export interface AccessExplanation {
  view: DatasetView
  restricted: boolean
  /** Every rule about the dataset or its source, in their order. */
  rules: ExplainedRule[]
  attributes: { key: string; label: string; values: AttributeValue[]; from: 'member' | 'groups' | 'default' | 'none' }[]
  columns: { key: string; label: string; grant: ColumnGrant; ruleIds: string[] }[]
  /** With `row`: how many rows have the value, and how many of these the person sees. */
  row: { found: number; seen: number } | null
}
export interface ExplainedRule {
  id: string
  name: string
  effect: 'allow' | 'hide'
  rows: 'all' | 'some' | 'unchanged'
  /** By what the rule is about this person; null: it is not. */
  matches: { kind: 'everyone' | 'role' | 'group' | 'member'; name: string } | null
  active: boolean
  /** Attributes that the rule asks and the person has no value of: it shows nothing. */
  missing: string[]
  /** With `row`: how many of the rows asked for the rule is about; null where it does not count. */
  rowsOfRule: number | null
}

/** `PUT /api/data-access/attributes/:id/values`: of whom the attribute has which values; an empty list takes them away. */
export const saveAttributeValuesSchema = z.strictObject({
  values: z
    .array(z.strictObject({ holder: attributeHolderSchema, values: attributeValuesSchema }))
    .min(1)
    .max(1000),
})

/** `GET /api/data-access/history`: the newest first, 100 at most. */
export interface AccessHistoryItem {
  revision: number
  at: string
  by: { userId: string; name: string }
  /** Sentences: "Added rule “South only”". */
  changes: string[]
}
/** `POST /api/data-access/restore`: the rules of an earlier revision become the newest. */
export const restoreAccessSchema = z.strictObject({ revision: z.int().min(0), current: z.int().min(0) })

/** `POST /api/data-access/view-as`: the browser sees what somebody else would, and may change nothing, for an hour. */
export const viewAsSchema = z.strictObject({
  subject: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('member'), id: idSchema('user') }),
    z.strictObject({ kind: z.literal('group'), id: idSchema('group') }),
    z.strictObject({ kind: z.literal('role'), role: z.enum(ROLES) }),
  ]),
})
export type ViewAsSubject = z.infer<typeof viewAsSchema>['subject']

/** `GET /api/data-access/suggestions?dataset=` */
export const listSuggestionsSchema = z.strictObject({ dataset: idSchema('dataset').optional() })
/** Columns that look private and that no rule covers. */
export interface SensitiveColumn {
  dataset: { id: string; name: string }
  column: { key: string; label: string }
  kind: 'personalNumber' | 'salary' | 'email' | 'phone' | 'bankAccount'
  /** What rules could leave of it. */
  mask: ColumnGrant
}
