import { workspaceId } from '../../../lib/session'
import { jsonQuery, pagesQuery } from '../../../lib/queries/query-options'
import { infiniteQueryOptions, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { addOnList } from '../plan-prices'
import { readJson, api, withIdempotencyKey } from '../../../lib/api'
import { loadSession } from '../../../lib/session-actions'
import { subscriptionQuery, cacheSubscription } from '../../../lib/queries/subscription-queries'
import { previewChangeSchema } from '../../../../src/shared/billing/subscription'
import type {
  BillingDetailsInput,
  ChangePreview,
  ContactSalesInput,
  InvoiceView,
  RetainInput,
  PlanChoice,
  SubscriptionView,
  UpcomingInvoices,
} from '../../../../src/shared/billing/subscription'

const PORTAL_STORAGE_KEY = 'payment-portal'

/** Remembers in this tab that the payment portal is open: whatever is done there, billing is asked on the way back. */
const markPortalOpened = (): void => sessionStorage.setItem(PORTAL_STORAGE_KEY, workspaceId() ?? '')

/** Whether this workspace's portal was opened from this tab. */
export const isReturningFromPortal = (): boolean => sessionStorage.getItem(PORTAL_STORAGE_KEY) === workspaceId()
export const clearPortalMark = (): void => sessionStorage.removeItem(PORTAL_STORAGE_KEY)

const PAGE_SIZE = '10'

export const upcomingQuery = () =>
  queryOptions({
    ...jsonQuery<UpcomingInvoices | null>(['subscription', 'upcoming', workspaceId()], (options) =>
      api.api.subscription.upcoming.$get({}, options),
    ),
    retry: false,
  })

export const invoicesQuery = () =>
  infiniteQueryOptions({
    ...pagesQuery<InvoiceView>(['subscription', 'invoices', workspaceId()], (cursor, options) =>
      api.api.subscription.invoices.$get({ query: { limit: PAGE_SIZE, cursor } }, options),
    ),
    retry: false,
  })

/** What would be frozen by a change that waits; the server reckons it as it does before a change. */
export const scheduledChangeQuery = ({ planId, interval, addOns }: PlanChoice, version: number) =>
  queryOptions({
    ...jsonQuery<ChangePreview>(['subscription', 'waiting', workspaceId(), version], (options) => {
      const list = addOnList(addOns)
      const json = previewChangeSchema.parse({ planId, interval, addOns: list })
      return api.api.subscription.preview.$post({ json }, options)
    }),
    retry: false,
  })

/** Has billing asked for what it knows now. */
export const refreshSubscription = () =>
  readJson<SubscriptionView>(api.api.subscription.refresh.$post({}, withIdempotencyKey()))

const cancelSubscription = (version: number) =>
  readJson<SubscriptionView>(api.api.subscription.cancel.$post({ json: { version } }, withIdempotencyKey()))
const resumeSubscription = (version: number) =>
  readJson<SubscriptionView>(api.api.subscription.resume.$post({ json: { version } }, withIdempotencyKey()))
const saveBillingDetails = (json: BillingDetailsInput) =>
  readJson<SubscriptionView>(api.api.subscription.details.$put({ json }, withIdempotencyKey()))
const saveRetainedItems = (json: RetainInput) =>
  readJson<SubscriptionView>(api.api.subscription.keep.$put({ json }, withIdempotencyKey()))

/** Reads anew what depends on the subscription: limits and rights of every screen stand in the session. */
export const refreshDependents = (client: QueryClient): Promise<unknown> =>
  Promise.all([
    loadSession().catch(() => null),
    client.invalidateQueries({ queryKey: upcomingQuery().queryKey }),
    client.invalidateQueries({ queryKey: invoicesQuery().queryKey }),
  ])

/** An answer that is the subscription: shown at once, and what depends on it is read anew. */
function useSubscriptionMutation<In>(mutate: (input: In) => Promise<SubscriptionView>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: mutate,
    onSuccess: async (view) => {
      await cacheSubscription(client, view)
      void refreshDependents(client)
    },
    // Somebody else, or time, changed it meanwhile: what is shown is out of date.
    onError: () => client.invalidateQueries({ queryKey: subscriptionQuery().queryKey }),
  })
}

export const useRefreshSubscription = () => useSubscriptionMutation<void>(refreshSubscription)
export const useCancelSubscription = () => useSubscriptionMutation(cancelSubscription)
export const useResumeSubscription = () => useSubscriptionMutation(resumeSubscription)
export const useSaveBillingDetails = () => useSubscriptionMutation(saveBillingDetails)
export const useSaveRetainedItems = () => useSubscriptionMutation(saveRetainedItems)

/** Asks for a page of the payment provider and goes there. */
export const useOpenPortal = () =>
  useMutation({
    mutationFn: () => readJson<{ url: string }>(api.api.stripe.portal.$post({}, withIdempotencyKey())),
    onSuccess: ({ url }) => {
      markPortalOpened()
      window.location.assign(url)
    },
  })

export const useContactSales = () =>
  useMutation({
    mutationFn: (json: ContactSalesInput) =>
      readJson<{ sent: true }>(api.api.subscription.contact.$post({ json }, withIdempotencyKey())),
  })

/** How often billing is asked while the page shows an unpaid invoice, in ms: a payment shows within a minute. */
export const PAYMENT_POLL_MS = 20_000

/** Asks billing again and again while a payment is awaited, and as soon as the person is back at the page. */
export function usePaymentPolling(enabled: boolean): void {
  const client = useQueryClient()
  useQuery({
    queryKey: ['subscription', 'payment', workspaceId()],
    queryFn: async () => {
      const view = await refreshSubscription()
      const known = client.getQueryData(subscriptionQuery().queryKey)
      await cacheSubscription(client, view)
      if (known?.state !== view.state || known.invoiceDueAt !== view.invoiceDueAt) await refreshDependents(client)
      return true
    },
    enabled,
    // What the page shows was read just now.
    initialData: true,
    staleTime: PAYMENT_POLL_MS,
    refetchInterval: PAYMENT_POLL_MS,
    refetchOnWindowFocus: 'always',
    retry: false,
    gcTime: 0,
  })
}
