import { useQuery, useQueryClient } from '@tanstack/react-query'
import { forgetPortal, isBackFromPortal } from './portal-return'
import { readAround, refreshSubscription } from './queries'
import { session } from '../../lib/session'
import { takeSubscription } from '../../lib/subscription-calls'

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
      forgetPortal()
      await takeSubscription(client, view)
      await readAround(client)
      return true
    },
    enabled: isBackFromPortal(),
    retry: false,
    gcTime: 0,
  })
}
