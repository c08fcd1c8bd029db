import type { NewSession } from '../../access/new-session'
import { endSession } from '../../access/sessions'
import type { AuditEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import type { LinkKind } from '../../shared/links'

export interface Person {
  userId: string
  epoch: number
}
export interface Entered {
  person: Person
  opened: NewSession
}
/** How somebody comes in: the plumbing knows about browsers, this room does not. */
export interface Entering {
  open: (person: Person) => Promise<NewSession>
  /** Hash of the session this browser came with, if any: it ends where another begins. */
  replaces: string | null
}
/** Who is signed in. */
export interface Signed {
  userId: string
  epoch: number
  email: string | null
  sessionHash: string
}

/** Links that stop working when somebody's password or address changes. */
export const CREDENTIAL_LINKS: readonly LinkKind[] = ['reset', 'sign_in', 'email_old', 'email_new']

/** The rows of a session that begins; the one the browser came with ends. */
export const sessionRows = (deps: Deps, opened: NewSession, replaces: string | null): D1PreparedStatement[] => [
  opened.insert,
  opened.remember,
  ...(replaces === null ? [] : [endSession(deps, replaces)]),
]

/** A line of the audit log about one's own account, which belongs to no workspace. */
export const auditOf = (userId: string, action: string, after?: unknown): AuditEntry => ({
  workspaceId: null,
  actorId: userId,
  action,
  entity: 'user',
  entityId: userId,
  ...(after === undefined ? {} : { after }),
})
