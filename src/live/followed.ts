import type { AuditEntry } from '../db/commit'
import { LIVE_NOUNS } from '../shared/live'
import type { LiveEvent, LiveNoun } from '../shared/live'

const NOUNS: ReadonlyMap<string, LiveNoun> = new Map(LIVE_NOUNS.map((noun) => [noun, noun]))
/** First words of actions that change what is kept under others. */
const ALSO: Partial<Record<string, readonly LiveNoun[]>> = {
  // A load that begins or is stopped changes what is seen of its source, and nothing of the rows.
  load: ['source'],
  rate: ['rates'],
  sample: ['source', 'insight'],
  ownership: ['member'],
}

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
    const events = eventsOf(entry)
    if (events.length > 0) told.set(workspaceId, [...(told.get(workspaceId) ?? []), ...events])
    if (OF_EVERYBODY.test(action)) ended.set(workspaceId, null)
    else if (entity === 'member' && ended.get(workspaceId) !== null)
      ended.set(workspaceId, [...(ended.get(workspaceId) ?? []), entityId])
  }
  return { told, ended, left }
}

function eventsOf({ action, entity, entityId }: AuditEntry): LiveEvent[] {
  // New rows are told as such, by whoever swapped them in.
  if (action === 'dataset.load') return []
  const [first = ''] = action.split('.')
  return (ALSO[first] ?? [first]).flatMap((word) => {
    const noun = NOUNS.get(word)
    return noun ? [{ kind: 'changed', noun, id: noun === entity ? entityId : null }] : []
  })
}
