import { and, asc, desc, eq, isNull } from 'drizzle-orm'
import type { Database } from '../../db/database'
import { accounts, sessions, users } from '../../db/schema'
import { IDENTITY_PROVIDER_NAMES } from '../../shared/account'

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

const CONTACT_COLUMNS = {
  userId: users.id,
  epoch: users.epoch,
  email: users.email,
  emailProvenAt: users.emailProvenAt,
  passwordHash: users.passwordHash,
}

/** People as those see them who are not signed in: by address, or by the link that a mail brought. */
export const userContactStore = ({ orm }: Database) => {
  const find = async (condition: ReturnType<typeof eq>): Promise<UserContact | null> => {
    const row = await orm
      .select(CONTACT_COLUMNS)
      .from(users)
      .where(and(condition, isNull(users.disabledAt)))
      .get()
    if (!row) return null
    const { passwordHash, ...rest } = row
    return { ...rest, hasPassword: passwordHash !== null }
  }
  return {
    byEmail: (email: string): Promise<UserContact | null> => find(eq(users.email, email)),
    byId: (userId: string): Promise<UserContact | null> => find(eq(users.id, userId)),
  }
}

/** What lets one person in: password, providers, sessions. */
export const credentialStore = ({ orm, d1 }: Database, userId: string) => ({
  /** Names of the providers this person signs in with. */
  async providers(): Promise<string[]> {
    const rows = await orm
      .select({ provider: accounts.provider })
      .from(accounts)
      .where(eq(accounts.userId, userId))
      .orderBy(asc(accounts.createdAt))
    return [...new Set(rows.map(({ provider }) => IDENTITY_PROVIDER_NAMES[provider]))]
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

  /**
   * A link that came to the address proves it. Until then anybody might have registered it: providers connected before
   * the first proof are not its owner's.
   */
  markEmailProven: (now: number): D1PreparedStatement[] => [
    d1
      .prepare('DELETE FROM accounts WHERE user_id = (SELECT id FROM users WHERE id = ? AND email_proven_at IS NULL)')
      .bind(userId),
    d1
      .prepare('UPDATE users SET email_proven_at = coalesce(email_proven_at, ?2) WHERE id = ?1 AND email IS NOT NULL')
      .bind(userId, now),
  ],

  sessions: () =>
    orm
      .select({
        hash: sessions.hash,
        userAgent: sessions.userAgent,
        country: sessions.country,
        createdAt: sessions.createdAt,
        lastSeenAt: sessions.lastSeenAt,
        epoch: sessions.epoch,
      })
      .from(sessions)
      .where(eq(sessions.userId, userId))
      .orderBy(desc(sessions.createdAt), asc(sessions.hash)),
})
