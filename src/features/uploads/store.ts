import type { Scope } from '../../scope'
import type { Database } from '../../db/database'
import { parseRow } from '../../db/rows'
import type { ColumnHint, FileKind, FileWarning, UploadTable } from '../../shared/data-sources/files'
import { mayAnnounceUploadSql, unfinishedUploadsSql } from '../../entitlements/limits'
import { UNFINISHED_UPLOAD_COUNTS_MS, UNFINISHED_UPLOADS_MAX, WORKSPACE_STORED_MAX_BYTES } from '../../shared/limits'

/** What is remembered of a file that was opened; its tables are uploads of their own. */
export interface StoredFileInspection {
  kind: FileKind
  warnings: FileWarning[]
}
/** What is known of one table, beside its text. */
export interface StoredTableInfo extends Omit<UploadTable, 'uploadId'> {
  hints: ColumnHint[]
}
export interface UploadRow {
  id: string
  workspaceId: string
  userId: string
  fileName: string
  size: number
  objectKey: string
  state: 'receiving' | 'complete'
  contentHash: string | null
  createdAt: number
  expiresAt: number
  parentId: string | null
  opened: StoredFileInspection | null
  tableInfo: StoredTableInfo | null
}
export interface NewTableUpload {
  id: string
  size: number
  objectKey: string
  contentHash: string
  info: StoredTableInfo
}
export interface PartRow {
  uploadId: string
  number: number
  size: number
  digest: string
}

const SELECT_UPLOADS = `SELECT id, workspace_id AS workspaceId, user_id AS userId, file_name AS fileName, size,
  object_key AS objectKey, state, content_hash AS contentHash, created_at AS createdAt,
  expires_at AS expiresAt, parent_id AS parentId, opened, table_info AS tableInfo FROM uploads WHERE workspace_id = ?1`
const toUploadRow = (row: Record<string, unknown>): UploadRow => parseRow(row, { json: ['opened', 'tableInfo'] })

// Everything a workspace keeps: rows, files on their way, and originals of loads.
const USED_BYTES_SQL = `
  (SELECT coalesce(sum(bytes), 0) FROM datasets WHERE workspace_id = ?1)
  + (SELECT coalesce(sum(size), 0) FROM uploads WHERE workspace_id = ?1)
  + (SELECT coalesce(sum(size), 0) FROM (SELECT max(bytes_total) AS size FROM runs
      WHERE workspace_id = ?1 AND object_key IS NOT NULL
        AND object_key NOT IN (SELECT object_key FROM uploads WHERE workspace_id = ?1) GROUP BY object_key))`

const sum = (sizes: number[]): number => sizes.reduce((total, size) => total + size, 0)

