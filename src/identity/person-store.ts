import type { Database } from '../db/database'
import { liveSessionSql } from './session-store'

/** What plumbing reads of one person. */
export const personStore = ({ d1 }: Database, userId: string) => ({
  /** Null when there is no such person; `hash` is null for people who sign in otherwise. */
  password: (): Promise<{ hash: string | null } | null> =>
    d1.prepare('SELECT password_hash AS hash FROM users WHERE id = ?').bind(userId).first<{ hash: string | null }>(),

  /** Whether the session still lets the person in: it was read before the body came. */
  holdsSession: async (hash: string): Promise<boolean> =>
    (await d1
      .prepare(`SELECT 1 AS live WHERE ${liveSessionSql({ hash: '?1', user: '?2' })}`)
      .bind(hash, userId)
      .first<{ live: number }>()) !== null,

  async workspaceIds(): Promise<string[]> {
    const { results } = await d1
      .prepare('SELECT workspace_id AS id FROM members WHERE user_id = ?')
      .bind(userId)
      .all<{ id: string }>()
    return results.map(({ id }) => id)
  },
})
