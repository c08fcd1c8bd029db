import type { Database } from '../db/database'
import { parseRow } from '../db/rows'
import type { SourceStream } from '../shared/data-sources/connectors'

/** A source that programs send to, found by its public key. */
export interface PushSource {
  sourceId: string
  workspaceId: string
  ownerId: string
  name: string
  paused: boolean
  tokenHash: string
  /** As stored: whoever adds a column says which list they added it to. */
  streamText: string
}
/** A batch that waits where releases before this one kept them. */
export interface EarlierBatch {
  seq: number
  key: string
  bodyHash: string
  /** Null: applied, and only the key is kept. */
  body: string | null
  rowCount: number
  createdAt: number
}

/** Sources that programs send to. What they sent waits in an object of each source (`inbox-store.ts`). */
export const pushStore = ({ d1 }: Database) => ({
  async find(sourceId: string): Promise<PushSource | null> {
    const row = await d1
      .prepare(
        `SELECT c.source_id AS sourceId, c.workspace_id AS workspaceId, s.owner_id AS ownerId, s.name, c.paused,
           c.push_token_hash AS tokenHash, t.stream AS streamText
         FROM connections c JOIN data_sources s ON s.id = c.source_id AND s.deleted_at IS NULL
           JOIN workspaces w ON w.id = c.workspace_id AND w.deleted_at IS NULL
           JOIN connection_streams t ON t.source_id = c.source_id
         WHERE c.source_id = ? AND c.push_token_hash IS NOT NULL`,
      )
      .bind(sourceId)
      .first<Record<string, unknown>>()
    return row && parseRow<PushSource>(row, { flags: ['paused'] })
  },

  /** Changes nothing when somebody else added a column meanwhile. */
  async widen(of: { sourceId: string; before: string; after: SourceStream }): Promise<boolean> {
    const sql = 'UPDATE connection_streams SET stream = ?3 WHERE source_id = ?1 AND stream = ?2'
    return (await d1.prepare(sql).bind(of.sourceId, of.before, JSON.stringify(of.after)).run()).meta.changes > 0
  },

  /** Whether there is such a source at all, be it deleted and restorable. */
  exists: async (sourceId: string): Promise<boolean> =>
    (await d1.prepare('SELECT 1 AS n FROM connections WHERE source_id = ?').bind(sourceId).first('n')) !== null,

  /** Whether nobody applies what was sent to it, nor is it resting after a failure. */
  async isFree(sourceId: string, now: number): Promise<boolean> {
    const sql = `SELECT NOT EXISTS (SELECT 1 FROM syncs WHERE source_id = ?1 AND state = 'running')
      AND NOT EXISTS (SELECT 1 FROM connections WHERE source_id = ?1 AND failure IS NOT NULL AND next_at > ?2) AS free`
    return (await d1.prepare(sql).bind(sourceId, now).first('free')) === 1
  },

  pushSourcesOf: async (workspaceId: string): Promise<string[]> => {
    const sql = "SELECT source_id AS id FROM connections WHERE workspace_id = ? AND kind = 'push'"
    return (await d1.prepare(sql).bind(workspaceId).all<{ id: string }>()).results.map(({ id }) => id)
  },

  /** Sources of which an earlier release keeps batches here. */
  async earlierSources(limit: number): Promise<string[]> {
    const sql = 'SELECT DISTINCT source_id AS id FROM ingest_batches LIMIT ?'
    return (await d1.prepare(sql).bind(limit).all<{ id: string }>()).results.map(({ id }) => id)
  },
  async earlier(sourceId: string, limit: number): Promise<EarlierBatch[]> {
    const sql = `SELECT seq, key, body_hash AS bodyHash, body, row_count AS rowCount, created_at AS createdAt FROM ingest_batches
      WHERE source_id = ? ORDER BY seq LIMIT ?`
    const { results } = await d1.prepare(sql).bind(sourceId, limit).all<Record<string, unknown>>()
    return results.map((row) => parseRow(row, {}))
  },
  forgetEarlier: (sourceId: string, seqs: readonly number[]): Promise<unknown> =>
    d1
      .prepare('DELETE FROM ingest_batches WHERE source_id = ?1 AND seq IN (SELECT value FROM json_each(?2))')
      .bind(sourceId, JSON.stringify(seqs))
      .run(),
})
