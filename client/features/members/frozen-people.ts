import { useQuery } from '@tanstack/react-query'
import { useMay } from '../../lib/gate'
import { subscriptionQuery } from '../../lib/subscription-calls'
import type { OverLimitList, OverLimitSummary } from '../../../src/shared/subscription'

/** People the plan has no room for, by id, and how many there are and may be. */
export interface OverLimitMembers {
  /** They cannot use the workspace. */
  withoutSeat: ReadonlySet<string>
  /** They may do what viewers may. */
  actingAsViewers: ReadonlySet<string>
  users: { count: number; max: number } | null
  analysts: { count: number; max: number } | null
}

export const NO_OVER_LIMIT_MEMBERS: OverLimitMembers = {
  withoutSeat: new Set(),
  actingAsViewers: new Set(),
  users: null,
  analysts: null,
}

const countOf = (list: OverLimitList | null) => (list ? { count: list.items.length, max: list.max } : null)
const overLimitIds = (list: OverLimitList | null): string[] =>
  (list?.items ?? []).filter(({ stays }) => !stays).map(({ id }) => id)

/** Who of a workspace is beyond the plan. Whoever is out does not count as a viewer, too. */
export function overLimitMembers(frozen: Pick<OverLimitSummary, 'users' | 'analysts'> | null): OverLimitMembers {
  if (!frozen) return NO_OVER_LIMIT_MEMBERS
  const withoutSeat = new Set(overLimitIds(frozen.users))
  const actingAsViewers = new Set(overLimitIds(frozen.analysts).filter((id) => !withoutSeat.has(id)))
  return {
    withoutSeat,
    actingAsViewers,
    users: withoutSeat.size > 0 ? countOf(frozen.users) : null,
    analysts: actingAsViewers.size > 0 ? countOf(frozen.analysts) : null,
  }
}

/** The same for this tab's workspace; nobody until it is known, and for people who may not see it. */
export function useOverLimitMembers(): OverLimitMembers {
  const may = useMay('view:subscription')
  const { data } = useQuery({ ...subscriptionQuery(), enabled: may })
  return overLimitMembers(data?.frozen ?? null)
}
