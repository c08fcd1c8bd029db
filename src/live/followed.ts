import type { AuditEntry } from '../db/commit'
import { LIVE_NOUNS } from '../shared/live'
import type { LiveEvent, LiveNoun } from '../shared/live'

const NOUNS: ReadonlyMap<string, LiveNoun> = new Map(LIVE_NOUNS.map((noun) => [noun, noun]))

/** Whether somebody may still listen depends on these: changes of everybody's rights in a workspace. */
const OF_EVERYBODY = /^(workspace\.(delete|purge)$|ownership\.accept$|subscription\.)/
/** Sessions of a person end with these. */
const OF_SESSIONS = /^(session\.(end|endOthers|signOut|signInByLink)|account\.(password|resetConfirm|delete))$/

export interface Followed {
  /** By workspace. */
  told: Map<string, LiveEvent[]>
  /** By workspace: people whose right to listen may have ended; null = everybody's. */
  ended: Map<string, string[] | null>
  /** People of whom some session may have ended, wherever they are. */
  left: string[]
}

/** Reads from the lines of the audit log what open pages are to know of a change. */
export function followed(audit: readonly AuditEntry[]): Followed {
  const told = new Map<string, LiveEvent[]>()
  const ended = new Map<string, string[] | null>()
  const left: string[] = []
  for (const entry of audit) {
    const { workspaceId, action, entity, entityId } = entry
    if (entity === 'user' && OF_SESSIONS.test(action)) left.push(entityId)
    if (workspaceId === null) continue
    const event = eventOf(entry)
    if (event) told.set(workspaceId, [...(told.get(workspaceId) ?? []), event])
    if (OF_EVERYBODY.test(action)) ended.set(workspaceId, null)
    else if (entity === 'member' && ended.get(workspaceId) !== null)
      ended.set(workspaceId, [...(ended.get(workspaceId) ?? []), entityId])
  }
  return { told, ended, left }
}

function eventOf({ action, entity, entityId }: AuditEntry): LiveEvent | null {
  // New rows are told as such, by whoever swapped them in.
  if (action === 'dataset.load') return null
  // A load that begins or is stopped changes what is seen of its source, and nothing of the rows.
  if (action.startsWith('load.')) return { kind: 'changed', noun: 'source', id: null }
  const noun = NOUNS.get(entity)
  return noun ? { kind: 'changed', noun, id: entityId } : null
}
