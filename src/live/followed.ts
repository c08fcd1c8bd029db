import type { AuditEntry } from '../db/commit'
import { LIVE_NOUNS } from '../shared/live'
import type { LiveEvent, LiveNoun } from '../shared/live'

const NOUNS: ReadonlyMap<string, LiveNoun> = new Map(LIVE_NOUNS.map((noun) => [noun, noun]))
/** First words of actions that change what is kept under others. */
const AFFECTED_NOUNS: Partial<Record<string, readonly LiveNoun[]>> = {
  // A load that begins or is stopped changes what is seen of its source, and nothing of the rows.
  load: ['source'],
  rate: ['rates'],
  sample: ['source', 'insight'],
  ownership: ['member'],
}

/** Whether somebody may still listen depends on these: changes of everybody's rights in a workspace. */
const AFFECTS_ALL_MEMBERS = /^(workspace\.(delete|purge)$|ownership\.accept$|subscription\.)/
/** Sessions of a person end with these. */
const AFFECTS_SESSIONS = /^(session\.(end|endOthers|signOut|signInByLink)|account\.(password|resetConfirm|delete))$/

export interface CommitEffects {
  /** By workspace. */
  eventsByWorkspace: Map<string, LiveEvent[]>
  /** By workspace: people whose right to listen may have ended; null = everybody's. */
  revalidations: Map<string, string[] | null>
  /** People of whom some session may have ended, wherever they are. */
  signedOut: string[]
}

/** Reads from the lines of the audit log what open pages are to know of a change. */
export function effectsOfCommit(audit: readonly AuditEntry[]): CommitEffects {
  const eventsByWorkspace = new Map<string, LiveEvent[]>()
  const revalidations = new Map<string, string[] | null>()
  const signedOut: string[] = []
  for (const entry of audit) {
    const { workspaceId, action, entity, entityId } = entry
    if (entity === 'user' && AFFECTS_SESSIONS.test(action)) signedOut.push(entityId)
    if (workspaceId === null) continue
    const events = eventsOf(entry)
    if (events.length > 0)
      eventsByWorkspace.set(workspaceId, [...(eventsByWorkspace.get(workspaceId) ?? []), ...events])
    if (AFFECTS_ALL_MEMBERS.test(action)) revalidations.set(workspaceId, null)
    else if (entity === 'member' && revalidations.get(workspaceId) !== null)
      revalidations.set(workspaceId, [...(revalidations.get(workspaceId) ?? []), entityId])
  }
  return { eventsByWorkspace, revalidations, signedOut }
}

function eventsOf({ action, entity, entityId }: AuditEntry): LiveEvent[] {
  // New rows are told as such, by whoever swapped them in.
  if (action === 'dataset.load') return []
  const [first = ''] = action.split('.')
  return (AFFECTED_NOUNS[first] ?? [first]).flatMap((word) => {
    const noun = NOUNS.get(word)
    return noun ? [{ kind: 'changed', noun, id: noun === entity ? entityId : null }] : []
  })
}
