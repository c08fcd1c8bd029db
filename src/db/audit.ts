import { auditEntryFactory, type AuditEntry } from './commit'

type Change = Pick<AuditEntry, 'before' | 'after' | 'otherId'>

/** A line of the audit log about somebody's own account, which belongs to no workspace. */
export const userAuditEntry = (userId: string, action: string, change: Change = {}): AuditEntry => ({
  workspaceId: null,
  actorId: userId,
  action,
  entity: 'user',
  entityId: userId,
  ...change,
})

/** A line about a workspace as a whole. */
export const workspaceAuditEntry = (
  { workspaceId, actorId }: { workspaceId: string; actorId: string },
  action: string,
  change: Change = {},
): AuditEntry => ({ workspaceId, actorId, action, entity: 'workspace', entityId: workspaceId, ...change })

export const memberAuditEntry = auditEntryFactory('member')
