import type { Scope } from '../../access/scope'
import type { MemberStatus } from '../../shared/members'
import type { Role } from '../../shared/permissions'

/** One member as stored. */
export interface MemberRow {
  userId: string
  name: string
  avatarKey: string | null
  email: string | null
  role: Role
  status: MemberStatus
  joinedAt: number
  seenAt: number
  version: number
  /** Whether mails about the own membership are wanted. */
  wantsMail: number
}

/** Columns of a {@link MemberRow}, of `m` (members) and `u` (users). Whoever joined was there at that moment. */
export const MEMBER_COLUMNS = `m.user_id AS userId, u.name, u.avatar_key AS avatarKey, u.email, m.role, m.status,
  m.created_at AS joinedAt, coalesce(m.last_seen_at, m.created_at) AS seenAt, m.epoch AS version,
  coalesce(json_extract(u.notifications, '$.membershipChanged'), 1) AS wantsMail`

/** What a change says of the audit log. */
export const auditedMembership = ({ role, status }: Pick<MemberRow, 'role' | 'status'>) => ({ role, status })

export const memberAuditEntry = (scope: Scope, action: string, userId: string) => ({
  workspaceId: scope.workspaceId,
  actorId: scope.actorId,
  action,
  entity: 'member',
  entityId: userId,
})
