import type { LiveEvent, LiveNoun } from '../shared/live'
import { roleMay } from '../shared/permissions'
import type { Permission, Role } from '../shared/permissions'

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
  note: 'view:insight',
  rates: 'view:insight',
  category: 'view:insight',
  accounts: 'view:insight',
  source: 'view:source',
  dataset: 'view:source',
  relation: 'view:source',
  group: 'view:member',
  member: 'view:member',
}

/** Who is told: what they act as, and the datasets they may read (`null`: some, of which none is known here). */
export interface Subscriber {
  role: Role
  datasets: 'all' | string[] | null
}

/**
 * What somebody may know of what happened. Whoever reads only some datasets hears of new rows in those alone, and of
 * other changes that there were some, not in what.
 */
export function visibleEvents({ role, datasets }: Subscriber, events: readonly LiveEvent[]): LiveEvent[] {
  if (datasets === 'all') return events.filter((event) => roleMay(role, permissionOf(event)))
  const allowed = new Set(datasets)
  return mergeEvents(
    events.flatMap((event): LiveEvent[] => {
      if (!roleMay(role, permissionOf(event))) return []
      if (event.kind === 'changed') return [{ ...event, id: null }]
      return allowed.has(event.datasetId)
        ? [event]
        : datasets === null
          ? [{ kind: 'changed', noun: 'source', id: null }]
          : []
    }),
  )
}

const permissionOf = (event: LiveEvent): Permission =>
  event.kind === 'data' ? 'view:data' : REQUIRED_PERMISSION[event.noun]
