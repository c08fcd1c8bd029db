import type { AuditEntry } from '../../db/commit'
import type { EmailLinkKind } from '../../shared/links'

/** Who is signed in. */
export interface SignedInUser {
  userId: string
  epoch: number
  email: string | null
  sessionHash: string
}

/** Links that stop working when somebody's password or address changes. */
export const CREDENTIAL_LINK_KINDS: readonly EmailLinkKind[] = ['reset', 'sign_in', 'email_old', 'email_new']

/** A line of the audit log about one's own account, which belongs to no workspace. */
export const userAuditEntry = (userId: string, action: string, after?: unknown): AuditEntry => ({
  workspaceId: null,
  actorId: userId,
  action,
  entity: 'user',
  entityId: userId,
  ...(after === undefined ? {} : { after }),
})
