import { followed } from './followed'
import { HOLDER_HEADER } from './holding'
import type { Holding } from './holding'
import type { WorkspaceHub } from './workspace-hub'
import type { Scope } from '../access/scope'
import type { AuditEntry } from '../db/commit'
import type { Database } from '../db/database'
import { log } from '../lib/log'
import type { LiveEvent } from '../shared/live'

/** The open pages of one workspace. */
export interface Live {
  /** Tells those who may know. Never throws, and never waits for longer than a second: a page asks again by itself in time. */
  tell(event: LiveEvent): Promise<void>
  /** Opens a socket for somebody who was let in; 503 while there are too many. */
  open(request: Request, holding: Omit<Holding, 'workspaceId' | 'datasets'>): Promise<Response>
}
export type LiveFor = (scope: Scope) => Live

type Hubs = DurableObjectNamespace<WorkspaceHub>
const PATIENCE_MS = 1_000

export const liveFor =
  (hubs: Hubs): LiveFor =>
  (scope) => {
    const { workspaceId, datasets } = scope.wire()
    return {
      tell: (event) => patiently(hubs.getByName(workspaceId).tell([event])),
      open: (request, holder) => {
        const holding: Holding = { ...holder, workspaceId, datasets }
        const headers = { upgrade: 'websocket', [HOLDER_HEADER]: JSON.stringify(holding) }
        return hubs.getByName(workspaceId).fetch(request.url, { headers })
      },
    }
  }

/** What follows for open pages from what was just written: they are told, and whoever may not listen any more is cut off. */
export async function followCommit(
  { hubs, db }: { hubs: Hubs; db: Database },
  audit: readonly AuditEntry[],
): Promise<void> {
  const { told, ended, left } = followed(audit)
  await Promise.all([
    ...[...told].map(([workspaceId, events]) => patiently(hubs.getByName(workspaceId).tell(events))),
    ...[...ended].map(([workspaceId, people]) => patiently(hubs.getByName(workspaceId).recheck(people))),
    ...left.map((userId) => patiently(recheckEverywhere({ hubs, db }, userId))),
  ])
}

async function recheckEverywhere({ hubs, db }: { hubs: Hubs; db: Database }, userId: string): Promise<void> {
  const { results } = await db.d1
    .prepare('SELECT workspace_id AS id FROM members WHERE user_id = ?')
    .bind(userId)
    .all<{ id: string }>()
  await Promise.all(results.map(({ id }) => hubs.getByName(id).recheck([userId])))
}

async function patiently(work: Promise<unknown>): Promise<void> {
  const done = work.catch((error: unknown) => {
    log('warn', 'open pages could not be told', { error: error instanceof Error ? error.message : String(error) })
  })
  const waiting = new AbortController()
  await Promise.race([done, scheduler.wait(PATIENCE_MS, { signal: waiting.signal })])
  waiting.abort()
}
