import { queryOptions } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { readJson, api } from './api'
import { session } from './session'
import type { SubscriptionView } from '../../src/shared/billing/subscription'

/** The subscription of this tab's workspace. */
export const subscriptionQuery = () =>
  queryOptions({
    queryKey: ['subscription', 'view', session().workspace?.id],
    queryFn: ({ signal }) => readJson<SubscriptionView>(api.api.subscription.$get({}, { init: { signal } })),
  })

/** Shows an answer that is the subscription; one that is still on its way from before does not replace it. */
export async function cacheSubscription(client: QueryClient, view: SubscriptionView): Promise<void> {
  const { queryKey } = subscriptionQuery()
  await client.cancelQueries({ queryKey })
  client.setQueryData(queryKey, view)
}
