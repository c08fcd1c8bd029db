import { failureOf, type SyncFailure } from './sync-failure'
import { maySync } from './sync-owner'
import type { Deps } from '../../deps'
import type { SyncSourceParams } from '../../shared/data-sources/connections'
import type { SourceStream } from '../../shared/data-sources/connectors'
import { connectionStore, type StreamRow } from '../../sync/connection-store'
import { openConnection } from '../../sync/credentials'

export type OpenedSync =
  | { kind: 'opened'; title: string; ownerId: string; streams: StreamRow[] }
  | { kind: 'stopped' }
  | { kind: 'failed'; failure: SyncFailure }

/** Looks whether the sync may run at all, lets itself in, and asks what there is now. */
export async function openSync(deps: Deps, params: SyncSourceParams): Promise<OpenedSync> {
  const store = connectionStore(deps.db, params.workspaceId)
  const row = await store.get(params.sourceId)
  const isAlive = await store.beat(params.syncId, { now: deps.clock.now(), rowsRead: 0, bytesRead: 0 })
  if (!row || row.paused || !isAlive) return { kind: 'stopped' }
  if (!(await maySync(deps, row))) return { kind: 'stopped' }
  try {
    const { registered, context } = await openConnection(deps, row)
    const known = await store.streams(row.sourceId)
    const found = await registered.connector.discover(context)
    const streams = known.map((stream) => ({ ...stream, stream: currentStream(stream, found) }))
    await deps.db.d1.batch(streams.map(({ key, stream }) => store.saveStream(row.sourceId, key, stream)))
    return { kind: 'opened', title: row.name, ownerId: row.ownerId, streams }
  } catch (error) {
    const failure = failureOf(error, row.name)
    if (!failure) throw error
    return { kind: 'failed', failure }
  }
}

/** A stream that is offered no more is read all the same: that it is gone is for its connector to say. */
const currentStream = (known: StreamRow, found: SourceStream[]): SourceStream =>
  found.find(({ key }) => key === known.key) ?? known.stream