/** Files on their way into one workspace. */
export const uploadStore = ({ d1 }: Database, scope: Scope) => ({
  async get(id: string): Promise<UploadRow | null> {
    const statement = d1.prepare(`${SELECT_UPLOADS} AND id = ?2`).bind(scope.workspaceId, id)
    const row = await statement.first<Record<string, unknown>>()
    return row && toUploadRow(row)
  },

  async parts(id: string): Promise<PartRow[]> {
    const { results } = await d1
      .prepare(
        'SELECT upload_id AS uploadId, number, size, digest FROM upload_parts WHERE upload_id = ? ORDER BY number',
      )
      .bind(id)
      .all<PartRow>()
    return results
  },

  /** How many were announced and have not arrived. */
  async unfinishedCount(now: number): Promise<number> {
    const found = await d1
      .prepare(`SELECT ${unfinishedUploadsSql({ workspace: '?1', since: '?2' })} AS n`)
      .bind(scope.workspaceId, now - UNFINISHED_UPLOAD_COUNTS_MS)
      .first<{ n: number }>()
    return found?.n ?? 0
  },

  /** Writes nothing when the workspace would grow past its bytes, or too many have not arrived yet. */
  insert: (
    row: Omit<UploadRow, 'workspaceId' | 'contentHash' | 'parentId' | 'opened' | 'tableInfo'>,
  ): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO uploads (workspace_id, id, user_id, file_name, size, object_key, state, created_at, expires_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE ${USED_BYTES_SQL} + ?5 <= ?10
           AND ${mayAnnounceUploadSql({ workspace: '?1', since: '?11', max: '?12' })}`,
      )
      .bind(
        scope.workspaceId,
        row.id,
        row.userId,
        row.fileName,
        row.size,
        row.objectKey,
        row.state,
        row.createdAt,
        row.expiresAt,
        WORKSPACE_STORED_MAX_BYTES,
        row.createdAt - UNFINISHED_UPLOAD_COUNTS_MS,
        UNFINISHED_UPLOADS_MAX,
      ),

  /** Keeps a part that the store has taken; false when the upload is gone or complete by now. */
  async putPart(part: PartRow): Promise<boolean> {
    const done = await d1
      .prepare(
        `INSERT INTO upload_parts (upload_id, number, etag, size, digest)
         SELECT id, ?3, '', ?4, ?5 FROM uploads WHERE id = ?2 AND workspace_id = ?1 AND state = 'receiving'
         ON CONFLICT (upload_id, number) DO UPDATE SET size = excluded.size, digest = excluded.digest`,
      )
      .bind(scope.workspaceId, part.uploadId, part.number, part.size, part.digest)
      .run()
    return done.meta.changes > 0
  },

  complete: (id: string, contentHash: string): D1PreparedStatement =>
    d1
      .prepare("UPDATE uploads SET state = 'complete', content_hash = ?3 WHERE id = ?2 AND workspace_id = ?1")
      .bind(scope.workspaceId, id, contentHash),

  /** The first statement removes the upload, the others its parts and its tables. */
  remove: (id: string): D1PreparedStatement[] => [
    d1.prepare('DELETE FROM uploads WHERE id = ?2 AND workspace_id = ?1').bind(scope.workspaceId, id),
    d1.prepare('DELETE FROM upload_parts WHERE upload_id = ?').bind(id),
    d1.prepare('DELETE FROM uploads WHERE parent_id = ?2 AND workspace_id = ?1').bind(scope.workspaceId, id),
  ],

  /** The tables that were taken out of a file, in its order. */
  async tablesOf(id: string): Promise<UploadRow[]> {
    const statement = d1.prepare(`${SELECT_UPLOADS} AND parent_id = ?2 ORDER BY rowid`).bind(scope.workspaceId, id)
    return (await statement.all<Record<string, unknown>>()).results.map(toUploadRow)
  },

  /** Lets one opening of the workspace at a time begin; false while another one is at work, or this one is done. */
  async acquireOpenLease(id: string, as: { token: string; now: number; until: number }): Promise<boolean> {
    const done = await d1
      .prepare(
        `UPDATE uploads SET opening = ?3, opening_until = ?5
         WHERE workspace_id = ?1 AND id = ?2 AND opened IS NULL
           AND NOT EXISTS (SELECT 1 FROM uploads o WHERE o.workspace_id = ?1 AND o.opening_until > ?4)`,
      )
      .bind(scope.workspaceId, id, as.token, as.now, as.until)
      .run()
    return done.meta.changes > 0
  },

  /** Says that an opening is still at work, or (`until` 0) that it has given up; false when another one took over. */
  async renewOpenLease(id: string, as: { token: string; until: number }): Promise<boolean> {
    const done = await d1
      .prepare('UPDATE uploads SET opening_until = ?4 WHERE workspace_id = ?1 AND id = ?2 AND opening = ?3')
      .bind(scope.workspaceId, id, as.token, as.until)
      .run()
    return done.meta.changes > 0
  },

  /**
   * Remembers what was found. The first statement changes nothing when another opening took over, when the upload is
   * gone, or when its tables would make the workspace grow past its bytes.
   */
  saveOpened: (
    upload: Pick<UploadRow, 'id'>,
    found: { token: string; opened: StoredFileInspection; own: StoredTableInfo | null; tables: NewTableUpload[] },
  ): D1PreparedStatement[] => [
    d1
      .prepare(
        `UPDATE uploads SET opened = ?4, table_info = ?5, opening = NULL, opening_until = 0
         WHERE workspace_id = ?1 AND id = ?2 AND opened IS NULL AND opening = ?3 AND ${USED_BYTES_SQL} + ?6 <= ?7`,
      )
      .bind(
        scope.workspaceId,
        upload.id,
        found.token,
        JSON.stringify(found.opened),
        found.own && JSON.stringify(found.own),
        sum(found.tables.map(({ size }) => size)),
        WORKSPACE_STORED_MAX_BYTES,
      ),
    ...found.tables.map((table) =>
      d1
        .prepare(
          `INSERT INTO uploads (workspace_id, parent_id, id, file_name, size, object_key, content_hash, table_info,
             user_id, state, created_at, expires_at)
           SELECT ?1, ?2, ?3, file_name, ?4, ?5, ?6, ?7, user_id, 'complete', created_at, expires_at
           FROM uploads WHERE workspace_id = ?1 AND id = ?2`,
        )
        .bind(
          scope.workspaceId,
          upload.id,
          table.id,
          table.size,
          table.objectKey,
          table.contentHash,
          JSON.stringify(table.info),
        ),
    ),
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
      `SELECT u.id, u.object_key AS objectKey, u.parent_id AS parentId,
         EXISTS (SELECT 1 FROM runs r WHERE r.object_key = u.object_key) AS loaded
       FROM uploads u WHERE u.expires_at <= ? ORDER BY u.expires_at LIMIT ?`,
    )
    .bind(now, limit)
    .all<Pick<UploadRow, 'id' | 'objectKey' | 'parentId'> & { loaded: number }>()

/** Of these objects those that neither an upload nor a load knows. */
export async function orphanObjects({ d1 }: Database, keys: string[]): Promise<string[]> {
  const { results } = await d1
    .prepare(
      `SELECT k.value AS key FROM json_each(?) k
       WHERE NOT EXISTS (SELECT 1 FROM uploads u WHERE u.object_key = k.value)
         AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.object_key = k.value)`,
    )
    .bind(JSON.stringify(keys))
    .all<{ key: string }>()
  return results.map(({ key }) => key)
}

export const deleteUploadRows = ({ d1 }: Database, id: string) =>
  d1.batch([
    d1.prepare('DELETE FROM uploads WHERE id = ?').bind(id),
    d1.prepare('DELETE FROM upload_parts WHERE upload_id = ?').bind(id),
  ])
