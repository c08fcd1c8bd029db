import type { ReadStep, StoredPart } from './read-stream'
import { failureOf, type SyncFailure } from './sync-failure'
import { isLiveKind } from '../../connectors/databases/open-database'
import type { LiveTable } from '../../connectors/contract'
import { commit } from '../../db/commit'
import { rowsReplacedEntry } from '../../db/outbox-workflows'
import type { Deps } from '../../deps'
import { Scope } from '../../scope'
import { sha256Hex } from '../../lib/hash'
import type { ColumnKey } from '../../shared/data-sources/files'
import type { SyncSourceParams } from '../../shared/data-sources/connections'
import { connectionStore, type StreamRow, type TableRow } from '../../sync/connection-store'
import { openConnection, openCredentials } from '../../sync/credentials'
import { liveTableStore } from '../../sync/live-table-store'
import type { LivePlace } from '../../warehouse/contract'

type RefusedStep = Extract<ReadStep, { ok: false }>

/** The empty text that a table without rows of its own is loaded from. */
export async function emptyPart(
  deps: Deps,
  params: SyncSourceParams,
  of: { at: number; name: string },
): Promise<StoredPart> {
  const objectKey = `syncs/${params.workspaceId}/${params.syncId}/${of.at}/none`
  await deps.files.put(objectKey, '')
  return { objectKey, size: 0, hash: await sha256Hex(''), name: of.name }
}

const scopeOf = (params: SyncSourceParams, userId: string): Scope =>
  Scope.forJob({ workspaceId: params.workspaceId, userId, epoch: '' })

/**
 * Tells the warehouse where the rows of a live stream lie and counts them there. What follows new rows follows each time:
 * nothing but all figures over them would tell whether one is another. Answers the rows there are.
 */
export async function countLiveStream(
  deps: Deps,
  params: SyncSourceParams,
  stream: StreamRow,
): Promise<{ ok: true; rows: number } | RefusedStep> {
  const store = connectionStore(deps.db, params.workspaceId)
  const [row, tables] = await Promise.all([store.get(params.sourceId), store.tables(params.sourceId)])
  const home = tables.find(({ streamKey }) => streamKey === stream.key)
  if (!row || !home || !isLiveKind(row.kind)) return { ok: false, stopped: true }
  try {
    const { registered, context } = await openConnection(deps, row)
    const found = await registered.connector.live?.(context, stream.stream)
    if (!found) return { ok: false, stopped: true }
    const { datasetId } = home
    const { sourceId, kind, settings } = row
    const login = { sourceId, kind, settings, secrets: await openCredentials(deps, row) }
    const place = placeOf(sourceId, found, home)
    const scope = scopeOf(params, row.ownerId)
    const { rowCount } = await deps.warehouse(scope).setLivePlace({ datasetId, place, login })
    const { workspaceId } = params
    const dataVersion = deps.clock.now()
    await commit(deps, {
      change: [liveTableStore(deps.db, workspaceId).counted(datasetId, { rowCount, now: deps.clock.now() })],
      outbox: [rowsReplacedEntry({ workspaceId, datasetId, dataVersion })],
    })
    return { ok: true, rows: rowCount }
  } catch (error) {
    const failure: SyncFailure | null = failureOf(error, row.name)
    if (!failure) throw error
    return { ok: false, failure }
  }
}

/** A table that was live holds its own rows from now on. */
export async function endLive(deps: Deps, params: SyncSourceParams, of: { stream: StreamRow; ownerId: string }) {
  const tables = await connectionStore(deps.db, params.workspaceId).tables(params.sourceId)
  const home = tables.find(({ streamKey }) => streamKey === of.stream.key)
  if (home) await deps.warehouse(scopeOf(params, of.ownerId)).setLivePlace({ datasetId: home.datasetId, place: null })
}

/** The same with the keys of the dataset's columns: names of columns that it does not have tell nothing. */
function placeOf(sourceId: string, found: LiveTable, home: TableRow): LivePlace {
  const { dialect, schema, table, rowKey, unique } = found
  const columns = Object.fromEntries(Object.entries(home.columns).map(([name, key]) => [key, name]))
  const keys = unique.map((names) => names.flatMap((name) => home.columns[name] ?? []))
  const known = keys.filter((list, at) => list.length === unique[at]?.length)
  const keysOf = (names: readonly string[] = []): ColumnKey[] => names.flatMap((name) => home.columns[name] ?? [])
  const [numerics, bytes] = [keysOf(found.numerics), keysOf(found.bytes)]
  const kinds = { ...(numerics.length > 0 ? { numerics } : {}), ...(bytes.length > 0 ? { bytes } : {}) }
  const there = { schema, table, columns, rowKey, unique: known, textsAsImported: true as const, ...kinds }
  return { sourceId, dialect, table: there }
}
