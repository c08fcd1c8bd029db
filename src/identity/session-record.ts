import { z } from 'zod'
import type { Clock } from '../shared/ids'
import { SESSION_MAX_MS } from '../shared/limits'

/** What KV keeps of a session, beside its row in D1. It can only refuse: nobody is let in by it. */
export interface SessionRecord {
  userId: string
  epoch: number
}

interface RecordDeps {
  sessions: KVNamespace
  clock: Clock
}

/** Clock of the store's own expiry: a little later than the session's, which D1 decides. */
const KV_TTL_SECONDS = SESSION_MAX_MS / 1000 + 60
/** KV itself answers from copies this old: a fresher one is promised to nobody. */
const MEMORY_MS = 60_000
const REMEMBERED_MAX = 5_000
const recordSchema = z.object({ userId: z.string(), epoch: z.number() })
const recordKey = (hash: string): string => `session:${hash}`

/** Keeps the record beside the row. After the row: a record without a row lets nobody in. */
export async function cacheSession({ sessions }: RecordDeps, hash: string, record: SessionRecord): Promise<void> {
  await sessions.put(recordKey(hash), JSON.stringify(record), { expirationTtl: KV_TTL_SECONDS })
}

export const uncacheSession = ({ sessions }: RecordDeps, hash: string): Promise<void> =>
  sessions.delete(recordKey(hash))

/**
 * Begins to read a session's record, and answers whether it agrees with the row that was read meanwhile. A record that
 * speaks of another person or epoch is a forgery or a mix-up; without one, or while KV cannot be read, the row alone decides.
 */
export function readSessionRecord(deps: RecordDeps, hash: string): (row: SessionRecord) => Promise<boolean> {
  const recent = recentRecords(deps.sessions)
  const now = deps.clock.now()
  const known = recent.get(hash)
  const remembered = known && now >= known.readAt && now < known.readAt + MEMORY_MS ? known : null
  const reading = remembered ? null : readRecord(deps.sessions, hash)
  return async (row) => {
    if (remembered && agrees(remembered.record, row)) return true
    const found = await (reading ?? readRecord(deps.sessions, hash))
    if (found === 'foreign' || !agrees(found, row)) return false
    if (recent.size >= REMEMBERED_MAX) recent.clear()
    recent.set(hash, { record: found, readAt: now })
    return true
  }
}

const agrees = (record: SessionRecord | null, row: SessionRecord): boolean =>
  record === null || (record.userId === row.userId && record.epoch === row.epoch)

async function readRecord(sessions: KVNamespace, hash: string): Promise<SessionRecord | 'foreign' | null> {
  const found = await sessions.get(recordKey(hash), 'json').catch(() => null)
  return found === null ? null : (recordSchema.safeParse(found).data ?? 'foreign')
}

type RecentRecords = Map<string, { record: SessionRecord | null; readAt: number }>
/** Records that this isolate found to agree of late: each request of an open page would read the same one again. */
const recentByNamespace = new WeakMap<KVNamespace, RecentRecords>()
function recentRecords(sessions: KVNamespace): RecentRecords {
  const known = recentByNamespace.get(sessions)
  if (known) return known
  const recent: RecentRecords = new Map()
  recentByNamespace.set(sessions, recent)
  return recent
}
