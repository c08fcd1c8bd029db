import type { KeptGroup } from './rows'

/** Groups that an alert remembers, and their size as JSON: what one row of a database holds, and one evaluation asks for. */
export const KEPT_MAX = 1_000
export const KEPT_MAX_BYTES = 1_000_000

/** Nothing would be missed of it: it has set nothing off, and is not about to. */
const isQuiet = ({ state, told, streak }: KeptGroup): boolean => state === 'ok' && told === 'ok' && streak === 0

/**
 * The groups that there is room for, in their order: those that something goes on in first, then the first of the others.
 * Members come and go without end, and values can be long.
 */
export function withRoom(kept: readonly KeptGroup[]): KeptGroup[] {
  const [loud, quiet] = [kept.filter((group) => !isQuiet(group)), kept.filter(isQuiet)]
  let bytes = 0
  const among = new Set(
    [...loud, ...quiet].slice(0, KEPT_MAX).filter((group) => (bytes += sizeOf(group)) <= KEPT_MAX_BYTES),
  )
  return kept.filter((group) => among.has(group))
}
const sizeOf = (group: KeptGroup): number => new TextEncoder().encode(JSON.stringify(group)).byteLength + 1
