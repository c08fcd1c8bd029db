import { z } from 'zod'
import { GROUP_COLORS } from '../groups'
import { idSchema } from '../ids'
import { descriptionSchema, nameKey, nameSchema, versionSchema } from '../field-schemas'
import { measureSchema } from '../query/plan'
import type { Cell } from '../query/result'
import { columnKeySchema, type ColumnFormat } from '../data-sources/files'

/**
 * Values put together under names of one's own. Texts are compared without regard to case and to how often a space
 * stands ({@link nameKey}); an empty cell belongs to no group.
 */

/** Of a workspace, all groupings together. */
export const GROUPINGS_MAX = 50
export const GROUPS_TOTAL_MAX = 500
export const MEMBERS_MAX = 20_000
/** Levels of groups within groups. */
export const GROUP_DEPTH_MAX = 4
/** Periods with groups of their own. */
export const VALIDITY_PERIODS_MAX = 10
const REGEX_MAX_CHARS = 200
/** Expressions of one grouping: every value without a place is held against each of them. */
export const REGEXES_MAX = 50
/** The definition as JSON: what one row of a database holds. */
export const DEFINITION_MAX_BYTES = 1_500_000
/** Different values of a column that can be put into groups. */
export const GROUPED_VALUES_MAX = 200_000
const MEMBER_MAX_CHARS = 500

const memberSchema = z
  .string()
  .max(MEMBER_MAX_CHARS)
  .transform((text) => text.normalize('NFC'))
const searchTextSchema = z
  .string()
  .max(MEMBER_MAX_CHARS)
  .transform((text) => text.normalize('NFC'))
  .refine((text) => nameKey(text) !== '', { message: 'Enter a value.' })
const accountSchema = z.int().min(0).max(99_999_999)

/**
 * How values come to a group. Those named one by one (`in`, `equals`) come first, then ranges; the other rules are tried
 * in the order of the groups, and within a group in their own: the first that matches decides.
 */
export const groupingRuleSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('in'), values: z.array(memberSchema).max(MEMBERS_MAX) }),
  z.strictObject({ kind: z.literal('equals'), value: memberSchema }),
  z.strictObject({ kind: z.literal('startsWith'), value: searchTextSchema }),
  z.strictObject({ kind: z.literal('contains'), value: searchTextSchema }),
  /** Somewhere in the value, without regard to case; in linear time, so no look-around and no back-references. */
  z.strictObject({
    kind: z.literal('regex'),
    pattern: z
      .string()
      .min(1)
      .max(REGEX_MAX_CHARS, { message: `At most ${REGEX_MAX_CHARS} characters.` }),
  }),
  /** From the first number up to, not with, the second; null is without end. */
  z.strictObject({ kind: z.literal('range'), from: z.number().nullable(), to: z.number().nullable() }),
  /** Account numbers, both ends included: 3000–3799. */
  z.strictObject({ kind: z.literal('accounts'), from: accountSchema, to: accountSchema }),
])
export type GroupingRule = z.infer<typeof groupingRuleSchema>

const groupSchema = z.strictObject({
  id: idSchema('grouped'),
  /** The group it lies in; null for one on its own. */
  parentId: idSchema('grouped').nullable(),
  name: nameSchema,
  color: z.enum(GROUP_COLORS).nullable(),
  /** Among the groups beside it. */
  order: z.int().min(0).max(100_000),
  rules: z.array(groupingRuleSchema).max(100),
})
export type GroupNode = z.infer<typeof groupSchema>

/** From `from` on (null: from the beginning) until the next one. A group keeps its id from one to the next. */
const validityPeriodSchema = z.strictObject({
  from: z.iso.date().nullable(),
  groups: z.array(groupSchema).max(GROUPS_TOTAL_MAX),
})
export type ValidityPeriod = z.infer<typeof validityPeriodSchema>

/** What values without a group are: put together under a name, left out of splits, or each for itself. */
const groupingFallbackSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ungrouped'), name: nameSchema }),
  z.strictObject({ kind: z.literal('exclude') }),
  z.strictObject({ kind: z.literal('asIs') }),
])
export type GroupingFallback = z.infer<typeof groupingFallbackSchema>

/** What is put into groups: a column, or the account column of every ledger. It can be used on other columns too. */
const groupingTargetSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('column'), dataset: idSchema('dataset'), column: columnKeySchema }),
  z.strictObject({ kind: z.literal('account') }),
])
export type GroupingTarget = z.infer<typeof groupingTargetSchema>

