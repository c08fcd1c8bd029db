import { picturePath } from '../../shared/pictures'
import type { GroupMembershipRule, UserGroup, GroupColor, UserGroupMember } from '../../shared/groups'

/** A live group as its store reads it. */
export interface StoredGroup extends Omit<UserGroup, 'mayManage'> {
  /** Whether who asks manages it. */
  managed: boolean
}
export interface GroupRow {
  id: string
  name: string
  description: string
  color: GroupColor
  auto_rule: string | null
  version: number
  member_count: number
  managed: number
}
export interface GroupMemberRow {
  user_id: string
  name: string
  avatar_key: string | null
  is_member: number
  is_manager: number
  automatic: number
}

export const toStoredGroup = (row: GroupRow): StoredGroup => ({
  id: row.id,
  name: row.name,
  description: row.description,
  color: row.color,
  autoRule: parseRule(row.auto_rule),
  memberCount: row.member_count,
  managed: row.managed === 1,
  version: row.version,
})

/** Rules are written by us alone, so that what is stored is one. */
const parseRule = (json: string | null): GroupMembershipRule | null => {
  const rule: GroupMembershipRule | null = json === null ? null : JSON.parse(json)
  return rule
}

export const toGroupMember = (row: GroupMemberRow): UserGroupMember => ({
  userId: row.user_id,
  name: row.name,
  avatar: picturePath(row.avatar_key),
  isMember: row.is_member === 1,
  isManager: row.is_manager === 1,
  automatic: row.automatic === 1,
})
