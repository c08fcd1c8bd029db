import { LIVE_NOUNS, type LiveEvent, type LiveNoun } from '../shared/live'
import { roleMay, type Permission, type Role } from '../shared/permissions'
import type { SocketGrant } from './socket-grant'
import type { AuditEntry } from '../db/commit'

/** More changes of one kind than this are told as one that names none. */
const NAMED_CHANGES_MAX = 20

/** What happened, without what says the same twice: the newest version of each dataset, each change once. */
export function mergeEvents(events: readonly LiveEvent[]): LiveEvent[] {
  const versions = new Map<string, number>()
  const changes = new Map<LiveNoun, Set<string> | null>()
  for (const event of events) {
    if (event.kind === 'data') {
      const before = versions.get(event.datasetId) ?? event.dataVersion
      versions.set(event.datasetId, Math.max(before, event.dataVersion))
      continue
    }
    const named = changes.get(event.noun)
    if (named === null) continue
    const ids = (named ?? new Set<string>()).add(event.id ?? '')
    changes.set(event.noun, event.id === null || ids.size > NAMED_CHANGES_MAX ? null : ids)
  }
  return [
    ...[...versions].map(([datasetId, dataVersion]) => ({ kind: 'data' as const, datasetId, dataVersion })),
    ...[...changes].flatMap(([noun, ids]) =>
      (ids === null ? [null] : [...ids]).map((id) => ({ kind: 'changed' as const, noun, id })),
    ),
  ]
}

const REQUIRED_PERMISSION: Record<LiveNoun, Permission> = {
  insight: 'view:insight',
  finding: 'view:insight',
  metric: 'view:insight',
  grouping: 'view:insight',
  unmatched: 'view:insight',
  target: 'view:insight',
  alert: 'view:insight',
  forecast: 'view:insight',
  report: 'view:report',
  note: 'view:insight',
  comment: 'view:report',
  rates: 'view:insight',
  category: 'view:insight',
  accounts: 'view:insight',
  source: 'view:source',
  dataset: 'view:source',
  relation: 'view:source',
  group: 'view:member',
  member: 'view:member',
}

/** Who is told: what they act as, and whose new rows. */
export interface Subscriber {
  role: Role
  datasets: SocketGrant['datasets']
}

/**
 * What somebody may know of what happened. Whoever reads only some datasets hears of new rows in those alone, and of
 * other changes that there were some, not in what.
 */
export function visibleEvents({ role, datasets }: Subscriber, events: readonly LiveEvent[]): LiveEvent[] {
  if (datasets === 'all') return events.filter((event) => roleMay(role, permissionOf(event)))
  return mergeEvents(
    events.flatMap((event): LiveEvent[] => {
      if (!roleMay(role, permissionOf(event))) return []
      if (event.kind === 'changed') return [{ ...event, id: null }]
      if (datasets === null) return [{ kind: 'changed', noun: 'source', id: null }]
      return hears(datasets, event.datasetId) ? [event] : []
    }),
  )
}

const hears = (datasets: string[] | { except: string[] }, id: string): boolean =>
  Array.isArray(datasets) ? datasets.includes(id) : !datasets.except.includes(id)

const permissionOf = (event: LiveEvent): Permission =>
  event.kind === 'data' ? 'view:data' : REQUIRED_PERMISSION[event.noun]

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
const AFFECTS_ALL_MEMBERS = /^(workspace\.(delete|purge)$|ownership\.accept$|subscription\.|access\.|group\.)/
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
