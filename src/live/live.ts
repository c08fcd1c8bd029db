import { errorMessage, log } from '../lib/log'
import { effectsOfCommit } from './events'
import { SOCKET_GRANT_HEADER, type SocketGrant, type WorkspaceHubRpc } from './socket-grant'
import { personStore } from '../identity/person-store'
import { hasFullAccess, type Scope } from '../scope'
import type { AuditEntry } from '../db/commit'
import type { Database } from '../db/database'
import type { LiveEvent } from '../shared/live'

/** The open pages of one workspace. */
interface LiveChannel {
  /** Tells those who may know. Never throws, and never waits for longer than a second: a page asks again by itself in time. */
  publish(event: LiveEvent): Promise<void>
  /** Opens a socket for somebody who was let in; 503 while there are too many. */
  openSocket(request: Request, holding: Omit<SocketGrant, 'workspaceId' | 'datasets'>): Promise<Response>
}
export type LiveChannelFor = (scope: Scope) => LiveChannel

type WorkspaceHubs = DurableObjectNamespace<WorkspaceHubRpc>
const PUBLISH_TIMEOUT_MS = 1_000

export const liveChannelFor =
  (hubs: WorkspaceHubs): LiveChannelFor =>
  (scope) => {
    const { workspaceId } = scope
    return {
      publish: (event) => withTimeout(hubs.getByName(workspaceId).tell([event])),
      openSocket: (request, holder) => {
        const socketGrant: SocketGrant = { ...holder, workspaceId, datasets: audienceOf(scope) }
        const headers = { upgrade: 'websocket', [SOCKET_GRANT_HEADER]: JSON.stringify(socketGrant) }
        return hubs.getByName(workspaceId).fetch(request.url, { headers })
      },
    }
  }

/** Whoever may not see everything hears of changes without their names. */
function audienceOf(scope: Scope): SocketGrant['datasets'] {
  const { datasets, hiddenDatasets, hiddenSources } = scope.wire()
  if (hasFullAccess(scope)) return 'all'
  if (hiddenSources.length > 0) return null
  return datasets === 'all' ? { except: hiddenDatasets } : datasets.filter((id) => !hiddenDatasets.includes(id))
}

/** What follows for open pages from what was just written: they are told, and whoever may not listen any more is cut off. */
export async function publishCommit(
  { hubs, db }: { hubs: WorkspaceHubs; db: Database },
  audit: readonly AuditEntry[],
): Promise<void> {
  const { eventsByWorkspace, revalidations, signedOut } = effectsOfCommit(audit)
  await Promise.all([
    ...[...eventsByWorkspace].map(([workspaceId, events]) => withTimeout(hubs.getByName(workspaceId).tell(events))),
    ...[...revalidations].map(([workspaceId, people]) => withTimeout(hubs.getByName(workspaceId).recheck(people))),
    ...signedOut.map((userId) => withTimeout(revalidateUser({ hubs, db }, userId))),
  ])
}

async function revalidateUser({ hubs, db }: { hubs: WorkspaceHubs; db: Database }, userId: string): Promise<void> {
  const workspaceIds = await personStore(db, userId).workspaceIds()
  await Promise.all(workspaceIds.map((id) => hubs.getByName(id).recheck([userId])))
}

async function withTimeout(work: Promise<unknown>): Promise<void> {
  const done = work.catch((error: unknown) => {
    log('warn', 'open pages could not be told', { error: errorMessage(error) })
  })
  const waiting = new AbortController()
  await Promise.race([done, scheduler.wait(PUBLISH_TIMEOUT_MS, { signal: waiting.signal })])
  waiting.abort()
}