const GROUPING_KINDS = ['values', 'ranges', 'rules', 'accounts'] as const
/** Which editor it is made with; every kind of rule works in each. */
export type GroupingKind = (typeof GROUPING_KINDS)[number]

const validityPeriodsSchema = z.array(validityPeriodSchema).min(1).max(VALIDITY_PERIODS_MAX)
export const createGroupingSchema = z.strictObject({
  name: nameSchema,
  description: descriptionSchema.default(''),
  target: groupingTargetSchema,
  kind: z.enum(GROUPING_KINDS),
  fallback: groupingFallbackSchema.default({ kind: 'ungrouped', name: 'Ungrouped' }),
  eras: validityPeriodsSchema.default([{ from: null, groups: [] }]),
})
export type CreateGroupingInput = z.input<typeof createGroupingSchema>
/** `force`: also when insights name a group that is no longer there. */
export const updateGroupingSchema = createGroupingSchema.extend({
  fallback: groupingFallbackSchema,
  eras: validityPeriodsSchema,
  version: versionSchema,
  force: z.boolean().default(false),
})
export type UpdateGroupingInput = z.input<typeof updateGroupingSchema>

/** What decides which value belongs where. */
export interface GroupingContent {
  fallback: GroupingFallback
  eras: ValidityPeriod[]
}

/** Values without a group, as last counted; null: not counted yet. */
export interface UnmatchedValues {
  values: number
  rows: number
  at: string
}

export interface GroupingSummary {
  id: string
  name: string
  description: string
  target: GroupingTarget
  kind: GroupingKind
  fallback: GroupingFallback
  groupCount: number
  /** Values that are named one by one. */
  memberCount: number
  eraCount: number
  unmatched: UnmatchedValues | null
  /** The plan has no room for it: figures go on to be seen through it, and it cannot be changed. */
  frozen: boolean
  ownerId: string
  ownerName: string
  version: number
  createdAt: string
  updatedAt: string
}
/** GET /api/groupings/{id}. */
export interface Grouping extends GroupingSummary {
  eras: ValidityPeriod[]
}

/** Something that sees its figures through a grouping: named in `in_use`. */
export interface GroupingDependent {
  type: 'insight' | 'metric'
  id: string
  name: string
}

/**
 * `DELETE /api/groupings/{id}?version=&force=1` leaves what uses it without figures; `&replacement=` puts another grouping
 * in its place, whose groups of the same name take the places of its groups.
 */
export const deleteGroupingSchema = z.strictObject({
  version: z.coerce.number().pipe(versionSchema),
  force: z.enum(['0', '1']).default('0'),
  replacement: z.string().max(40).optional(),
})

/** Where values are looked at: the target, else (of accounts) the ledger with most rows; `amount`: what is added up. */
const valueColumnFields = {
  dataset: idSchema('dataset').optional(),
  column: columnKeySchema.optional(),
  amount: columnKeySchema.optional(),
}
export const listValuesSchema = z.strictObject({
  ...valueColumnFields,
  q: z.string().trim().max(200).optional(),
  cursor: z.string().max(20).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
})
export type ListValuesQuery = z.output<typeof listValuesSchema>

/** A value as it stands in the data and as rules see it, with what it weighs. */
export interface GroupedValue {
  value: Cell
  /** How it is written as a member; null for an empty cell. */
  member: string | null
  /** The innermost group, by the groups of today; null: none. */
  groupId: string | null
  rows: number
  amount: Cell
}
/** GET …/values and …/unmatched, the values with most rows first. */
export interface GroupedValuesPage {
  items: GroupedValue[]
  nextCursor: string | null
  /** How many values there are in all. */
  count: number
  dataset: { id: string; name: string }
  column: { key: string; label: string }
  /** What `amount` is the sum of; null: the data has nothing to add up. */
  amount: { key: string; label: string; format: ColumnFormat } | null
}

/** `POST …/preview`: figures by group as stored and as they would be. */
export const previewGroupingSchema = z.strictObject({
  fallback: groupingFallbackSchema,
  eras: validityPeriodsSchema,
  /** Absent: the sum of what is added up in the list of values, else the number of rows. */
  measure: measureSchema.optional(),
  level: z.int().min(1).max(GROUP_DEPTH_MAX).optional(),
  dataset: idSchema('dataset').optional(),
  column: columnKeySchema.optional(),
})
export type PreviewGroupingInput = z.input<typeof previewGroupingSchema>
export interface GroupingPreviewLine {
  /** Null: what belongs to none. */
  groupId: string | null
  name: string
  before: Cell
  after: Cell
}
export interface GroupingPreview {
  /** Groups in their order as they would be, then those that would be gone, then what belongs to none. */
  lines: GroupingPreviewLine[]
  label: string
  format: ColumnFormat
  /** The same rows, so both are equal unless values are left out of splits. */
  total: { before: Cell; after: Cell }
}

