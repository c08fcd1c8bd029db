import type { Database } from '../db/database'
import { parseRow } from '../db/rows'
import type { SourceStream } from '../shared/data-sources/connectors'

/** A source that programs send to, found by its public key. */
export interface PushSource {
  sourceId: string
  workspaceId: string
  ownerId: string
  name: string
  settings: Record<string, string>
  paused: boolean
  tokenHash: string
  /** As stored: whoever adds a column says which list they added it to. */
  streamText: string
}
export interface WaitingBatch {
  seq: number
  body: string
  rowCount: number
}

/** What programs sent, until it is in the table. */
export const pushStore = ({ d1 }: Database) => ({
  async find(sourceId: string): Promise<PushSource | null> {
    const row = await d1
      .prepare(
        `SELECT c.source_id AS sourceId, c.workspace_id AS workspaceId, s.owner_id AS ownerId, s.name, c.settings, c.paused,
           c.push_token_hash AS tokenHash, t.stream AS streamText
         FROM connections c JOIN data_sources s ON s.id = c.source_id AND s.deleted_at IS NULL
           JOIN workspaces w ON w.id = c.workspace_id AND w.deleted_at IS NULL
           JOIN connection_streams t ON t.source_id = c.source_id
         WHERE c.source_id = ? AND c.push_token_hash IS NOT NULL`,
      )
      .bind(sourceId)
      .first<Record<string, unknown>>()
    return row && parseRow<PushSource>(row, { json: ['settings'], flags: ['paused'] })
  },

  /** Changes nothing when somebody else added a column meanwhile. */
  async widen(of: { sourceId: string; before: string; after: SourceStream }): Promise<boolean> {
    const sql = 'UPDATE connection_streams SET stream = ?3 WHERE source_id = ?1 AND stream = ?2'
    return (await d1.prepare(sql).bind(of.sourceId, of.before, JSON.stringify(of.after)).run()).meta.changes > 0
  },

  /** False: a batch of this key came before. */
  async insert(row: {
    workspaceId: string
    sourceId: string
    key: string
    bodyHash: string
    body: string
    rowCount: number
    now: number
  }): Promise<boolean> {
    const sql = `INSERT INTO ingest_batches (workspace_id, source_id, key, body_hash, body, row_count, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (source_id, key) DO NOTHING`
    const values = [row.workspaceId, row.sourceId, row.key, row.bodyHash, row.body, row.rowCount, row.now]
    return (
      (
        await d1
          .prepare(sql)
          .bind(...values)
          .run()
      ).meta.changes > 0
    )
  },

  hashOf: (sourceId: string, key: string): Promise<string | null> =>
    d1
      .prepare('SELECT body_hash FROM ingest_batches WHERE source_id = ? AND key = ?')
      .bind(sourceId, key)
      .first<string>('body_hash'),

  /**
   * Whether there is something to apply and nobody who applies it: nor is the source resting after a failure. Whoever ends a
   * turn asks again afterwards, so that what came meanwhile is not left.
   */
  async isDue(sourceId: string, now: number): Promise<boolean> {
    const sql = `SELECT 1 AS due FROM ingest_batches WHERE source_id = ?1 AND body IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM syncs WHERE source_id = ?1 AND state = 'running')
      AND NOT EXISTS (SELECT 1 FROM connections WHERE source_id = ?1 AND failure IS NOT NULL AND next_at > ?2) LIMIT 1`
    return (await d1.prepare(sql).bind(sourceId, now).first('due')) !== null
  },

  /** The oldest first: as many as fit into memory at once, one at least. */
  async waiting(sourceId: string, most: { batches: number; chars: number }): Promise<WaitingBatch[]> {
    const sql = `SELECT seq, body, rowCount FROM (
        SELECT seq, body, rowCount, sum(length(body)) OVER (ORDER BY seq) - length(body) AS before FROM (
          SELECT seq, body, row_count AS rowCount FROM ingest_batches WHERE source_id = ?1 AND body IS NOT NULL
          ORDER BY seq LIMIT ?2))
      WHERE before < ?3 ORDER BY seq`
    const { results } = await d1.prepare(sql).bind(sourceId, most.batches, most.chars).all<Record<string, unknown>>()
    return results.map((row) => parseRow(row, {}))
  },

  applied: (sourceId: string, seqs: readonly number[]): Promise<unknown> =>
    d1
      .prepare('UPDATE ingest_batches SET body = NULL WHERE source_id = ? AND seq IN (SELECT value FROM json_each(?))')
      .bind(sourceId, JSON.stringify(seqs))
      .run(),

  /** Sources with batches that came before an instant and are not in their table. */
  async behind(before: number, limit: number): Promise<string[]> {
    const sql = 'SELECT DISTINCT source_id AS id FROM ingest_batches WHERE body IS NOT NULL AND created_at <= ? LIMIT ?'
    return (await d1.prepare(sql).bind(before, limit).all<{ id: string }>()).results.map(({ id }) => id)
  },

  deleteOld: (before: number): Promise<unknown> =>
    d1.prepare('DELETE FROM ingest_batches WHERE body IS NULL AND created_at < ?').bind(before).run(),
})
