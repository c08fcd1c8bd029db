import type { ProviderIdentity } from './provider-identity'
import { toIso } from '../../lib/iso'
import type { Database } from '../../db/database'
import { firstProofStatements } from '../../identity/earlier-use-store'
import type { IdentityProvider, ConnectedAccount } from '../../shared/account'

/** Somebody whom a provider named before. */
export interface LinkedUser {
  id: string
  userId: string
  epoch: number
  disabled: boolean
}

/** Sign-ins with providers, before anyone is signed in: looked up by issuer and subject only. */
export const oauthStore = (db: Database, { d1 } = db) => ({
  async find({ issuer, subject }: ProviderIdentity): Promise<LinkedUser | null> {
    const row = await d1
      .prepare(
        `SELECT a.id, a.user_id, u.epoch, u.disabled_at FROM accounts a JOIN users u ON u.id = a.user_id
         WHERE a.issuer = ? AND a.subject = ?`,
      )
      .bind(issuer, subject)
      .first<{ id: string; user_id: string; epoch: number; disabled_at: number | null }>()
    return row && { id: row.id, userId: row.user_id, epoch: row.epoch, disabled: row.disabled_at !== null }
  },

  /** Changes no row when somebody has the address, or the provider named this person before. */
  insertUser(user: { id: string; identity: ProviderIdentity; now: number }): D1PreparedStatement {
    const { identity, id, now } = user
    const { name, issuer, subject } = identity
    const email = identity.proven ? identity.email : null
    return d1
      .prepare(
        `INSERT INTO users (id, email, email_proven_at, name, onboarding, terms_accepted_at, created_at)
         SELECT ?1, ?2, ?3, ?4, 'workspace', ?5, ?5
         WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE issuer = ?6 AND subject = ?7)
         ON CONFLICT (email) DO NOTHING`,
      )
      .bind(id, email, email === null ? null : now, name, now, issuer, subject)
  },

  insertAccount(account: { id: string; userId: string; identity: ProviderIdentity; now: number }): D1PreparedStatement {
    const { id, userId, identity, now } = account
    const { provider, issuer, subject, email, proven } = identity
    return d1
      .prepare(
        `INSERT INTO accounts (id, provider, issuer, subject, user_id, email, email_proven, created_at, last_used_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)`,
      )
      .bind(id, provider, issuer, subject, userId, email, proven ? 1 : 0, now)
  },

  /** As {@link insertAccount}; changes no row when the session is gone or the provider's person is connected already. */
  connect(account: { id: string; userId: string; sessionHash: string; identity: ProviderIdentity; now: number }) {
    const { id, userId, sessionHash, identity, now } = account
    const { provider, issuer, subject, email, proven } = identity
    return d1
      .prepare(
        `INSERT INTO accounts (id, provider, issuer, subject, user_id, email, email_proven, created_at, last_used_at)
         SELECT ?1, ?2, ?3, ?4, u.id, ?5, ?6, ?7, ?7
         FROM sessions s JOIN users u ON u.id = s.user_id AND u.epoch = s.epoch AND u.disabled_at IS NULL
         WHERE s.hash = ?8 AND u.id = ?9
         ON CONFLICT (issuer, subject) DO NOTHING`,
      )
      .bind(id, provider, issuer, subject, email, proven ? 1 : 0, now, sessionHash, userId)
  },

  /** Changes no row when the person was disabled, or the sign-in removed, meanwhile. */
  recordUse(linkedUser: LinkedUser, { email, proven }: ProviderIdentity, now: number): D1PreparedStatement {
    return d1
      .prepare(
        `UPDATE accounts SET last_used_at = ?2, email = ?3, email_proven = ?4
         WHERE id = ?1 AND EXISTS (SELECT 1 FROM users WHERE id = ?5 AND epoch = ?6 AND disabled_at IS NULL)`,
      )
      .bind(linkedUser.id, now, email, proven ? 1 : 0, linkedUser.userId, linkedUser.epoch)
  },

  /**
   * A proven address becomes that of a person who has none, and proves the same one typed before: whoever typed it may
   * be another person, so that only the session and the sign-in that bring the proof go on.
   */
  adoptEmail(
    { email, proven }: ProviderIdentity,
    to: { userId: string; accountId: string; sessionHash: string; now: number },
  ): D1PreparedStatement[] {
    if (!proven || email === null) return []
    const { userId, now } = to
    return [
      ...firstProofStatements(db, { ...to, email }),
      d1
        .prepare('UPDATE users SET password_hash = NULL WHERE id = ?1 AND email = ?2 AND email_proven_at IS NULL')
        .bind(userId, email),
      d1
        .prepare(
          `UPDATE OR IGNORE users SET email = ?2, email_proven_at = ?3
           WHERE id = ?1 AND (email IS NULL OR (email = ?2 AND email_proven_at IS NULL))`,
        )
        .bind(userId, email, now),
    ]
  },
})

/** One person's own ways in. */
export const signInMethodStore = ({ d1 }: Database, userId: string) => ({
  async list(): Promise<{ password: boolean; accounts: ConnectedAccount[] }> {
    const [user, accounts] = await d1.batch<AccountRow & { password: number }>([
      d1.prepare('SELECT password_hash IS NOT NULL AS password FROM users WHERE id = ?').bind(userId),
      d1
        .prepare(
          'SELECT id, provider, email, created_at, last_used_at FROM accounts WHERE user_id = ? ORDER BY created_at, id',
        )
        .bind(userId),
    ])
    return { password: user?.results[0]?.password === 1, accounts: (accounts?.results ?? []).map(toSignInAccount) }
  },

  /** Changes no row when it is the last way in: a password lets nobody in who has no address to type beside it. */
  remove: (id: string): D1PreparedStatement =>
    d1
      .prepare(
        `DELETE FROM accounts WHERE id = ?1 AND user_id = ?2
         AND (EXISTS (SELECT 1 FROM users WHERE id = ?2 AND password_hash IS NOT NULL AND email IS NOT NULL)
           OR (SELECT count(*) FROM accounts WHERE user_id = ?2) > 1)`,
      )
      .bind(id, userId),
})

interface AccountRow {
  id: string
  provider: IdentityProvider
  email: string | null
  created_at: number
  last_used_at: number
}
const toSignInAccount = (row: AccountRow): ConnectedAccount => ({
  id: row.id,
  provider: row.provider,
  email: row.email,
  connectedAt: toIso(row.created_at),
  lastUsedAt: toIso(row.last_used_at),
})
