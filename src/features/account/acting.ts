import type { AuditEntry } from '../../db/commit'
import type { LinkKind } from '../../shared/links'

/** Who is signed in. */
export interface Signed {
  userId: string
  epoch: number
  email: string | null
  sessionHash: string
}

/** Links that stop working when somebody's password or address changes. */
export const CREDENTIAL_LINKS: readonly LinkKind[] = ['reset', 'sign_in', 'email_old', 'email_new']

/** A line of the audit log about one's own account, which belongs to no workspace. */
export const auditOf = (userId: string, action: string, after?: unknown): AuditEntry => ({
  workspaceId: null,
  actorId: userId,
  action,
  entity: 'user',
  entityId: userId,
  ...(after === undefined ? {} : { after }),
})
