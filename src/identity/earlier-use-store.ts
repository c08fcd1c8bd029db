import { z } from 'zod'
import { memberAuditEntry } from '../db/audit'
import type { AuditEntry } from '../db/commit'
import type { Database } from '../db/database'
import { IDENTITY_PROVIDERS } from '../shared/account'

/**
 * The first proof of an address by a mailbox that may be another person's than the one who registered: until then
 * anybody could have typed it. Whatever the account held is written down and detached, and comes back when the person
 * says that it is theirs.
 */
export interface FirstProof {
  userId: string
  /** The address that is proven; nothing happens when the account has another one by now, or a proven one. */
  email: string
  /** Epoch ms. */
  now: number
  /** Hash of the session that goes on; null = none does. */
  sessionHash: string | null
  /** Id of the provider's account that brought the proof; null = none did. */
  accountId: string | null
}

const storedAccountSchema = z.object({
  id: z.string(),
  provider: z.enum(IDENTITY_PROVIDERS),
  issuer: z.string(),
  subject: z.string(),
  email: z.string().nullable(),
  emailProven: z.number(),
  createdAt: z.number(),
  lastUsedAt: z.number(),
})
const earlierUseSchema = z.object({
  provenAt: z.number(),
  sessions: z.array(
    z.object({ userAgent: z.string().nullable(), country: z.string().nullable(), createdAt: z.number() }),
  ),
  accounts: z.array(storedAccountSchema),
  /** Workspaces that the account alone owned. */
  workspaces: z.array(z.string()),
  members: z.array(z.object({ workspaceId: z.string(), userId: z.string() })),
  invites: z.array(z.string()),
})
/** What `users.earlier_use` holds. */
export type StoredEarlierUse = z.infer<typeof earlierUseSchema>

/** Workspaces that person `?1` owns and nobody else does. */
const SOLELY_OWNED = `SELECT m.workspace_id FROM members m JOIN workspaces w ON w.id = m.workspace_id AND w.deleted_at IS NULL
  WHERE m.user_id = ?1 AND m.role = 'owner' AND m.status = 'active' AND NOT EXISTS (
    SELECT 1 FROM members o WHERE o.workspace_id = m.workspace_id AND o.user_id <> ?1 AND o.role = 'owner' AND o.status = 'active')`
const OTHER_ACCOUNTS = "FROM accounts a WHERE a.user_id = ?1 AND a.id <> coalesce(?5, '')"

/** Writes down what there is. Changes no row for an address that is proven, or an account that holds nothing. */
const RECORD = `UPDATE users SET earlier_use = json_object(
  'provenAt', ?3,
  'sessions', (SELECT json_group_array(json_object('userAgent', s.user_agent, 'country', s.country, 'createdAt', s.created_at))
    FROM sessions s WHERE s.user_id = ?1 AND s.hash <> coalesce(?4, '')),
  'accounts', (SELECT json_group_array(json_object('id', a.id, 'provider', a.provider, 'issuer', a.issuer, 'subject', a.subject,
    'email', a.email, 'emailProven', a.email_proven, 'createdAt', a.created_at, 'lastUsedAt', a.last_used_at)) ${OTHER_ACCOUNTS}),
  'workspaces', (SELECT json_group_array(workspace_id) FROM (${SOLELY_OWNED})),
  'members', (SELECT json_group_array(json_object('workspaceId', o.workspace_id, 'userId', o.user_id))
    FROM members o WHERE o.user_id <> ?1 AND o.status = 'active' AND o.workspace_id IN (${SOLELY_OWNED})),
  'invites', (SELECT json_group_array(i.id) FROM invites i WHERE i.state = 'pending' AND i.workspace_id IN (${SOLELY_OWNED})))
WHERE id = ?1 AND email = ?2 AND email_proven_at IS NULL AND disabled_at IS NULL
  AND (EXISTS (${SOLELY_OWNED}) OR EXISTS (SELECT 1 ${OTHER_ACCOUNTS}))`

/** Whether this very proof is the first: the address is not marked as proven until the last statement. */
const UNPROVEN = '(SELECT 1 FROM users WHERE id = ?1 AND email = ?2 AND email_proven_at IS NULL)'
/** What {@link RECORD} wrote, as a JSON text; NULL when it wrote nothing. */
const RECORDED = '(SELECT earlier_use FROM users WHERE id = ?1 AND email = ?2 AND email_proven_at IS NULL)'

