import { useQuery, useQueryClient } from '@tanstack/react-query'
import { clearPortalMark, isReturningFromPortal } from './portal-return'
import { refreshDependents, refreshSubscription } from './queries'
import { session } from '../../lib/session'
import { cacheSubscription } from '../../lib/subscription-calls'

/**
 * Asks billing once, quietly, after the payment portal: a card that was changed or a subscription that was cancelled
 * there shows at once. Without an answer the page says what was known before.
 */
export function usePortalReturn(): void {
  const client = useQueryClient()
  useQuery({
    queryKey: ['subscription', 'portal', session().workspace?.id],
    queryFn: async () => {
      const view = await refreshSubscription()
      clearPortalMark()
      await cacheSubscription(client, view)
      await refreshDependents(client)
      return true
    },
    enabled: isReturningFromPortal(),
    retry: false,
    gcTime: 0,
  })
}
