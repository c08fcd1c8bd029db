import { queryOptions, useQuery } from '@tanstack/react-query'
import { readJson, api } from './api'
import { useMay } from './gate'
import { useMoney } from './money'
import { session, useSession } from './session'
import { offerFor } from './upgrade'
import type { PlanNeed, Offer } from './upgrade'
import type { Member } from '../../src/shared/members'
import type { ListPage } from '../../src/shared/names'

/** Who owns this tab's workspace. */
export const ownersQuery = () =>
  queryOptions({
    queryKey: ['members', 'owners', session().workspace?.id],
    queryFn: ({ signal }) =>
      readJson<ListPage<Member>>(api.api.members.$get({ query: { role: 'owner' } }, { init: { signal } })),
    staleTime: 5 * 60_000,
  })

const NAMES_MAX = 2
/** Who can buy: owners by name while they are few, else by their role. */
export function describePlanBuyers(owners: readonly Pick<Member, 'name'>[]): string {
  if (owners.length === 0 || owners.length > NAMES_MAX) return 'An owner or admin of the workspace'
  return owners.map(({ name }) => name).join(' or ')
}

export interface UpgradeOffer {
  offer: Offer
  /** "20 € per month", "from 195 € per month"; null where it has no price of its own. */
  price: string | null
  /** Whether the person may buy it; otherwise `who` can. */
  mayBuy: boolean
  who: string
}

/** What helps the person of this tab with what is missing; null where nothing is sold. */
export function useUpgradeOffer(planNeed: PlanNeed): UpgradeOffer | null {
  const { workspace, config } = useSession()
  const money = useMoney()
  const mayBuy = useMay('edit:subscription')
  const mayAsk = useMay('view:member')
  const offer = workspace ? offerFor(planNeed, workspace.entitlements, config.billing) : null
  const owners = useQuery({ ...ownersQuery(), enabled: offer !== null && !mayBuy && mayAsk })
  if (!offer) return null
  const { costs } = offer
  const price = costs === null ? null : `${costs.from ? 'from ' : ''}${money(costs.amount)} per month`
  return { offer, price, mayBuy, who: describePlanBuyers(owners.data?.items ?? []) }
}