/**
 * Statements for `commit`, in this order: everything is written down, changes of address given up, other members are suspended, invitations taken
 * back, offers of ownership and other ways in removed, other sessions ended. Nothing changes when the address was proven
 * before. Whoever calls marks the address as proven after them.
 */
export function firstProofStatements(db: Database, proof: FirstProof): D1PreparedStatement[] {
  const { d1 } = db
  const { userId, email, now, sessionHash, accountId } = proof
  const of = (sql: string, ...more: (string | null)[]) => d1.prepare(sql).bind(userId, email, ...more)
  return [
    d1.prepare(RECORD).bind(userId, email, now, sessionHash, accountId),
    endUnprovenChangesStatement(db, { userId, email, now }),
    of(
      `UPDATE members SET status = 'suspended', epoch = epoch + 1 WHERE EXISTS (
         SELECT 1 FROM json_each(${RECORDED}, '$.members') j
         WHERE j.value ->> 'workspaceId' = members.workspace_id AND j.value ->> 'userId' = members.user_id)`,
    ),
    of(
      `UPDATE invites SET state = 'revoked' WHERE state = 'pending'
         AND id IN (SELECT value FROM json_each(${RECORDED}, '$.invites'))`,
    ),
    of(`DELETE FROM ownership_offers WHERE ?1 IN (from_user, to_user) AND EXISTS ${UNPROVEN}`),
    of(`DELETE FROM accounts WHERE user_id = ?1 AND id <> coalesce(?3, '') AND EXISTS ${UNPROVEN}`, accountId),
    of(`DELETE FROM sessions WHERE user_id = ?1 AND hash <> coalesce(?3, '') AND EXISTS ${UNPROVEN}`, sessionHash),
  ]
}

/**
 * Audit lines of the members whom the first proof of this address suspends, for its `commit`: their open sockets are
 * looked at again. None when the address was proven before.
 */
export async function suspendedMemberEntries(
  { d1 }: Database,
  { userId, email }: Pick<FirstProof, 'userId' | 'email'>,
): Promise<AuditEntry[]> {
  const { results } = await d1
    .prepare(
      `SELECT o.workspace_id AS workspaceId, o.user_id AS id FROM members o
       WHERE o.user_id <> ?1 AND o.status = 'active' AND o.workspace_id IN (${SOLELY_OWNED})
         AND EXISTS (SELECT 1 FROM users WHERE id = ?1 AND email = ?2 AND email_proven_at IS NULL)`,
    )
    .bind(userId, email)
    .all<{ workspaceId: string; id: string }>()
  return results.map(({ workspaceId, id }) =>
    memberAuditEntry(
      { scope: { workspaceId, actorId: userId } },
      { action: 'member.update', id, after: { status: 'suspended' } },
    ),
  )
}

/**
 * Gives up a change of address asked for while the address (`email`; null = whichever it is) was unproven: whoever
 * registered asked, and the old side was not. Goes before the statement that marks the address as proven.
 */
export const endUnprovenChangesStatement = (
  { d1 }: Database,
  of: { userId: string; email: string | null; now: number },
): D1PreparedStatement =>
  d1
    .prepare(
      `UPDATE links SET used_at = ?3 WHERE user_id = ?1 AND used_at IS NULL AND kind IN ('email_old', 'email_new')
         AND EXISTS (SELECT 1 FROM users WHERE id = ?1 AND email = coalesce(?2, email) AND email_proven_at IS NULL)`,
    )
    .bind(of.userId, of.email, of.now)

/** The address is its holder's, from `now` on unless it was before; changes of it asked for until then are given up. */
export const markEmailProvenStatements = (db: Database, userId: string, now: number): D1PreparedStatement[] => [
  endUnprovenChangesStatement(db, { userId, email: null, now }),
  db.d1
    .prepare('UPDATE users SET email_proven_at = coalesce(email_proven_at, ?2) WHERE id = ?1 AND email IS NOT NULL')
    .bind(userId, now),
]

/** What waits for an answer, with the text it is stored as; null = nothing does. */
export async function readEarlierUse(
  { d1 }: Database,
  userId: string,
): Promise<{ text: string; stored: StoredEarlierUse } | null> {
  const text = await d1.prepare('SELECT earlier_use FROM users WHERE id = ?').bind(userId).first<string>('earlier_use')
  return text === null ? null : { text, stored: earlierUseSchema.parse(JSON.parse(text)) }
}
