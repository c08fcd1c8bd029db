import { picturePath } from '../../shared/pictures'
import type { AutoRule, Group, GroupColor, GroupMember } from '../../shared/groups'

/** A live group as its store reads it. */
export interface StoredGroup extends Omit<Group, 'mayManage'> {
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
export interface MemberRow {
  user_id: string
  name: string
  avatar_key: string | null
  is_member: number
  is_manager: number
  automatic: number
}

export const groupOf = (row: GroupRow): StoredGroup => ({
  id: row.id,
  name: row.name,
  description: row.description,
  color: row.color,
  autoRule: ruleOf(row.auto_rule),
  memberCount: row.member_count,
  managed: row.managed === 1,
  version: row.version,
})

/** Rules are written by us alone, so that what is stored is one. */
const ruleOf = (json: string | null): AutoRule | null => {
  const rule: AutoRule | null = json === null ? null : JSON.parse(json)
  return rule
}

export const memberOf = (row: MemberRow): GroupMember => ({
  userId: row.user_id,
  name: row.name,
  avatar: picturePath(row.avatar_key),
  isMember: row.is_member === 1,
  isManager: row.is_manager === 1,
  automatic: row.automatic === 1,
})
