import { z } from 'zod'
import type { Database } from '../../db/database'
import { IDENTITY_PROVIDER_NAMES, type IdentityProvider } from '../../shared/account'
import { endedMembershipStore } from '../../identity/ended-membership-store'
import { markEmailProvenStatements } from '../../identity/earlier-use-store'
import { liveSessionSql } from '../../identity/session-store'
import { handOverSql, PERSONAL_TABLES, removeAlertReceiverSql } from '../../identity/ownership'

/** What a mail about an account needs to know of it. */
export interface UserContact {
  userId: string
  epoch: number
  email: string | null
  emailProvenAt: number | null
  hasPassword: boolean
}

/** Stands in for a person where there is none, so that the same statements run. */
export const UNKNOWN_USER_ID = 'usr_nobody'

/** People as those see them who are not signed in: by address, or by the link that a mail brought. */
export const userContactStore = ({ d1 }: Database) => {
  const find = async (column: 'id' | 'email', value: string): Promise<UserContact | null> => {
    const row = await d1
      .prepare(
        `SELECT id AS userId, epoch, email, email_proven_at AS emailProvenAt, password_hash IS NOT NULL AS hasPassword
         FROM users WHERE ${column} = ? AND disabled_at IS NULL`,
      )
      .bind(value)
      .first<Omit<UserContact, 'hasPassword'> & { hasPassword: number }>()
    return row && { ...row, hasPassword: row.hasPassword === 1 }
  }
  return {
    byEmail: (email: string): Promise<UserContact | null> => find('email', email),
    byId: (userId: string): Promise<UserContact | null> => find('id', userId),
  }
}

interface SessionRow {
  hash: string
  userAgent: string | null
  country: string | null
  createdAt: number
  lastSeenAt: number
  epoch: number
}

/** What lets one person in: password, providers, sessions. */
export const credentialStore = ({ d1 }: Database, userId: string) => ({
  /** Names of the providers this person signs in with. */
  async providers(): Promise<string[]> {
    const { results } = await d1
      .prepare('SELECT provider FROM accounts WHERE user_id = ? ORDER BY created_at')
      .bind(userId)
      .all<{ provider: IdentityProvider }>()
    return [...new Set(results.map(({ provider }) => IDENTITY_PROVIDER_NAMES[provider]))]
  },

  /** A new password, which every other session ends with. Changes no row when the rights changed meanwhile. */
  setPassword: (hash: string, epoch: number): D1PreparedStatement =>
    d1
      .prepare(
        'UPDATE users SET password_hash = ?3, epoch = epoch + 1 WHERE id = ?1 AND epoch = ?2 AND disabled_at IS NULL',
      )
      .bind(userId, epoch, hash),

  /** No password any more; rights from before end. */
  clearPassword: (): D1PreparedStatement =>
    d1.prepare('UPDATE users SET password_hash = NULL, epoch = epoch + 1 WHERE id = ?').bind(userId),

  async sessions(): Promise<SessionRow[]> {
    const { results } = await d1
      .prepare(
        `SELECT hash, user_agent AS userAgent, country, created_at AS createdAt, last_seen_at AS lastSeenAt, epoch
         FROM sessions WHERE user_id = ? ORDER BY created_at DESC, hash`,
      )
      .bind(userId)
      .all<SessionRow>()
    return results
  },
})

/** The proof of one person's address by the link of the mail that went there. */
export const emailProofStore = (db: Database, userId: string) => ({
  /** Changes no row when the link was used, or the person has another address by now. */
  consume: (id: string, now: number): D1PreparedStatement =>
    db.d1
      .prepare(
        `UPDATE links SET used_at = ?3 WHERE id = ?1 AND user_id = ?2 AND used_at IS NULL AND expires_at > ?3
           AND EXISTS (SELECT 1 FROM users WHERE id = ?2 AND disabled_at IS NULL
             AND email = json_extract(links.payload, '$.email'))`,
      )
      .bind(id, userId, now),
  markProven: (now: number): D1PreparedStatement[] => markEmailProvenStatements(db, userId, now),
})

/** What both links of one change of address share. `asksOld`: the address of today confirms too, as it is proven. */
const emailChangePayloadSchema = z.object({
  change: z.string(),
  email: z.string(),
  oldEmail: z.string().nullable(),
  asksOld: z.boolean().default(true),
})
export type EmailChangePayload = z.infer<typeof emailChangePayloadSchema>
export const parseEmailChangePayload = (payload: unknown): EmailChangePayload => emailChangePayloadSchema.parse(payload)

export interface PendingEmailChange extends EmailChangePayload {
  oldConfirmed: boolean
  newConfirmed: boolean
  expiresAt: number
}

