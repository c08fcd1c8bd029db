import type { Database } from '../../db/database'

export interface UserCredentials {
  userId: string
  epoch: number
  passwordHash: string | null
}

/** Accounts before anyone is signed in: looked up by the canonical address only. */
export const userStore = ({ d1 }: Database) => ({
  byEmail: (email: string): Promise<UserCredentials | null> =>
    d1
      .prepare(
        'SELECT id AS userId, epoch, password_hash AS passwordHash FROM users WHERE email = ? AND disabled_at IS NULL',
      )
      .bind(email)
      .first<UserCredentials>(),

  /** Changes no row when the address is taken. */
  insert(account: { id: string; email: string; name: string; passwordHash: string; now: number }): D1PreparedStatement {
    const { id, email, name, passwordHash, now } = account
    return d1
      .prepare(
        `INSERT INTO users (id, email, name, password_hash, onboarding, terms_accepted_at, created_at)
         VALUES (?1, ?2, ?3, ?4, 'workspace', ?5, ?5) ON CONFLICT (email) DO NOTHING`,
      )
      .bind(id, email, name, passwordHash, now)
  },

  /** The first steps are done. */
  completeOnboarding: (userId: string): D1PreparedStatement =>
    d1.prepare("UPDATE users SET onboarding = 'done' WHERE id = ?").bind(userId),

  /** Replaces a hash made with other parameters, unless the password was changed meanwhile. */
  replaceHash: (userId: string, before: string, after: string): D1PreparedStatement =>
    d1.prepare('UPDATE users SET password_hash = ?3 WHERE id = ?1 AND password_hash = ?2').bind(userId, before, after),
})
