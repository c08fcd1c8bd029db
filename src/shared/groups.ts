import { z } from 'zod'
import { idSchema } from './ids'
import { descriptionSchema, nameSchema, versionSchema } from './field-schemas'
import { ROLES, type Role } from './permissions'
import { mailDomainSchema } from './workspaces/workspaces'

export const GROUP_COLORS = ['blue', 'teal', 'green', 'yellow', 'orange', 'red', 'pink', 'grape'] as const
export type GroupColor = (typeof GROUP_COLORS)[number]
export const USER_GROUPS_MAX = 100
export const GROUP_MEMBERS_MAX = 1_000

/** Whoever matches belongs to the group, is marked so, and cannot be removed by hand. A mail domain counts only when the address is proven. */
const groupMembershipRuleSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('domain'), value: mailDomainSchema }),
  z.strictObject({ kind: z.literal('role'), value: z.enum(ROLES) }),
])
export type GroupMembershipRule = { kind: 'domain'; value: string } | { kind: 'role'; value: Role }

export const createGroupSchema = z.strictObject({
  name: nameSchema,
  description: descriptionSchema.default(''),
  color: z.enum(GROUP_COLORS).default('blue'),
  autoRule: groupMembershipRuleSchema.nullable().default(null),
})
export type CreateGroupInput = z.input<typeof createGroupSchema>
export const updateGroupSchema = createGroupSchema.extend({ version: versionSchema })

/** PUT /api/groups/{id}/members: both lists whole. A manager of the group may change the members, not the managers. */
export const groupMembersSchema = z.strictObject({
  memberIds: z.array(idSchema('user')).max(GROUP_MEMBERS_MAX),
  managerIds: z.array(idSchema('user')).max(50),
  version: versionSchema,
})

/** `DELETE /api/groups/{id}?version=&replacement=`: invitations and rules of access that name it get the
 * replacement, or lose it. */
export const deleteGroupSchema = z.strictObject({
  version: z.coerce.number().int().min(1),
  replacement: z.string().max(40).optional(),
})

export interface UserGroup {
  id: string
  name: string
  description: string
  color: GroupColor
  autoRule: GroupMembershipRule | null
  memberCount: number
  /** Whether rules of access or attributes are about its members: then only who manages data access may change these. */
  decidesAccess: boolean
  /** Whether who asks may change its members. */
  mayManage: boolean
  version: number
}
export interface UserGroupMember {
  userId: string
  name: string
  avatar: string | null
  isMember: boolean
  isManager: boolean
  /** Belongs to it by its rule. */
  automatic: boolean
}
/** GET /api/groups/{id}. */
export interface UserGroupDetail extends UserGroup {
  members: UserGroupMember[]
  /** What the group is used for: everything that names it. */
  unlocks: { kind: 'invite' | 'accessRule'; id: string; label: string }[]
}

/** POST /api/groups/import: lines `group;address` (any delimiter). `dryRun` says what would happen and changes nothing. */
export const importGroupsSchema = z.strictObject({ csv: z.string().min(1).max(200_000), dryRun: z.boolean() })
export interface GroupImportLine {
  line: number
  group: string
  email: string
  outcome: 'added' | 'already' | 'unknown_person' | 'invalid' | 'too_many'
  /** The group does not exist yet and is made. */
  newGroup: boolean
}
export interface GroupImportResult {
  lines: GroupImportLine[]
  added: number
  groupsMade: number
  dryRun: boolean
}
