import { hiddenThings, isVisibleSql } from '../../identity/access/hidden-things-store'
import { toIso, toIsoOrNull } from '../../lib/iso'
import type { Scope } from '../../scope'
import type { Database } from '../../db/database'
import { NOTES_MAX, type NoteBucket, type Note } from '../../shared/notes'
import { picturePath } from '../../shared/pictures'

/** A note without what depends on who asks. */
export type StoredNote = Omit<Note, 'mayEdit' | 'mayDelete'>
type NoteRow = Omit<StoredNote, 'mentions' | 'bucket' | 'createdAt' | 'editedAt'> & {
  mentions: string
  bucket: string | null
  grain: NoteBucket['grain'] | null
  createdAt: number
  editedAt: number | null
}
const toStoredNote = ({ grain, ...row }: NoteRow): StoredNote => ({
  ...row,
  mentions: JSON.parse(row.mentions),
  bucket: row.bucket !== null && grain !== null ? { start: row.bucket, grain } : null,
  authorAvatar: picturePath(row.authorAvatar),
  createdAt: toIso(row.createdAt),
  editedAt: toIsoOrNull(row.editedAt),
})
const SELECT = `SELECT n.id, n.insight_id AS insightId, n.body,
    (SELECT json_group_array(json_object('userId', p.id, 'name', p.name))
     FROM json_each(n.mentions) named JOIN users p ON p.id = named.value) AS mentions,
    n.bucket, n.grain, n.author_id AS authorId, u.name AS authorName, u.avatar_key AS authorAvatar,
    n.version, n.created_at AS createdAt, n.edited_at AS editedAt
  FROM notes n JOIN users u ON u.id = n.author_id
  JOIN insights i ON i.id = n.insight_id AND i.deleted_at IS NULL
  WHERE n.workspace_id = ?1`

/** What people say of the insights of one workspace. Writes are statements for `commit`. */
export const noteStore = ({ d1 }: Database, scope: Scope) => {
  const { workspaceId, actorId } = scope
  return {
    /** The name of a live insight; null for every other. */
    insightName: async (id: string): Promise<string | null> =>
      d1
        .prepare(
          `SELECT name FROM insights WHERE workspace_id = ?1 AND id = ?2 AND deleted_at IS NULL AND ${isVisibleSql('id', '?3')}`,
        )
        .bind(workspaceId, id, await hiddenThings({ d1 }, scope))
        .first<string>('name'),

    /** The oldest first. */
    async list(insightId: string): Promise<StoredNote[]> {
      const { results } = await d1
        .prepare(`${SELECT} AND n.insight_id = ?2 AND ${isVisibleSql('i.id', '?3')} ORDER BY n.created_at, n.id`)
        .bind(workspaceId, insightId, await hiddenThings({ d1 }, scope))
        .all<NoteRow>()
      return results.map(toStoredNote)
    },

    async get(id: string): Promise<StoredNote | null> {
      const row = await d1
        .prepare(`${SELECT} AND n.id = ?2 AND ${isVisibleSql('i.id', '?3')}`)
        .bind(workspaceId, id, await hiddenThings({ d1 }, scope))
        .first<NoteRow>()
      return row && toStoredNote(row)
    },

    /** Inserts no row when the insight is gone or holds all the notes it may. */
    insert: (note: StoredNote, now: number): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO notes (id, workspace_id, insight_id, bucket, grain, body, mentions, author_id, created_at)
         SELECT ?2, ?1, ?3, ?4, ?5, ?6, ?7, ?8, ?9
         WHERE EXISTS (SELECT 1 FROM insights WHERE id = ?3 AND workspace_id = ?1 AND deleted_at IS NULL)
           AND (SELECT count(*) FROM notes WHERE insight_id = ?3) < ${NOTES_MAX}`,
        )
        .bind(
          ...[workspaceId, note.id, note.insightId, note.bucket?.start ?? null, note.bucket?.grain ?? null],
          ...[note.body, mentionIds(note), actorId, now],
        ),

    /** Changes no row when another version is stored, or it is not the person's own. */
    update: (note: StoredNote, at: { version: number; now: number }): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE notes SET body = ?5, mentions = ?6, edited_at = ?7, version = version + 1
         WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND author_id = ?4`,
        )
        .bind(workspaceId, note.id, at.version, actorId, note.body, mentionIds(note), at.now),

    /** Changes no row when another version is stored, or it is neither the person's own nor `any` may be deleted. */
    remove: (id: string, at: { version: number; any: boolean }): D1PreparedStatement =>
      d1
        .prepare(
          `DELETE FROM notes WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND (author_id = ?4 OR ?5 = 1)`,
        )
        .bind(workspaceId, id, at.version, actorId, at.any ? 1 : 0),
  }
}

const mentionIds = ({ mentions }: StoredNote): string => JSON.stringify(mentions.map(({ userId }) => userId))
