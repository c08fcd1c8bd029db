import type { ListedLine } from './read-lines'
import { GROUP_MEMBERS_MAX, GROUPS_MAX } from '../../../shared/groups'
import type { ImportLine } from '../../../shared/groups'
import { nameKey, nameSchema } from '../../../shared/names'
import { canonicalEmail } from '../../../shared/session'

/** What a list is held against. Groups go by the key of their name, people by their address. */
export interface ImportState {
  groups: Map<string, { id: string; name: string; byHand: number }>
  people: Map<string, string>
  /** `<group id> <user id>` of everybody who belongs to a group already. */
  belonging: Set<string>
}
export interface PlannedGroup {
  key: string
  name: string
  /** Null: it is made. */
  id: string | null
  userIds: string[]
}
export interface ImportPlan {
  lines: ImportLine[]
  /** Groups that are made or get members. */
  groups: PlannedGroup[]
}

/** What becomes of every line, in order: a line sees what the lines before it would have done. */
export function planImport(listed: ListedLine[], state: ImportState): ImportPlan {
  const planned = new Map<string, PlannedGroup>()
  const made = (): number => [...planned.values()].filter(({ id }) => id === null).length
  const lines = listed.map((listing): ImportLine => {
    const name = nameSchema.safeParse(listing.group)
    const email = canonicalEmail(listing.email)
    const key = nameKey(listing.group)
    const known = state.groups.get(key)
    const shown = { ...listing, group: known?.name ?? planned.get(key)?.name ?? listing.group }
    const answer = (outcome: ImportLine['outcome']): ImportLine => ({
      ...shown,
      outcome,
      newGroup: outcome === 'added' && !known,
    })
    if (!name.success || email === null) return answer('invalid')
    const userId = state.people.get(email)
    if (userId === undefined) return answer('unknown_person')
    const group = planned.get(key) ?? { key, name: name.data, id: known?.id ?? null, userIds: [] }
    if (group.userIds.includes(userId)) return answer('already')
    if (known && state.belonging.has(`${known.id} ${userId}`)) return answer('already')
    const full = (known?.byHand ?? 0) + group.userIds.length >= GROUP_MEMBERS_MAX
    const crowded = !known && !planned.has(key) && state.groups.size + made() >= GROUPS_MAX
    if (full || crowded) return answer('too_many')
    group.userIds.push(userId)
    planned.set(key, group)
    return answer('added')
  })
  return { lines, groups: [...planned.values()] }
}