const IS_EMAIL_CHANGE_LINK = "kind IN ('email_old', 'email_new')"
/** Whether the other side of the link's change is still to be confirmed. */
const OTHER_LINK_PENDING = `EXISTS (SELECT 1 FROM links o WHERE o.user_id = links.user_id AND o.id <> links.id AND o.${IS_EMAIL_CHANGE_LINK}
  AND json_extract(o.payload, '$.change') = json_extract(links.payload, '$.change') AND o.used_at IS NULL)`

/** The change of one person's address. Writes are statements for `commit`. */
export const emailChangeStore = ({ d1 }: Database, userId: string) => ({
  /** Whether a change can still happen: the address is the one it was asked for, and no more proven than then. */
  async isOpen({ oldEmail, asksOld }: EmailChangePayload): Promise<boolean> {
    const row = await d1
      .prepare(
        'SELECT 1 FROM users WHERE id = ? AND disabled_at IS NULL AND email IS ? AND (? OR email IS NULL OR email_proven_at IS NULL)',
      )
      .bind(userId, oldEmail, asksOld ? 1 : 0)
      .first()
    return row !== null
  },

  /** Changes nothing. No row counts as changed for a session that ended, or rights that changed, since it was read. */
  begin: ({ sessionHash, epoch }: { sessionHash: string; epoch: number }): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE users SET epoch = epoch WHERE id = ?1 AND epoch = ?2 AND ${liveSessionSql({ hash: '?3', user: '?1' })}`,
      )
      .bind(userId, epoch, sessionHash),

  /** The change under way: the newest of which a side is still open. */
  async pending(now: number): Promise<PendingEmailChange | null> {
    const { results } = await d1
      .prepare(
        `SELECT kind, payload, used_at, expires_at FROM links WHERE user_id = ? AND ${IS_EMAIL_CHANGE_LINK} AND expires_at > ?
         ORDER BY created_at DESC, id`,
      )
      .bind(userId, now)
      .all<{ kind: string; payload: string; used_at: number | null; expires_at: number }>()
    const links = results.map((row) => ({ ...row, ...parseEmailChangePayload(JSON.parse(row.payload)) }))
    const open = links.find(({ used_at: usedAt }) => usedAt === null)
    if (!open) return null
    const confirmed = (kind: string): boolean =>
      links.some((side) => side.change === open.change && side.kind === kind && side.used_at !== null)
    const { change, email, oldEmail, asksOld, expires_at: expiresAt } = open
    const isOldConfirmed = oldEmail === null || !asksOld || confirmed('email_old')
    const both = { oldConfirmed: isOldConfirmed, newConfirmed: confirmed('email_new') }
    return { change, email, oldEmail, asksOld, ...both, expiresAt }
  },

  /**
   * Uses one side's link up, while the other side is open (`last` false) or done. Changes no row otherwise, nor when the
   * address was proven since and its reader not asked.
   */
  confirm: (link: { id: string; last: boolean; now: number }): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE links SET used_at = ?1 WHERE id = ?2 AND user_id = ?3 AND used_at IS NULL AND expires_at > ?1
           AND ${OTHER_LINK_PENDING} = ?4
           AND EXISTS (SELECT 1 FROM users WHERE id = ?3 AND disabled_at IS NULL
             AND email IS json_extract(links.payload, '$.oldEmail')
             AND (coalesce(json_extract(links.payload, '$.asksOld'), 1) OR email IS NULL OR email_proven_at IS NULL))`,
      )
      .bind(link.now, link.id, userId, link.last ? 0 : 1),

  /** Fails on the unique index when the address is somebody else's by now. */
  setEmail: (email: string, now: number): D1PreparedStatement =>
    d1.prepare('UPDATE users SET email = ?2, email_proven_at = ?3 WHERE id = ?1').bind(userId, email, now),
})

/** Whether a write failed because the address belongs to somebody else. */
export const isEmailTaken = (error: unknown): boolean =>
  error instanceof Error && /UNIQUE constraint failed: users\.email/.test(error.message)

const HAS_OTHER_MEMBERS = 'EXISTS (SELECT 1 FROM members o WHERE o.workspace_id = m.workspace_id AND o.user_id <> ?1)'
const HAS_OTHER_OWNER = `EXISTS (SELECT 1 FROM members o JOIN users u ON u.id = o.user_id AND u.disabled_at IS NULL
  WHERE o.workspace_id = m.workspace_id AND o.user_id <> ?1 AND o.role = 'owner' AND o.status = 'active')`
