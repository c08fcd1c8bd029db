import type { AlertGroupState } from './model/alert-state'
import type { Cell } from '../../shared/query/result'

/** One group as it is kept between evaluations. */
export interface StoredGroup extends AlertGroupState {
  member: Cell
  label: string | null
  period: string | null
  value: number | null
  compared: number | null
}
/** Groups that an alert remembers, and their size as JSON: what one row of a database holds, and one evaluation asks for. */
export const STORED_GROUPS_MAX = 1_000
export const STORED_GROUPS_MAX_BYTES = 1_000_000

/** Nothing would be missed of it: it has set nothing off, and is not about to. */
const isInactive = ({ state, told, streak }: StoredGroup): boolean => state === 'ok' && told === 'ok' && streak === 0

/**
 * The groups that there is room for, in their order: those that something goes on in first, then the first of the others.
 * Members come and go without end, and values can be long.
 */
export function limitStoredGroups(kept: readonly StoredGroup[]): StoredGroup[] {
  const [loud, quiet] = [kept.filter((group) => !isInactive(group)), kept.filter(isInactive)]
  let bytes = 0
  const among = new Set(
    [...loud, ...quiet]
      .slice(0, STORED_GROUPS_MAX)
      .filter((group) => (bytes += storedBytes(group)) <= STORED_GROUPS_MAX_BYTES),
  )
  return kept.filter((group) => among.has(group))
}
const storedBytes = (group: StoredGroup): number => new TextEncoder().encode(JSON.stringify(group)).byteLength + 1
