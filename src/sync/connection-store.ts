import type { Database } from '../db/database'
import { overLimitCondition } from '../entitlements/limits'
import type { PlanLimit } from '../shared/billing/plans'
import { parseRow } from '../db/rows'
import type { Cursor } from '../connectors/contract'
import type { ColumnKey } from '../shared/data-sources/files'
import type { ConnectionFailure, DriftNotice, SourceSync, SyncState } from '../shared/data-sources/connections'
import type { ConnectorKind, SourceStream, StreamMode } from '../shared/data-sources/connectors'
import { toIso, toIsoOrNull } from '../lib/iso'

/** A connection as stored; instants are epoch ms. */
export interface ConnectionRow {
  sourceId: string
  workspaceId: string
  name: string
  ownerId: string
  kind: ConnectorKind
  settings: Record<string, string>
  secrets: string | null
  secretsVersion: number
  frequencyHours: number
  paused: boolean
  failures: number
  failure: ConnectionFailure | null
  failedSince: number | null
  nextAt: number | null
  syncedAt: number | null
  succeededAt: number | null
  notices: DriftNotice[]
  pushTokenHash: string | null
}
export interface StreamRow {
  key: string
  stream: SourceStream
  mode: StreamMode
  cursor: Cursor | null
}
export interface TableRow {
  streamKey: string
  name: string
  datasetId: string
  /** Name at the source → column of the dataset. */
  columns: Record<string, ColumnKey>
}
export interface SyncRow {
  id: string
  workspaceId: string
  sourceId: string
  slot: string
  trigger: SourceSync['trigger']
  actorId: string | null
  state: SyncState
  acceptDrift: boolean
  startedAt: number
  beatAt: number
  finishedAt: number | null
  rowsRead: number
  rowsWritten: number
  rowsRejected: number
  bytesRead: number
  error: ConnectionFailure | null
}

export const CONNECTION_COLUMNS = `c.source_id AS sourceId, c.workspace_id AS workspaceId, s.name, s.owner_id AS ownerId, c.kind, c.settings,
  c.secrets, c.secrets_version AS secretsVersion, c.frequency_hours AS frequencyHours, c.paused, c.failures, c.failure,
  c.failed_since AS failedSince, c.next_at AS nextAt, c.synced_at AS syncedAt, c.succeeded_at AS succeededAt, c.notices,
  c.push_token_hash AS pushTokenHash`
export const SYNC_COLUMNS = `y.id, y.workspace_id AS workspaceId, y.source_id AS sourceId, y.slot, y."trigger", y.actor_id AS actorId,
  y.state, y.accept_drift AS acceptDrift, y.started_at AS startedAt, y.beat_at AS beatAt, y.finished_at AS finishedAt,
  y.rows_read AS rowsRead, y.rows_written AS rowsWritten, y.rows_rejected AS rowsRejected, y.bytes_read AS bytesRead, y.error`
export const LIVE_SOURCE = `JOIN data_sources s ON s.id = c.source_id AND s.deleted_at IS NULL
  JOIN workspaces w ON w.id = c.workspace_id AND w.deleted_at IS NULL`

export type StoredRow = Record<string, unknown>
export const toConnection = (row: StoredRow): ConnectionRow =>
  parseRow(row, { json: ['settings', 'failure', 'notices'], flags: ['paused'] })
export const toSync = (row: StoredRow): SyncRow => parseRow(row, { json: ['error'], flags: ['acceptDrift'] })

export const toSourceSync = (row: SyncRow): SourceSync => ({
  id: row.id,
  trigger: row.trigger,
  state: row.state,
  startedAt: toIso(row.startedAt),
  finishedAt: toIsoOrNull(row.finishedAt),
  rowsRead: row.rowsRead,
  rowsWritten: row.rowsWritten,
  rowsRejected: row.rowsRejected,
  bytesRead: row.bytesRead,
  error: row.error,
})

