import { queryOptions } from '@tanstack/react-query'
import { send } from './api'
import { session } from './session'
import type { SubscriptionView } from '../../src/shared/subscription'

/** The subscription of this tab's workspace. */
export const subscriptionQuery = () =>
  queryOptions({
    queryKey: ['subscription', 'view', session().workspace?.id],
    queryFn: async ({ signal }): Promise<SubscriptionView> => (await send('/api/subscription', { signal })).json(),
  })
