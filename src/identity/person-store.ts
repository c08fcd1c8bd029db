import type { PasswordContext } from './guessable-password'
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

  /** What anybody may know of the person. */
  async names(): Promise<Pick<PasswordContext, 'name' | 'email' | 'workspaces'>> {
    const row = await d1
      .prepare(
        `SELECT u.name, u.email, (SELECT json_group_array(w.name) FROM members m
           JOIN workspaces w ON w.id = m.workspace_id WHERE m.user_id = u.id) AS workspaces FROM users u WHERE u.id = ?`,
      )
      .bind(userId)
      .first<{ name: string; email: string | null; workspaces: string }>()
    const workspaces: string[] = JSON.parse(row?.workspaces ?? '[]')
    return { name: row?.name ?? '', email: row?.email ?? null, workspaces }
  },

  async workspaceIds(): Promise<string[]> {
    const { results } = await d1
      .prepare('SELECT workspace_id AS id FROM members WHERE user_id = ?')
      .bind(userId)
      .all<{ id: string }>()
    return results.map(({ id }) => id)
  },
})