/** Connections of one workspace, for requests and jobs alike; the workspace is part of every statement. */
export const connectionStore = ({ d1 }: Database, workspaceId: string) => {
  const bind = (sql: string, ...values: (string | number | null)[]): D1PreparedStatement =>
    d1.prepare(sql).bind(workspaceId, ...values)
  return {
    /** Of a source that is there. */
    async get(sourceId: string): Promise<ConnectionRow | null> {
      const sql = `SELECT ${CONNECTION_COLUMNS} FROM connections c ${LIVE_SOURCE} WHERE c.workspace_id = ?1 AND c.source_id = ?2`
      const row = await bind(sql, sourceId).first<StoredRow>()
      return row && toConnection(row)
    },

    /** The oldest sources that the plan has room for and that are wanted more often than every so many hours. */
    async frequent(of: { belowHours: number; limit: number; max: PlanLimit }): Promise<string[]> {
      const sql = `SELECT c.source_id AS sourceId FROM connections c ${LIVE_SOURCE}
        WHERE c.workspace_id = ?1 AND c.kind <> 'push' AND c.frequency_hours < ?2
          AND NOT ${overLimitCondition('source', 's', { workspace: '?1', max: '?4' })}
        ORDER BY s.created_at, s.id LIMIT ?3`
      const { results } = await bind(sql, of.belowHours, of.limit, of.max).all<{ sourceId: string }>()
      return results.map(({ sourceId }) => sourceId)
    },

    async streams(sourceId: string): Promise<StreamRow[]> {
      const sql =
        'SELECT key, stream, mode, cursor FROM connection_streams WHERE workspace_id = ?1 AND source_id = ?2 ORDER BY position'
      const { results } = await bind(sql, sourceId).all<StoredRow>()
      return results.map((row) => parseRow<StreamRow>(row, { json: ['stream', 'cursor'] }))
    },

    async tables(sourceId: string): Promise<TableRow[]> {
      const sql = `SELECT stream_key AS streamKey, name, dataset_id AS datasetId, columns FROM connection_tables
        WHERE workspace_id = ?1 AND source_id = ?2`
      const { results } = await bind(sql, sourceId).all<StoredRow>()
      return results.map((row) => parseRow<TableRow>(row, { json: ['columns'] }))
    },

    insert: (
      row: Pick<
        ConnectionRow,
        'sourceId' | 'kind' | 'settings' | 'secrets' | 'frequencyHours' | 'nextAt' | 'pushTokenHash'
      >,
      keyId: string | null,
    ) =>
      bind(
        `INSERT INTO connections (workspace_id, source_id, kind, settings, secrets, secrets_key, frequency_hours, next_at, push_token_hash)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)`,
        row.sourceId,
        row.kind,
        JSON.stringify(row.settings),
        row.secrets,
        keyId,
        row.frequencyHours,
        row.nextAt,
        row.pushTokenHash,
      ),

    /** Takes the place of the streams there were; a cursor that is known stays with its key. */
    replaceStreams: (
      sourceId: string,
      streams: Pick<StreamRow, 'key' | 'stream' | 'mode'>[],
    ): D1PreparedStatement[] => [
      bind(
        `DELETE FROM connection_streams WHERE workspace_id = ?1 AND source_id = ?2 AND key NOT IN (SELECT value FROM json_each(?3))`,
        sourceId,
        JSON.stringify(streams.map(({ key }) => key)),
      ),
      bind(
        `INSERT INTO connection_streams (workspace_id, source_id, position, key, stream, mode)
         SELECT ?1, ?2, d.key, d.value ->> 'key', d.value -> 'stream', d.value ->> 'mode' FROM json_each(?3) d WHERE TRUE
         ON CONFLICT (source_id, key) DO UPDATE SET position = excluded.position, stream = excluded.stream,
           cursor = CASE WHEN mode = excluded.mode THEN cursor END, mode = excluded.mode`,
        sourceId,
        JSON.stringify(streams),
      ),
    ],

    saveStream: (sourceId: string, key: string, stream: SourceStream): D1PreparedStatement =>
      bind(
        'UPDATE connection_streams SET stream = ?4 WHERE workspace_id = ?1 AND source_id = ?2 AND key = ?3',
        sourceId,
        key,
        JSON.stringify(stream),
      ),

    saveCursor: (sourceId: string, key: string, cursor: Cursor | null): D1PreparedStatement =>
      bind(
        'UPDATE connection_streams SET cursor = ?4 WHERE workspace_id = ?1 AND source_id = ?2 AND key = ?3',
        sourceId,
        key,
        cursor && JSON.stringify(cursor),
      ),

    saveTable: (sourceId: string, table: TableRow): D1PreparedStatement =>
      bind(
        `INSERT INTO connection_tables (workspace_id, source_id, stream_key, name, dataset_id, columns) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT (source_id, stream_key, name) DO UPDATE SET columns = excluded.columns`,
        sourceId,
        table.streamKey,
        table.name,
        table.datasetId,
        JSON.stringify(table.columns),
      ),

    setPaused: (sourceId: string, paused: boolean, nextAt: number | null): D1PreparedStatement =>
      bind(
        `UPDATE connections SET paused = ?3, next_at = ?4 WHERE workspace_id = ?1 AND source_id = ?2 AND paused <> ?3`,
        sourceId,
        paused ? 1 : 0,
        nextAt,
      ),

    setSettings: (
      sourceId: string,
      to: { settings: Record<string, string>; frequencyHours: number; nextAt: number | null },
    ) =>
      bind(
        `UPDATE connections SET settings = ?3, frequency_hours = ?4, next_at = CASE WHEN paused = 1 THEN next_at ELSE ?5 END
         WHERE workspace_id = ?1 AND source_id = ?2`,
        sourceId,
        JSON.stringify(to.settings),
        to.frequencyHours,
        to.nextAt,
      ),

    /** Changes nothing when somebody else wrote them meanwhile. */
    setSecrets: (sourceId: string, to: { sealed: string; keyId: string; version: number }): D1PreparedStatement =>
      bind(
        `UPDATE connections SET secrets = ?3, secrets_key = ?4, secrets_version = secrets_version + 1, renewing_until = 0
         WHERE workspace_id = ?1 AND source_id = ?2 AND secrets_version = ?5`,
        sourceId,
        to.sealed,
        to.keyId,
        to.version,
      ),

    setPushToken: (sourceId: string, hash: string): D1PreparedStatement =>
      bind('UPDATE connections SET push_token_hash = ?3 WHERE workspace_id = ?1 AND source_id = ?2', sourceId, hash),

    /** The right to renew the tokens of a source, of which one has it at a time. */
    async takeRenewal(sourceId: string, at: { now: number; until: number }): Promise<boolean> {
      const sql = `UPDATE connections SET renewing_until = ?4 WHERE workspace_id = ?1 AND source_id = ?2 AND renewing_until <= ?3`
      return (await bind(sql, sourceId, at.now, at.until).run()).meta.changes > 0
    },

    /** Gives back the right that was taken until then: nothing was renewed. */
    endRenewal: (sourceId: string, until: number): D1PreparedStatement =>
      bind(
        'UPDATE connections SET renewing_until = 0 WHERE workspace_id = ?1 AND source_id = ?2 AND renewing_until = ?3',
        sourceId,
        until,
      ),

    /**
     * Writes nothing while another sync of the source is under way, for a slot that ran, when its source is gone, paused, or
     * not yet due for a person.
     */
    insertSync: (
      row: Pick<SyncRow, 'id' | 'sourceId' | 'slot' | 'trigger' | 'actorId' | 'acceptDrift' | 'startedAt'>,
      notBefore: number | null,
    ) =>
      bind(
        `INSERT INTO syncs (workspace_id, id, source_id, slot, "trigger", actor_id, state, accept_drift, started_at, beat_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, 'running', ?7, ?8, ?8
         WHERE NOT EXISTS (SELECT 1 FROM syncs WHERE source_id = ?3 AND (state = 'running' OR slot = ?4))
           AND EXISTS (SELECT 1 FROM connections c ${LIVE_SOURCE} WHERE c.workspace_id = ?1 AND c.source_id = ?3 AND c.paused = 0
             AND (?9 IS NULL OR c.synced_at IS NULL OR c.synced_at <= ?9))`,
        row.id,
        row.sourceId,
        row.slot,
        row.trigger,
        row.actorId,
        row.acceptDrift ? 1 : 0,
        row.startedAt,
        notBefore,
      ),

    setNext: (sourceId: string, to: { nextAt: number | null; syncedAt?: number }): D1PreparedStatement =>
      bind(
        `UPDATE connections SET next_at = ?3, synced_at = COALESCE(?4, synced_at) WHERE workspace_id = ?1 AND source_id = ?2`,
        sourceId,
        to.nextAt,
        to.syncedAt ?? null,
      ),

    async sync(id: string): Promise<SyncRow | null> {
      const row = await bind(
        `SELECT ${SYNC_COLUMNS} FROM syncs y WHERE y.workspace_id = ?1 AND y.id = ?2`,
        id,
      ).first<StoredRow>()
      return row && toSync(row)
    },

    /** Newest first, after the cursor. */
    async syncs(
      sourceId: string,
      page: { before: { at: number; id: string } | null; limit: number },
    ): Promise<SyncRow[]> {
      const sql = `SELECT ${SYNC_COLUMNS} FROM syncs y WHERE y.workspace_id = ?1 AND y.source_id = ?2
        AND (?3 IS NULL OR (y.started_at, y.id) < (?3, ?4)) ORDER BY y.started_at DESC, y.id DESC LIMIT ?5`
      const { results } = await bind(
        sql,
        sourceId,
        page.before?.at ?? null,
        page.before?.id ?? null,
        page.limit,
      ).all<StoredRow>()
      return results.map(toSync)
    },

    /** Says that a sync lives; false when it was ended, or its source is gone. */
    async beat(id: string, at: { now: number; rowsRead: number; bytesRead: number }): Promise<boolean> {
      const sql = `UPDATE syncs SET beat_at = ?3, rows_read = MAX(rows_read, ?4), bytes_read = MAX(bytes_read, ?5) WHERE workspace_id = ?1 AND id = ?2 AND state = 'running'
        AND EXISTS (SELECT 1 FROM connections c ${LIVE_SOURCE} WHERE c.source_id = syncs.source_id)`
      return (await bind(sql, id, at.now, at.rowsRead, at.bytesRead).run()).meta.changes > 0
    },

    countRows: (id: string, rows: { read?: number; bytes?: number; written: number; rejected: number }) =>
      bind(
        `UPDATE syncs SET rows_written = ?3, rows_rejected = ?4, rows_read = MAX(rows_read, ?5),
          bytes_read = MAX(bytes_read, ?6) WHERE workspace_id = ?1 AND id = ?2`,
        ...[id, rows.written, rows.rejected, rows.read ?? 0, rows.bytes ?? 0],
      ),

    /** Ends a sync; changes nothing when it has ended. */
    endSync: (
      id: string,
      as: { state: Exclude<SyncState, 'running'>; error: ConnectionFailure | null; now: number },
    ): D1PreparedStatement =>
      bind(
        `UPDATE syncs SET state = ?3, error = ?4, finished_at = ?5, beat_at = ?5 WHERE workspace_id = ?1 AND id = ?2 AND state = 'running'`,
        id,
        as.state,
        as.error && JSON.stringify(as.error),
        as.now,
      ),

    recordSuccess: (sourceId: string, at: { now: number; notices: DriftNotice[] }): D1PreparedStatement =>
      bind(
        `UPDATE connections SET failures = 0, failure = NULL, failed_since = NULL, succeeded_at = ?3, notices = ?4,
           next_at = iif(kind = 'push', NULL, next_at)
         WHERE workspace_id = ?1 AND source_id = ?2`,
        sourceId,
        at.now,
        JSON.stringify(at.notices),
      ),

    recordFailure: (
      sourceId: string,
      of: { failure: ConnectionFailure; failures: number; nextAt: number | null; now: number },
    ) =>
      bind(
        `UPDATE connections SET failures = ?3, failure = ?4, failed_since = COALESCE(failed_since, ?5), next_at = ?6
         WHERE workspace_id = ?1 AND source_id = ?2`,
        sourceId,
        of.failures,
        JSON.stringify(of.failure),
        of.now,
        of.nextAt,
      ),

    insertDeadLetter: (row: {
      id: string
      sourceId: string
      syncId: string
      failures: number
      error: ConnectionFailure
      now: number
    }) =>
      bind(
        `INSERT INTO sync_dead_letters (workspace_id, id, source_id, sync_id, failures, error, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)`,
        row.id,
        row.sourceId,
        row.syncId,
        row.failures,
        JSON.stringify(row.error),
        row.now,
      ),
  }
}
export type ConnectionStore = ReturnType<typeof connectionStore>
