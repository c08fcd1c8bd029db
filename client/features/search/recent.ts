import { session, workspaceId } from '../../lib/session'

/** What this person opened last from the search, by workspace, kept in the browser. */
const RECENT_MAX = 8
const keyOf = (): string => `insikt.search.recent.${session().user?.id}.${workspaceId()}`

export function recentIds(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf()) ?? '[]')
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : []
  } catch {
    // A browser that keeps nothing has no recent items.
    return []
  }
}

export function rememberOpened(id: string): void {
  try {
    const ids = [id, ...recentIds().filter((one) => one !== id)].slice(0, RECENT_MAX)
    localStorage.setItem(keyOf(), JSON.stringify(ids))
  } catch {
    // Not kept: the search works without.
  }
}
