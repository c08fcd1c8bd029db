import { accessFingerprint, hasFullAccess, type Scope } from '../../../scope'
import type { Database } from '../../../db/database'
import { toIso, toIsoOrNull } from '../../../lib/iso'
import { picturePath } from '../../../shared/pictures'
import { COMMENTS_MAX, type ReportComment } from '../../../shared/reports/comments'

/** A comment without what depends on who asks. */
export type StoredComment = Omit<ReportComment, 'mayEdit' | 'mayDelete'>
type CommentRow = Omit<StoredComment, 'mentions' | 'createdAt' | 'editedAt' | 'resolvedAt'> & {
  mentions: string
  createdAt: number
  editedAt: number | null
  resolvedAt: number | null
  isReadable: number
}
const toStoredComment = ({ isReadable: _read, ...row }: CommentRow): StoredComment => ({
  ...row,
  mentions: JSON.parse(row.mentions),
  authorAvatar: picturePath(row.authorAvatar),
  createdAt: toIso(row.createdAt),
  editedAt: toIsoOrNull(row.editedAt),
  resolvedAt: toIsoOrNull(row.resolvedAt),
})

/** Condition: who asks may read it. `?2` their rights, `?3` 1: they see everything, `?4` who (empty: viewing as another). */
const READABLE = `(?3 = 1 OR c.rights = ?2 OR c.audience = 'everyone' OR c.author_id = ?4)`
const SELECT = `SELECT c.id, c.report_id AS reportId, c.block_id AS block, c.body, c.audience,
    (SELECT json_group_array(json_object('userId', p.id, 'name', p.name))
     FROM json_each(c.mentions) named JOIN users p ON p.id = named.value) AS mentions,
    c.author_id AS authorId, u.name AS authorName, u.avatar_key AS authorAvatar,
    c.version, c.created_at AS createdAt, c.edited_at AS editedAt,
    c.resolved_at AS resolvedAt, d.name AS resolvedByName, ${READABLE} AS isReadable
  FROM report_comments c JOIN users u ON u.id = c.author_id LEFT JOIN users d ON d.id = c.resolved_by
  WHERE c.workspace_id = ?1`

/** What people say of the blocks of reports of one workspace. Writes are statements for `commit`. */
export const commentStore = ({ d1 }: Database, scope: Scope) => {
  const { workspaceId, actorId } = scope
  const reader = [workspaceId, accessFingerprint(scope), hasFullAccess(scope) ? 1 : 0, scope.isView ? '' : actorId]
  return {
    /** The oldest first; `withheld`: blocks of those that who asks may not read, one each. */
    async list(report: string): Promise<{ comments: StoredComment[]; withheld: string[] }> {
      const { results } = await d1
        .prepare(`${SELECT} AND c.report_id = ?5 ORDER BY c.created_at, c.id`)
        .bind(...reader, report)
        .all<CommentRow>()
      return {
        comments: results.filter(({ isReadable }) => isReadable === 1).map(toStoredComment),
        withheld: results.filter(({ isReadable }) => isReadable === 0).map(({ block }) => block),
      }
    },

    async get(id: string): Promise<StoredComment | null> {
      const row = await d1
        .prepare(`${SELECT} AND c.id = ?5 AND ${READABLE}`)
        .bind(...reader, id)
        .first<CommentRow>()
      return row && toStoredComment(row)
    },

    async count(report: string): Promise<number> {
      const counted = d1.prepare('SELECT count(*) AS n FROM report_comments WHERE workspace_id = ? AND report_id = ?')
      return (await counted.bind(workspaceId, report).first<number>('n')) ?? 0
    },

    /** Inserts no row when the report is gone or holds all the comments it may. */
    insert: (comment: StoredComment, now: number): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO report_comments
             (id, workspace_id, report_id, block_id, body, mentions, rights, audience, author_id, created_at)
           SELECT ?2, ?1, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10
           WHERE EXISTS (SELECT 1 FROM reports WHERE id = ?3 AND workspace_id = ?1 AND deleted_at IS NULL)
             AND (SELECT count(*) FROM report_comments WHERE report_id = ?3) < ${COMMENTS_MAX}`,
        )
        .bind(
          ...[workspaceId, comment.id, comment.reportId, comment.block, comment.body, mentionIds(comment)],
          ...[accessFingerprint(scope), comment.audience, actorId, now],
        ),

    /** Changes no row when another version is stored, or it is not the person's own. */
    update: (comment: StoredComment, at: { version: number; now: number }): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE report_comments SET body = ?5, mentions = ?6, edited_at = ?7, rights = ?8, version = version + 1
           WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND author_id = ?4`,
        )
        .bind(
          ...[workspaceId, comment.id, at.version, actorId, comment.body, mentionIds(comment), at.now],
          accessFingerprint(scope),
        ),

    /** Changes no row when another version is stored, or it is neither the person's own nor `any` may be deleted. */
    remove: (id: string, at: { version: number; any: boolean }): D1PreparedStatement =>
      d1
        .prepare(
          `DELETE FROM report_comments
           WHERE workspace_id = ?1 AND id = ?2 AND version = ?3 AND (author_id = ?4 OR ?5 = 1)`,
        )
        .bind(workspaceId, id, at.version, actorId, at.any ? 1 : 0),

    /** Of a block, what who asks may read. Changes no row when there is nothing to change. */
    setResolved: (
      at: { report: string; block: string },
      { resolved, now }: { resolved: boolean; now: number },
    ): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE report_comments AS c SET resolved_at = ?7, resolved_by = ?8
           WHERE c.workspace_id = ?1 AND c.report_id = ?5 AND c.block_id = ?6 AND (c.resolved_at IS NULL) = ?9 AND ${READABLE}`,
        )
        .bind(...reader, at.report, at.block, resolved ? now : null, resolved ? actorId : null, resolved ? 1 : 0),
  }
}

const mentionIds = ({ mentions }: StoredComment): string => JSON.stringify(mentions.map(({ userId }) => userId))