/** `POST …/members-move`: these values belong to that group from now on (null: to none that names them). */
export const moveMembersSchema = z.strictObject({
  values: z.array(memberSchema).min(1).max(5_000),
  to: idSchema('grouped').nullable(),
  /** Which period; absent: the one of today. */
  era: z
    .int()
    .min(0)
    .max(VALIDITY_PERIODS_MAX - 1)
    .optional(),
  version: versionSchema,
})

/** `POST …/suggest`: spellings that look alike among the values without a group. Nothing is changed. */
export const suggestGroupsSchema = z.strictObject({ ...valueColumnFields, q: z.string().trim().max(200).optional() })
export interface SuggestedGroup {
  /** A group that is there and has such members; null: a new one. */
  groupId: string | null
  name: string
  values: { member: string; rows: number; amount: Cell }[]
  rows: number
}
export interface GroupSuggestions {
  groups: SuggestedGroup[]
  /** How many values were looked at, and how many there are. */
  looked: number
  count: number
}

/** `POST …/import`: lines `group > group;member`. `dryRun` says what would happen and changes nothing. */
export const IMPORT_LINES_MAX = 20_000
export const importGroupingSchema = z.strictObject({
  csv: z.string().min(1).max(2_000_000),
  dryRun: z.boolean(),
  era: z
    .int()
    .min(0)
    .max(VALIDITY_PERIODS_MAX - 1)
    .optional(),
  version: versionSchema,
})
export interface GroupingImportResult {
  /** Lines that could not be taken; when there are any, nothing is changed. */
  errors: { line: number; message: string }[]
  lines: number
  /** Values that come to a group, that leave one for another, and groups that are made. */
  added: number
  moved: number
  groupsMade: number
  dryRun: boolean
  /** As it is now; null for a dry run or when there are errors. */
  grouping: Grouping | null
}

/** Groups as they stand in a list: each before those within it, beside each other by `order`. */
export function orderedGroups(groups: readonly GroupNode[]): GroupNode[] {
  const children = new Map<string | null, GroupNode[]>()
  for (const group of groups) children.set(group.parentId, [...(children.get(group.parentId) ?? []), group])
  for (const list of children.values()) list.sort((a, b) => a.order - b.order)
  const found: GroupNode[] = []
  const walk = (parentId: string | null): void => {
    for (const group of children.get(parentId) ?? []) {
      found.push(group)
      walk(group.id)
    }
  }
  walk(null)
  return found
}

/** By id: the groups that lead to it, the outermost first, itself last. */
export function groupPaths(groups: readonly GroupNode[]): Map<string, GroupNode[]> {
  const paths = new Map<string, GroupNode[]>()
  for (const group of orderedGroups(groups))
    paths.set(group.id, [...(group.parentId === null ? [] : (paths.get(group.parentId) ?? [])), group])
  return paths
}

/** What stands for a group at a level: the group around it there; itself when it does not lie so deep. */
export const groupAtLevel = (path: readonly GroupNode[], level: number): GroupNode | undefined =>
  path[Math.min(level, path.length) - 1]

/** The period that holds a day (ISO); the first one before all. */
export function validityPeriodAt(eras: readonly ValidityPeriod[], day: string): number {
  return Math.max(
    0,
    eras.findLastIndex(({ from }) => from === null || from <= day),
  )
}

/** Every group of every period once, as it is called last: those of the latest period first, in their order. */
export function allGroups({ eras }: Pick<GroupingContent, 'eras'>): GroupNode[] {
  const seen = new Map<string, GroupNode>()
  for (const { groups } of eras.toReversed())
    for (const group of orderedGroups(groups)) if (!seen.has(group.id)) seen.set(group.id, group)
  return [...seen.values()]
}

/** Values that rules name one by one. */
export const namedMembers = ({ rules }: Pick<GroupNode, 'rules'>): string[] =>
  rules.flatMap((rule) => (rule.kind === 'in' ? rule.values : rule.kind === 'equals' ? [rule.value] : []))

/** What a definition takes of the limits of its workspace. */
export const groupingSize = (definition: Pick<GroupingContent, 'eras'>): { groups: number; members: number } => ({
  groups: allGroups(definition).length,
  members: definition.eras
    .flatMap(({ groups }) => groups)
    .reduce((total, group) => total + namedMembers(group).length, 0),
})
