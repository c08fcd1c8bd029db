import { ApiError } from '../../lib/api'
import type { DeletedItem, DeletedKind } from '../../../src/shared/deleted'
import type { Permission } from '../../../src/shared/permissions'

export const KIND_LABELS: Record<DeletedKind, string> = {
  source: 'Data source',
  insight: 'Insight',
  group: 'User group',
  grouping: 'Grouping',
}
/** Who may bring a kind back. */
export const RESTORE_PERMISSIONS: Record<DeletedKind, Permission> = {
  source: 'delete:source',
  insight: 'delete:insight',
  group: 'edit:group',
  grouping: 'edit:grouping',
}

const DAY_MS = 24 * 60 * 60 * 1000
/** How long is left: "12 days left", "last day". Started days count as whole ones. */
export function describeTimeLeft(until: string, now: number): string {
  const days = Math.ceil((Date.parse(until) - now) / DAY_MS)
  if (days <= 0) return 'gone for good soon'
  return days === 1 ? 'last day' : `${days} days left`
}

/** Why a thing could not come back and what to do about it; null when the refusal needs no words of its own. */
export function restoreErrorText(error: unknown, { name, kind }: Pick<DeletedItem, 'name' | 'kind'>): string | null {
  if (!(error instanceof ApiError)) return null
  const { code } = error.body
  const noun = KIND_LABELS[kind].toLowerCase()
  if (code === 'name_taken')
    return `Another ${noun} is called “${name}” by now. Rename that one, then restore this one.`
  if (code === 'limit_reached')
    return `There is no room for another ${noun}. Delete one that is not needed, then restore this one.`
  if (code === 'not_found') return `“${name}” is gone for good, or somebody has brought it back already.`
  return null
}
