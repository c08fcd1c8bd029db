import { and, asc, eq } from 'drizzle-orm'
import type { Scope } from '../../access/scope'
import type { Database } from '../../db/database'
import { uploadParts, uploads } from '../../db/schema'
import { WORKSPACE_MAX_BYTES } from '../../shared/limits'

export type UploadRow = typeof uploads.$inferSelect
export type PartRow = typeof uploadParts.$inferSelect

// Everything a workspace keeps: rows, files on their way, and originals of loads.
const USED_BYTES = `
  (SELECT coalesce(sum(bytes), 0) FROM datasets WHERE workspace_id = ?1)
  + (SELECT coalesce(sum(size), 0) FROM uploads WHERE workspace_id = ?1)
  + (SELECT coalesce(sum(size), 0) FROM (SELECT max(bytes_total) AS size FROM runs
      WHERE workspace_id = ?1 AND object_key IS NOT NULL
        AND object_key NOT IN (SELECT object_key FROM uploads WHERE workspace_id = ?1) GROUP BY object_key))`

/** Files on their way into one workspace. */
export const uploadStore = ({ orm, d1 }: Database, scope: Scope) => ({
  async get(id: string): Promise<UploadRow | null> {
    const mine = and(eq(uploads.id, id), eq(uploads.workspaceId, scope.workspaceId))
    return (await orm.select().from(uploads).where(mine).get()) ?? null
  },

  parts: (id: string): Promise<PartRow[]> =>
    orm.select().from(uploadParts).where(eq(uploadParts.uploadId, id)).orderBy(asc(uploadParts.number)).all(),

  /** Writes nothing when the workspace would grow past its bytes. */
  insert: (row: Omit<UploadRow, 'workspaceId' | 'contentHash'>): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO uploads (workspace_id, id, user_id, file_name, size, object_key, multipart_id, state, created_at, expires_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 WHERE ${USED_BYTES} + ?5 <= ?11`,
      )
      .bind(
        ...[scope.workspaceId, row.id, row.userId, row.fileName, row.size, row.objectKey],
        ...[row.multipartId, row.state, row.createdAt, row.expiresAt, WORKSPACE_MAX_BYTES],
      ),

  /** Keeps a part that the store has taken; false when the upload is gone or complete by now. */
  async putPart(part: PartRow): Promise<boolean> {
    const done = await d1
      .prepare(
        `INSERT INTO upload_parts (upload_id, number, etag, size, digest)
         SELECT id, ?3, ?4, ?5, ?6 FROM uploads WHERE id = ?2 AND workspace_id = ?1 AND state = 'receiving'
         ON CONFLICT (upload_id, number) DO UPDATE SET etag = excluded.etag, size = excluded.size, digest = excluded.digest`,
      )
      .bind(scope.workspaceId, part.uploadId, part.number, part.etag, part.size, part.digest)
      .run()
    return done.meta.changes > 0
  },

  async clearParts(id: string): Promise<void> {
    await d1.prepare('DELETE FROM upload_parts WHERE upload_id = ?').bind(id).run()
  },

  complete: (id: string, contentHash: string): D1PreparedStatement =>
    d1
      .prepare("UPDATE uploads SET state = 'complete', content_hash = ?3 WHERE id = ?2 AND workspace_id = ?1")
      .bind(scope.workspaceId, id, contentHash),

  /** The first statement removes the upload, the second its parts. */
  remove: (id: string): D1PreparedStatement[] => [
    d1.prepare('DELETE FROM uploads WHERE id = ?2 AND workspace_id = ?1').bind(scope.workspaceId, id),
    d1.prepare('DELETE FROM upload_parts WHERE upload_id = ?').bind(id),
  ],

  /** Whether a load has taken the file over: its object then outlives the upload. */
  async isLoaded(objectKey: string): Promise<boolean> {
    const found = await d1.prepare('SELECT 1 AS found FROM runs WHERE object_key = ? LIMIT 1').bind(objectKey).first()
    return found !== null
  },
})

/** Uploads of all workspaces whose time is over. For the scheduled sweep only. */
export const expiredUploads = ({ d1 }: Database, now: number, limit: number) =>
  d1
    .prepare(
      `SELECT u.id, u.object_key AS objectKey, u.multipart_id AS multipartId, u.state,
         EXISTS (SELECT 1 FROM runs r WHERE r.object_key = u.object_key) AS loaded
       FROM uploads u WHERE u.expires_at <= ? ORDER BY u.expires_at LIMIT ?`,
    )
    .bind(now, limit)
    .all<{ id: string; objectKey: string; multipartId: string | null; state: UploadRow['state']; loaded: number }>()

export const forgetUpload = ({ d1 }: Database, id: string) =>
  d1.batch([
    d1.prepare('DELETE FROM uploads WHERE id = ?').bind(id),
    d1.prepare('DELETE FROM upload_parts WHERE upload_id = ?').bind(id),
  ])
