import type { StoryMark } from '../../shared/briefing/briefing'
import type { Scope } from '../../scope'
import type { Database } from '../../db/database'
import { MINUTE_MS } from '../../shared/dates'

/** A look after this long begins a new visit; looks before that belong to the one under way. */
export const VISIT_GAP_MS = 30 * MINUTE_MS

interface MarkRow {
  key: string
  readAt: number | null
  snoozedUntil: number | null
}

/** What one member has seen and wants to see. Writes are statements for `commit`, but for visits. */
export const briefingStore = ({ d1 }: Database, { workspaceId, actorId }: Scope) => ({
  /**
   * Notes that the member looks now.
   * @returns the instant of the visit before this one (epoch ms); null when this is the first
   */
  async visit(now: number): Promise<number | null> {
    return d1
      .prepare(
        `INSERT INTO briefing_visits (workspace_id, user_id, since, seen_at) VALUES (?1, ?2, NULL, ?3)
         ON CONFLICT (workspace_id, user_id) DO UPDATE SET
           since = CASE WHEN ?3 - seen_at >= ?4 THEN seen_at ELSE since END, seen_at = max(seen_at, ?3)
         RETURNING since`,
      )
      .bind(workspaceId, actorId, now, VISIT_GAP_MS)
      .first<number | null>('since')
  },

  /** The visit before, without noting another. */
  async since(): Promise<number | null> {
    return d1
      .prepare('SELECT since FROM briefing_visits WHERE workspace_id = ? AND user_id = ?')
      .bind(workspaceId, actorId)
      .first<number | null>('since')
  },

  async marks(): Promise<{ marks: Map<string, StoryMark>; lessOf: Set<string> }> {
    const statement = (sql: string) => d1.prepare(sql).bind(workspaceId, actorId)
    const [marks, kinds] = await Promise.all([
      statement(
        'SELECT key, read_at AS readAt, snoozed_until AS snoozedUntil FROM briefing_marks WHERE workspace_id = ? AND user_id = ?',
      ).all<MarkRow>(),
      statement('SELECT kind FROM briefing_kinds WHERE workspace_id = ? AND user_id = ?').all<{ kind: string }>(),
    ])
    return {
      marks: new Map(marks.results.map(({ key, ...mark }) => [key, mark])),
      lessOf: new Set(kinds.results.map(({ kind }) => kind)),
    }
  },

  /** The same of all findings of a story. */
  mark: (keys: readonly string[], { readAt, snoozedUntil }: StoryMark, now: number): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO briefing_marks (workspace_id, user_id, key, read_at, snoozed_until, updated_at)
         SELECT ?1, ?2, value, ?4, ?5, ?6 FROM json_each(?3) WHERE true
         ON CONFLICT (workspace_id, user_id, key) DO UPDATE
           SET read_at = excluded.read_at, snoozed_until = excluded.snoozed_until, updated_at = excluded.updated_at`,
      )
      .bind(workspaceId, actorId, JSON.stringify(keys), readAt, snoozedUntil, now),

  lessOf: (kind: string, on: boolean, now: number): D1PreparedStatement =>
    on
      ? d1
          .prepare('INSERT OR IGNORE INTO briefing_kinds (workspace_id, user_id, kind, updated_at) VALUES (?, ?, ?, ?)')
          .bind(workspaceId, actorId, kind, now)
      : d1
          .prepare('DELETE FROM briefing_kinds WHERE workspace_id = ? AND user_id = ? AND kind = ?')
          .bind(workspaceId, actorId, kind),
})

/** Marks of findings that nobody has found for so long do not come back. */
export async function purgeBriefingMarks({ d1 }: Database, before: number): Promise<void> {
  await d1
    .prepare(
      `DELETE FROM briefing_marks WHERE updated_at <= ?1
       AND NOT EXISTS (SELECT 1 FROM findings f WHERE f.workspace_id = briefing_marks.workspace_id AND f.key = briefing_marks.key)`,
    )
    .bind(before)
    .run()
}