const MEMBERSHIPS =
  'FROM members m JOIN workspaces w ON w.id = m.workspace_id AND w.deleted_at IS NULL WHERE m.user_id = ?1'
/** Others are in it, and nobody else owns it. */
const SOLE_OWNER_OF_SHARED = `${MEMBERSHIPS} AND m.role = 'owner' AND ${HAS_OTHER_MEMBERS} AND NOT ${HAS_OTHER_OWNER}`
/** Nobody else is in it. */
const SOLE_MEMBER = `${MEMBERSHIPS} AND NOT ${HAS_OTHER_MEMBERS}`
/** Who inherits what the person owned in the workspace of the row `t`: the owner of the longest standing. */
const HEIR = `(SELECT o.user_id FROM members o JOIN users u ON u.id = o.user_id AND u.disabled_at IS NULL
  WHERE o.workspace_id = t.workspace_id AND o.user_id <> ?1 AND o.role = 'owner' AND o.status = 'active'
  ORDER BY o.created_at, o.user_id LIMIT 1)`

/** Condition on a row: it is of a workspace that goes on without the person. */
const IN_REMAINING_WORKSPACE = `workspace_id IN (SELECT m.workspace_id FROM members m WHERE m.user_id = ?1 AND ${HAS_OTHER_MEMBERS})`

export interface NamedWorkspace {
  id: string
  name: string
}

/** The end of one person's account. Writes are statements for `commit`, in the order given here. */
export const accountDeletionStore = (db: Database, userId: string, { d1 } = db) => {
  const listWorkspaces = async (which: string): Promise<NamedWorkspace[]> => {
    const { results } = await d1
      .prepare(`SELECT w.id, w.name ${which} ORDER BY w.name, w.id`)
      .bind(userId)
      .all<NamedWorkspace>()
    return results
  }
  const statement = (sql: string, ...values: (string | number | null)[]) => d1.prepare(sql).bind(userId, ...values)
  return {
    sharedWorkspacesWithSoleOwner: () => listWorkspaces(SOLE_OWNER_OF_SHARED),
    soleMemberWorkspaces: () => listWorkspaces(SOLE_MEMBER),
    /** Workspaces that go on without the person. */
    remainingWorkspaces: () => listWorkspaces(`${MEMBERSHIPS} AND ${HAS_OTHER_MEMBERS}`),

    /** Closes the account and frees its address. Changes no row while a workspace would be left without an owner. */
    closeAccount: (at: { epoch: number; now: number }): D1PreparedStatement =>
      statement(
        `UPDATE users SET deleted_at = ?3, disabled_at = ?3, email = NULL, email_proven_at = NULL, epoch = epoch + 1
         WHERE id = ?1 AND epoch = ?2 AND disabled_at IS NULL AND NOT EXISTS (SELECT 1 ${SOLE_OWNER_OF_SHARED})`,
        at.epoch,
        at.now,
      ),

    /** Workspaces that nobody else is in are held as deleted ones, and their loads end; everything else is handed over. */
    transferOwnership: (now: number): D1PreparedStatement[] => [
      statement(
        `UPDATE workspaces SET deleted_at = ?2, deleted_by = ?1, version = version + 1
         WHERE id IN (SELECT w.id ${SOLE_MEMBER})`,
        now,
      ),
      statement(
        `UPDATE runs SET state = 'cancelled', finished_at = ?2 WHERE state IN ('queued', 'running')
           AND workspace_id IN (SELECT id FROM workspaces WHERE deleted_by = ?1 AND deleted_at = ?2)`,
        now,
      ),
      ...handOverSql(HEIR).map(({ table, set }) =>
        statement(`UPDATE ${table} AS t SET ${set} WHERE owner_id = ?1 AND ${HEIR} IS NOT NULL`),
      ),
      // Loads under way go on with the rights of who inherits.
      statement(
        `UPDATE runs AS t SET actor_id = ${HEIR}
         WHERE actor_id = ?1 AND state IN ('queued', 'running') AND ${HEIR} IS NOT NULL`,
      ),
    ],

    /** Leaves every workspace in which somebody stays; those nobody else is in can come back with the person. */
    leaveWorkspaces: (now: number): D1PreparedStatement[] => [
      endedMembershipStore(db, userId).noteDeletedAccount(HAS_OTHER_MEMBERS, now),
      // Whoever edits a group's list meanwhile is told that it has changed.
      statement(
        `UPDATE user_groups SET version = version + 1 WHERE deleted_at IS NULL
           AND id IN (SELECT group_id FROM group_members WHERE user_id = ?1) AND ${IN_REMAINING_WORKSPACE}`,
      ),
      statement(
        `DELETE FROM group_members WHERE user_id = ?1 AND group_id IN (SELECT g.id FROM user_groups g
           JOIN members m ON m.workspace_id = g.workspace_id AND m.user_id = ?1 WHERE ${HAS_OTHER_MEMBERS})`,
      ),
      ...PERSONAL_TABLES.map((table) =>
        statement(`DELETE FROM ${table} WHERE user_id = ?1 AND ${IN_REMAINING_WORKSPACE}`),
      ),
      statement(removeAlertReceiverSql('?1', IN_REMAINING_WORKSPACE)),
      statement('DELETE FROM ownership_offers WHERE from_user = ?1 OR to_user = ?1'),
      statement(`DELETE FROM members WHERE user_id = ?1 AND ${IN_REMAINING_WORKSPACE}`),
    ],

    /** Uses the link up, unless its address is taken and the person would have no way in. */
    consumeUndeleteLink: (link: { id: string; email: string; now: number }): D1PreparedStatement =>
      statement(
        `UPDATE links SET used_at = ?4 WHERE id = ?2 AND user_id = ?1 AND used_at IS NULL AND expires_at > ?4
           AND EXISTS (SELECT 1 FROM users WHERE id = ?1 AND deleted_at IS NOT NULL)
           AND (NOT EXISTS (SELECT 1 FROM users WHERE email = ?3) OR EXISTS (SELECT 1 FROM accounts WHERE user_id = ?1))`,
        link.id,
        link.email,
        link.now,
      ),

    /** Brings back the person, with the address unless somebody else has it, and the workspaces that went along. */
    restoreAccount: (
      was: { email: string; provenAt: number | null; deletedAt: number },
      now: number,
    ): D1PreparedStatement[] => [
      statement(
        `UPDATE workspaces SET deleted_at = NULL, deleted_by = NULL, version = version + 1
         WHERE deleted_by = ?1 AND deleted_at = ?2`,
        was.deletedAt,
      ),
      // Who was also disabled by the operator meanwhile stays so.
      statement(
        `UPDATE users SET deleted_at = NULL, disabled_at = nullif(disabled_at, deleted_at),
           email = CASE WHEN t.taken THEN NULL ELSE ?2 END, email_proven_at = CASE WHEN t.taken THEN NULL ELSE ?3 END
         FROM (SELECT EXISTS (SELECT 1 FROM users WHERE email = ?2) AS taken) t WHERE id = ?1`,
        was.email,
        was.provenAt,
      ),
      ...endedMembershipStore(db, userId).restore(was.deletedAt, now),
    ],
  }
}

