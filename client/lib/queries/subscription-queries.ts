import { workspaceId } from '../session'
import { jsonQuery } from './query-options'
import type { QueryClient } from '@tanstack/react-query'
import { api } from '../api'
import type { ListPage } from '../../../src/shared/field-schemas'
import type { InvoiceView, SubscriptionView } from '../../../src/shared/billing/subscription'

/** The subscription of this tab's workspace. */
export const subscriptionQuery = () =>
  jsonQuery<SubscriptionView>(['subscription', 'view', workspaceId()], (options) =>
    api.api.subscription.$get({}, options),
  )

/** Shows an answer that is the subscription; one that is still on its way from before does not replace it. */
export async function cacheSubscription(client: QueryClient, view: SubscriptionView): Promise<void> {
  const { queryKey } = subscriptionQuery()
  await client.cancelQueries({ queryKey })
  client.setQueryData(queryKey, view)
}

const NEWEST_INVOICES = '50'

/** The newest invoices of this tab's workspace. */
export const newestInvoicesQuery = () =>
  jsonQuery<ListPage<InvoiceView>>(['subscription', 'newest-invoices', workspaceId()], (options) =>
    api.api.subscription.invoices.$get({ query: { limit: NEWEST_INVOICES } }, options),
  )
