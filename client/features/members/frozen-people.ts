import { useQuery } from '@tanstack/react-query'
import { useMay } from '../../lib/gate'
import { subscriptionQuery } from '../../lib/subscription-calls'
import type { FreezeList, Freezes } from '../../../src/shared/subscription'

/** People the plan has no room for, by id, and how many there are and may be. */
export interface FrozenPeople {
  /** They cannot use the workspace. */
  out: ReadonlySet<string>
  /** They may do what viewers may. */
  viewers: ReadonlySet<string>
  users: { count: number; max: number } | null
  analysts: { count: number; max: number } | null
}

export const NOBODY: FrozenPeople = { out: new Set(), viewers: new Set(), users: null, analysts: null }

const countOf = (list: FreezeList | null) => (list ? { count: list.items.length, max: list.max } : null)
const beyond = (list: FreezeList | null): string[] =>
  (list?.items ?? []).filter(({ stays }) => !stays).map(({ id }) => id)

/** Who of a workspace is beyond the plan. Whoever is out does not count as a viewer, too. */
export function frozenPeople(frozen: Pick<Freezes, 'users' | 'analysts'> | null): FrozenPeople {
  if (!frozen) return NOBODY
  const out = new Set(beyond(frozen.users))
  const viewers = new Set(beyond(frozen.analysts).filter((id) => !out.has(id)))
  return {
    out,
    viewers,
    users: out.size > 0 ? countOf(frozen.users) : null,
    analysts: viewers.size > 0 ? countOf(frozen.analysts) : null,
  }
}

/** The same for this tab's workspace; nobody until it is known, and for people who may not see it. */
export function useFrozenPeople(): FrozenPeople {
  const may = useMay('view:subscription')
  const { data } = useQuery({ ...subscriptionQuery(), enabled: may })
  return frozenPeople(data?.frozen ?? null)
}
