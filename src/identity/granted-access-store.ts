import { memberRankColumns, effectiveMembership, type MemberRanks } from '../entitlements/limits'
import { subscriptionColumns, subscriptionFromRow, type SubscriptionRow } from '../entitlements/subscription-row'
import { accessColumns, readDataRights, type AccessColumns } from './access/access-store'
import { rightsFingerprint } from '../scope'
import type { Database } from '../db/database'
import { computeEntitlements } from '../shared/billing/entitlements'
import type { Clock } from '../shared/ids'
import { SESSION_IDLE_MS, SESSION_MAX_MS } from '../shared/limits'
import type { Role } from '../shared/permissions'

/** How much of a session's hash a connection keeps: enough to know the session again, too little to open anything. */
const SESSION_PREFIX_CHARS = 32
export const sessionPrefix = (hash: string): string => hash.slice(0, SESSION_PREFIX_CHARS)

/** By what somebody was let in to stay: a connection that goes on after its request. */
export interface GrantedAccess {
  userId: string
  /** Beginning of the session's hash. */
  session: string
  /** Epochs of person and membership at that time. */
  epoch: string
  /** What they act as. */
  role: Role
  /** Name of what they may see. */
  access: string
}

interface GrantRow extends MemberRanks, SubscriptionRow, AccessColumns {
  email: string | null
  user_id: string
  user_epoch: number
  member_epoch: number
  sessions: string
}

const SELECT_GRANTS = `
SELECT m.user_id, m.role, CASE WHEN u.email_proven_at IS NOT NULL THEN u.email END AS email, u.epoch AS user_epoch, m.epoch AS member_epoch,
  (SELECT json_group_array(substr(s.hash, 1, ${SESSION_PREFIX_CHARS})) FROM sessions s
   WHERE s.user_id = m.user_id AND s.epoch = u.epoch AND s.last_seen_at > ?3 AND s.created_at > ?4) AS sessions,
  ${memberRankColumns('m', 'm.workspace_id')}, ${subscriptionColumns('b')},
  ${accessColumns({ epoch: 'w.access_epoch', workspace: 'w.id', user: 'm.user_id' })}
FROM members m
JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
JOIN workspaces w ON w.id = m.workspace_id AND w.deleted_at IS NULL
LEFT JOIN subscriptions b ON b.workspace_id = m.workspace_id
WHERE m.workspace_id = ?1 AND m.status = 'active' AND m.user_id IN (SELECT value FROM json_each(?2))`

/** Says of each holder whether everything by which they were let in is still as it was. One read for all of them. */
export async function revalidateGrants(
  { db, clock }: { db: Database; clock: Clock },
  workspaceId: string,
  grants: readonly GrantedAccess[],
): Promise<(grant: GrantedAccess) => boolean> {
  const people = JSON.stringify([...new Set(grants.map(({ userId }) => userId))])
  const now = clock.now()
  const { results } = await db.d1
    .prepare(SELECT_GRANTS)
    .bind(workspaceId, people, now - SESSION_IDLE_MS, now - SESSION_MAX_MS)
    .all<GrantRow>()
  const states = await Promise.all(results.map((row) => grantStateFromRow(db, row, { workspaceId, now })))
  const byPerson = new Map(states.map((state) => [state.userId, state]))
  return ({ userId, session, epoch, role, access }) => {
    const found = byPerson.get(userId)
    return found?.epoch === epoch && found.role === role && found.access === access && found.sessions.has(session)
  }
}

async function grantStateFromRow(
  db: Database,
  grantRow: GrantRow,
  { workspaceId, now }: { workspaceId: string; now: number },
) {
  const { seat, role } = effectiveMembership(grantRow, computeEntitlements(subscriptionFromRow(grantRow), now).features)
  const sessions: string[] = JSON.parse(grantRow.sessions)
  const { user_id: userId, email } = grantRow
  const rights = await readDataRights(db, { workspaceId, userId, role, email }, grantRow)
  return {
    userId,
    access: rightsFingerprint(rights),
    epoch: `${grantRow.user_epoch}.${grantRow.member_epoch}`,
    role: seat === 'none' ? null : role,
    sessions: new Set(sessions),
  }
}
