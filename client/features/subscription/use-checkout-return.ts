import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { refreshDependents, refreshSubscription } from './queries'
import { session } from '../../lib/session'
import { cacheSubscription } from '../../lib/subscription-calls'
import type { SubscriptionView } from '../../../src/shared/subscription'

/** Waits after each question, in ms: ever longer, then no more. */
export const POLL_DELAYS_MS = [1_000, 2_000, 3_000, 5_000, 8_000, 12_000]

/** `done`: bought; otherwise no payment was seen (`waiting`), or billing did not answer (`away`). */
type PollOutcome = 'done' | 'waiting' | 'away'
export type CheckoutReturnPhase = 'asking' | PollOutcome

const isPurchased = ({ state }: SubscriptionView): boolean => state === 'active' || state === 'invoice_pending'
const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Asks until billing knows of the purchase, a few times at most. */
async function pollPurchase(client: QueryClient, signal: AbortSignal): Promise<PollOutcome> {
  let pollOutcome: PollOutcome = 'waiting'
  for (const ms of [0, ...POLL_DELAYS_MS]) {
    await delay(ms)
    if (signal.aborted) return pollOutcome
    const view = await refreshSubscription().catch(() => null)
    pollOutcome = view === null ? 'away' : isPurchased(view) ? 'done' : 'waiting'
    if (view) await cacheSubscription(client, view)
    if (pollOutcome === 'done') return pollOutcome
  }
  return pollOutcome
}

/** After a return from the payment page: whether the purchase is known by now. */
export function useCheckoutReturn(): { phase: CheckoutReturnPhase; again: () => void } {
  const client = useQueryClient()
  const { data, isFetching, refetch } = useQuery({
    queryKey: ['subscription', 'return', session().workspace?.id],
    queryFn: async ({ signal }) => {
      const outcome = await pollPurchase(client, signal)
      if (outcome !== 'done') return outcome
      await refreshDependents(client)
      return outcome
    },
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  })
  return { phase: data === undefined || isFetching ? 'asking' : data, again: () => void refetch() }
}
