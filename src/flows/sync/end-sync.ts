import { withoutPresentTables, type PresentTables } from './known-tables'
import type { SyncFailure } from './sync-failure'
import { tryCommit, type OutboxEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import { canRead, isPartial } from '../../identity/access/visible-dataset'
import { readMemberContext, readSubscribers } from '../../identity/member-context-store'
import { Scope } from '../../scope'
import { mailOutboxEntry } from '../../mail/queued-mail'
import type { ConnectionFailure, DriftNotice, SyncSourceParams } from '../../shared/data-sources/connections'
import { roleMay } from '../../shared/permissions'
import { connectionStore, type ConnectionRow } from '../../sync/connection-store'
import { DEAD_AFTER, scheduleAfterFailure } from '../../sync/schedule'

const NOTICES_KEPT = 20
const PUSH_RETRY_MS = 2 * 60 * 60 * 1000

/** A sync is part of no person's request: what it tells open pages is of the workspace. */
const publisher = (workspaceId: string): Scope => Scope.forJob({ workspaceId, userId: '', epoch: '' })

const publish = (deps: Deps, params: SyncSourceParams): Promise<unknown> =>
  deps.live(publisher(params.workspaceId)).publish({ kind: 'changed', noun: 'source', id: null })

export interface SyncTotals {
  /** Rows that the source gave, those of its files too, and the bytes of all. Absent: as it was last told while it ran. */
  read?: number
  bytes?: number
  written: number
  rejected: number
  notices: DriftNotice[]
  /** Tables of streams that were read whole. */
  present?: PresentTables[]
  /** Nothing new was there. */
  isUnchanged: boolean
}

/** All rows are visible: the source is well again. May be repeated. */
export async function succeedSync(deps: Deps, params: SyncSourceParams, totals: SyncTotals): Promise<void> {
  const { syncId, sourceId, workspaceId } = params
  const store = connectionStore(deps.db, workspaceId)
  const row = await store.get(sourceId)
  const now = deps.clock.now()
  const earlier = withoutPresentTables(row?.notices ?? [], totals.present ?? [])
  const notices = [...totals.notices, ...earlier].slice(0, NOTICES_KEPT)
  const state = totals.isUnchanged ? 'unchanged' : 'succeeded'
  await tryCommit(deps, {
    change: [
      store.endSync(syncId, { state, error: null, now }),
      store.countRows(syncId, totals),
      store.recordSuccess(sourceId, { now, notices }),
    ],
  })
  await publish(deps, params)
}

/** Nobody wants the sync any more, or the plan has no room for it: no failure of the source. */
export async function cancelSync(deps: Deps, params: SyncSourceParams): Promise<void> {
  const store = connectionStore(deps.db, params.workspaceId)
  await store.endSync(params.syncId, { state: 'cancelled', error: null, now: deps.clock.now() }).run()
  await publish(deps, params)
}

/**
 * The source failed: when it is tried again, and who is told. People are told once for all failures in a row, when the
 * source counts as failed. May be repeated: a sync ends once.
 */
export async function failSync(deps: Deps, params: SyncSourceParams, failed: SyncFailure): Promise<void> {
  const { syncId, sourceId, workspaceId } = params
  const { retryAfterMs, ...failure } = failed
  const store = connectionStore(deps.db, workspaceId)
  const row = await store.get(sourceId)
  if (!row) return cancelSync(deps, params)
  const now = deps.clock.now()
  const failures = row.failures + 1
  const plan = scheduleAfterFailure({ failures, reason: failure.reason, now, seed: sourceId, retryAfterMs })
  // What programs sent is here, and is tried until it is in its table.
  const nextAt = plan.nextAt ?? (row.kind === 'push' ? now + PUSH_RETRY_MS : null)
  const stored: ConnectionFailure = failure
  const dead = { id: deps.ids.next('deadLetter'), sourceId, syncId, failures, error: stored, now }
  await tryCommit(deps, {
    change: [
      store.endSync(syncId, { state: 'failed', error: stored, now }),
      store.recordFailure(sourceId, { failure: stored, failures, nextAt, now }),
      ...(plan.isDead && failures === DEAD_AFTER ? [store.insertDeadLetter(dead)] : []),
    ],
    outbox: plan.state === 'failed' ? await failureMails(deps, row, stored, row.failedSince ?? now) : [],
  })
  await publish(deps, params)
}

/**
 * One mail a person and stretch of failures: its key is the same until the source is well again. Nobody is told of a source
 * whose data they see in part, or not at all: the words may name tables and columns.
 */
async function failureMails(
  deps: Deps,
  row: ConnectionRow,
  failure: ConnectionFailure,
  since: number,
): Promise<OutboxEntry[]> {
  const { workspaceId, sourceId } = row
  const [tables, owner, subscribers] = await Promise.all([
    connectionStore(deps.db, workspaceId).tables(sourceId),
    readMemberContext(deps, { workspaceId, userId: row.ownerId }),
    readSubscribers(deps, { workspaceId, kind: 'loadFailed' }),
  ])
  const told = [
    ...(owner?.notifications.ownLoadFailed ? [owner] : []),
    ...subscribers.filter(({ userId }) => userId !== owner?.userId || !owner.notifications.ownLoadFailed),
  ]
  const isSeen = (reader: Scope): boolean =>
    !reader.wire().hiddenSources.includes(sourceId) &&
    tables.every(({ datasetId: id }) => canRead(reader.wire(), { id }) && !isPartial(reader.wire(), { id }))
  return told.flatMap(({ userId, email, role, workspaceName, scope: reader }) => {
    if (email === null || !roleMay(role, 'view:source') || !isSeen(reader)) return []
    const { message, mend } = failure
    const facts = {
      workspace: workspaceName,
      sourceId,
      source: row.name,
      message,
      advice: mend,
      hasRows: row.succeededAt !== null,
    }
    return [
      mailOutboxEntry(
        { to: email, template: 'sourceFailed', ...facts, own: userId === row.ownerId },
        { key: `sourceFailed:${sourceId}:${since}:${userId}`, workspaceId },
      ),
    ]
  })
}