/** What a person who is gone is called. */
const DELETED_PERSON_NAME = 'Deleted person'

/** People deleted at or before `before` of whom something is still known. */
export async function listUsersToAnonymize({ d1 }: Database, before: number, limit: number): Promise<string[]> {
  const { results } = await d1
    .prepare(
      `SELECT id FROM users u WHERE deleted_at <= ? AND (name <> ? OR password_hash IS NOT NULL
         OR EXISTS (SELECT 1 FROM accounts WHERE user_id = u.id) OR EXISTS (SELECT 1 FROM devices WHERE user_id = u.id))
       ORDER BY deleted_at LIMIT ?`,
    )
    .bind(before, DELETED_PERSON_NAME, limit)
    .all<{ id: string }>()
  return results.map(({ id }) => id)
}

/**
 * Forgets who somebody was; what they did stays, without a name. The picture goes with its key. The first statement
 * changes no row when the person came back meanwhile.
 */
export const anonymizeStatements = ({ d1 }: Database, userId: string): D1PreparedStatement[] =>
  [
    `UPDATE users SET name = '${DELETED_PERSON_NAME}', email = NULL, email_proven_at = NULL, password_hash = NULL, job = NULL,
       goals = '[]', locale = NULL, avatar_key = NULL, notifications = '{}', earlier_use = NULL, last_workspace_id = NULL WHERE id = ?1 AND deleted_at IS NOT NULL`,
    'DELETE FROM accounts WHERE user_id = ?1',
    'DELETE FROM devices WHERE user_id = ?1',
    'DELETE FROM links WHERE user_id = ?1',
    'DELETE FROM sessions WHERE user_id = ?1',
    'DELETE FROM access_tokens WHERE user_id = ?1',
    'DELETE FROM connected_apps WHERE user_id = ?1',
    'DELETE FROM invites WHERE accepted_by = ?1',
    'DELETE FROM ended_memberships WHERE user_id = ?1',
    ...PERSONAL_TABLES.map((table) => `DELETE FROM ${table} WHERE user_id = ?1`),
  ].map((sql) => d1.prepare(sql).bind(userId))
