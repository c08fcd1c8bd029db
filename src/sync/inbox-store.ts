import { firstRow } from '../warehouse/context'
import type { EarlierBatch } from './push-store'
import type { InboxPortion, WaitingBatch, WaitingBatches } from '../connectors/push/push-inbox'

interface NewBatch {
  key: string
  bodyHash: string
  body: string
  rowCount: number
  now: number
}
type KnownBatch = {
  bodyHash: string
  rowCount: number
}
type InboxSource = {
  sourceId: string
  workspaceId: string
}

const TABLES = [
  'CREATE TABLE IF NOT EXISTS source (source_id TEXT NOT NULL, workspace_id TEXT NOT NULL) STRICT',
  // Canonical records; NULL: applied, and only the key is kept.
  `CREATE TABLE IF NOT EXISTS batches (seq INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, body_hash TEXT NOT NULL,
     body TEXT, row_count INTEGER NOT NULL, created_at INTEGER NOT NULL) STRICT`,
  'CREATE INDEX IF NOT EXISTS batches_waiting ON batches (seq) WHERE body IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS batches_old ON batches (created_at) WHERE body IS NULL',
]

/** The tables of one source's inbox, in its own object. Nothing is written for a source that never sent anything. */
export function inboxStore(sql: SqlStorage) {
  const found = (statement: string, ...values: string[]): boolean => firstRow(sql, statement, ...values) !== null
  const isOpen = (): boolean => found("SELECT 1 AS n FROM sqlite_master WHERE name = 'batches_old'")

  return {
    isOpen,
    open(source: InboxSource): void {
      for (const statement of TABLES) sql.exec(statement)
      if (!found('SELECT 1 AS n FROM source'))
        sql.exec('INSERT INTO source (source_id, workspace_id) VALUES (?, ?)', source.sourceId, source.workspaceId)
    },
    source(): InboxSource | null {
      const statement = 'SELECT source_id AS sourceId, workspace_id AS workspaceId FROM source'
      return isOpen() ? firstRow<InboxSource>(sql, statement) : null
    },

    /** False: a batch of this key came before. */
    insert({ key, bodyHash, body, rowCount, now }: NewBatch): boolean {
      const statement = `INSERT INTO batches (key, body_hash, body, row_count, created_at) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (key) DO NOTHING RETURNING seq`
      return sql.exec(statement, key, bodyHash, body, rowCount, now).toArray().length > 0
    },
    adopt(batch: EarlierBatch): void {
      const statement = `INSERT INTO batches (key, body_hash, body, row_count, created_at) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (key) DO NOTHING`
      sql.exec(statement, batch.key, batch.bodyHash, batch.body, batch.rowCount, batch.createdAt)
    },
    /** What came by a key before; null: nothing did. */
    known(key: string): KnownBatch | null {
      const statement = 'SELECT body_hash AS bodyHash, row_count AS rowCount FROM batches WHERE key = ?'
      return isOpen() ? firstRow<KnownBatch>(sql, statement, key) : null
    },

    hasWaiting: (): boolean => isOpen() && found('SELECT 1 AS n FROM batches WHERE body IS NOT NULL LIMIT 1'),
    waiting({ batches, chars }: InboxPortion): WaitingBatch[] {
      if (!isOpen()) return []
      const portion: WaitingBatch[] = []
      let length = 0
      const statement =
        'SELECT seq, body, row_count AS rowCount FROM batches WHERE body IS NOT NULL ORDER BY seq LIMIT ?'
      for (const batch of sql.exec<{ seq: number; body: string; rowCount: number }>(statement, batches)) {
        if (portion.length > 0 && length + batch.body.length > chars) break
        length += batch.body.length
        portion.push(batch)
      }
      return portion
    },
    applied(seqs: readonly number[]): void {
      if (!isOpen()) return
      const statement = 'UPDATE batches SET body = NULL WHERE seq IN (SELECT value FROM json_each(?))'
      sql.exec(statement, JSON.stringify(seqs))
    },

    /** @returns whether anything is left */
    dropOld(before: number): boolean {
      if (!isOpen()) return false
      sql.exec('DELETE FROM batches WHERE body IS NULL AND created_at < ?', before)
      return found('SELECT 1 AS n FROM batches LIMIT 1')
    },
  } satisfies WaitingBatches & Record<string, unknown>
}
export type InboxStore = ReturnType<typeof inboxStore>
