import { runStore, type RunSummary } from './store'
import type { OutboxEntry } from '../db/commit'
import type { Deps } from '../deps'
import { canRead, isPartial } from '../identity/access/visible-dataset'
import { readMemberContext, readSubscribers } from '../identity/member-context-store'
import type { Scope } from '../scope'
import { mailOutboxEntry } from '../mail/queued-mail'
import { loadErrorAdvice } from '../shared/data-sources/load-errors'
import { roleMay } from '../shared/permissions'

/**
 * The mails about a load that failed: to whoever started it, and to those who want to know of every one. Each person gets
 * one for all that was started together, whichever of it fails first. Loads of data that somebody sees in part, or not at
 * all, are not told to them.
 */
export async function loadFailureMails(
  deps: Pick<Deps, 'db' | 'clock'>,
  scope: Scope,
  run: RunSummary,
): Promise<OutboxEntry[]> {
  const { workspaceId } = scope
  const [facts, starter, subscribers] = await Promise.all([
    runStore(deps.db, scope).failureFacts(run),
    readMemberContext(deps, { workspaceId, userId: run.actorId }),
    readSubscribers(deps, { workspaceId, kind: 'loadFailed' }),
  ])
  if (!facts) return []
  const { batchId, hasRows, ...names } = facts
  const told = [
    ...(starter?.notifications.ownLoadFailed ? [starter] : []),
    ...subscribers.filter(({ userId }) => userId !== starter?.userId || !starter.notifications.ownLoadFailed),
  ]
  const dataset = { id: run.datasetId, sourceId: run.sourceId }
  return told.flatMap(({ userId, email, role, scope: reader }) => {
    if (email === null || !roleMay(role, 'view:source')) return []
    if (!canRead(reader.wire(), dataset) || isPartial(reader.wire(), dataset)) return []
    const about = { sourceId: run.sourceId, fileName: run.fileName, lineNumber: run.error?.line ?? null }
    const words = { message: run.error?.message ?? '', advice: loadErrorAdvice(run), hasRows: hasRows === 1 }
    const own = userId === run.actorId
    return [
      mailOutboxEntry(
        { to: email, template: 'loadFailed', ...names, ...about, ...words, own },
        { key: `loadFailed:${batchId}:${userId}`, workspaceId },
      ),
    ]
  })
}
