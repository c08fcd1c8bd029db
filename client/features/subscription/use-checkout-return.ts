import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { readAround, refreshSubscription } from './queries'
import { session } from '../../lib/session'
import { takeSubscription } from '../../lib/subscription-calls'
import type { SubscriptionView } from '../../../src/shared/subscription'

/** Waits after each question, in ms: ever longer, then no more. */
export const WAITS = [1_000, 2_000, 3_000, 5_000, 8_000, 12_000]

/** `done`: bought; otherwise no payment was seen (`waiting`), or billing did not answer (`away`). */
type Outcome = 'done' | 'waiting' | 'away'
export type ReturnPhase = 'asking' | Outcome

const isBought = ({ state }: SubscriptionView): boolean => state === 'active' || state === 'invoice_pending'
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Asks until billing knows of the purchase, a few times at most. */
async function ask(client: QueryClient, signal: AbortSignal): Promise<Outcome> {
  let outcome: Outcome = 'waiting'
  for (const ms of [0, ...WAITS]) {
    await wait(ms)
    if (signal.aborted) return outcome
    const view = await refreshSubscription().catch(() => null)
    outcome = view === null ? 'away' : isBought(view) ? 'done' : 'waiting'
    if (view) await takeSubscription(client, view)
    if (outcome === 'done') return outcome
  }
  return outcome
}

/** After a return from the payment page: whether the purchase is known by now. */
export function useCheckoutReturn(): { phase: ReturnPhase; again: () => void } {
  const client = useQueryClient()
  const { data, isFetching, refetch } = useQuery({
    queryKey: ['subscription', 'return', session().workspace?.id],
    queryFn: async ({ signal }) => {
      const outcome = await ask(client, signal)
      if (outcome !== 'done') return outcome
      await readAround(client)
      return outcome
    },
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  })
  return { phase: data === undefined || isFetching ? 'asking' : data, again: () => void refetch() }
}
