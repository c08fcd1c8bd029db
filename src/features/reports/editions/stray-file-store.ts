import type { Database } from '../../../db/database'

/** Files of editions that were stored before their edition was: after a failure one may be without any. */
export const strayFileStore = ({ d1 }: Database) => ({
  add: (file: { id: string; workspaceId: string; dueAt: number }): Promise<unknown> =>
    d1
      .prepare('INSERT INTO edition_files (id, workspace_id, due_at) VALUES (?, ?, ?)')
      .bind(file.id, file.workspaceId, file.dueAt)
      .run(),

  /** Those whose time has come, the longest due first; `kept`: the edition is there. */
  async due(now: number, limit: number): Promise<{ id: string; workspaceId: string; kept: boolean }[]> {
    const { results } = await d1
      .prepare(
        `SELECT f.id, f.workspace_id AS workspaceId, EXISTS (SELECT 1 FROM report_editions WHERE id = f.id) AS kept
         FROM edition_files f WHERE f.due_at <= ? ORDER BY f.due_at LIMIT ?`,
      )
      .bind(now, limit)
      .all<{ id: string; workspaceId: string; kept: number }>()
    return results.map((row) => ({ ...row, kept: row.kept === 1 }))
  },

  remove: (ids: readonly string[]): Promise<unknown> =>
    d1
      .prepare('DELETE FROM edition_files WHERE id IN (SELECT value FROM json_each(?))')
      .bind(JSON.stringify(ids))
      .run(),
})
