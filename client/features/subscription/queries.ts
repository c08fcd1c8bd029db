import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { heldAddOns } from './plan-names'
import { leaveForPortal } from './portal-return'
import { answer, api, idempotencyKey } from '../../lib/api'
import { session } from '../../lib/session'
import { loadSession } from '../../lib/session-calls'
import { subscriptionQuery, takeSubscription } from '../../lib/subscription-calls'
import type { Page } from '../../../src/shared/names'
import { previewSchema } from '../../../src/shared/subscription'
import type {
  BillingDetailsInput,
  ChangePreview,
  ContactInput,
  InvoiceView,
  KeepInput,
  PlanChoice,
  SubscriptionView,
  Upcoming,
} from '../../../src/shared/subscription'

const PAGE = '10'
const here = (): string | undefined => session().workspace?.id
const once = () => ({ headers: { 'idempotency-key': idempotencyKey() } })

export const upcomingQuery = () =>
  queryOptions({
    queryKey: ['subscription', 'upcoming', here()],
    queryFn: ({ signal }) => answer<Upcoming | null>(api.api.subscription.upcoming.$get({}, { init: { signal } })),
    retry: false,
  })

export const invoicesQuery = () =>
  infiniteQueryOptions({
    queryKey: ['subscription', 'invoices', here()],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      answer<Page<InvoiceView>>(
        api.api.subscription.invoices.$get(
          { query: { limit: PAGE, ...(pageParam === '' ? {} : { cursor: pageParam }) } },
          { init: { signal } },
        ),
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    retry: false,
  })

/** What would be frozen by a change that waits; the server reckons it as it does before a change. */
export const waitingQuery = ({ planId, interval, addOns }: PlanChoice, version: number) =>
  queryOptions({
    queryKey: ['subscription', 'waiting', here(), version],
    queryFn: ({ signal }) => {
      const list = heldAddOns(addOns).map(([id, qty]) => ({ id, qty }))
      const json = previewSchema.parse({ planId, interval, addOns: list })
      return answer<ChangePreview>(api.api.subscription.preview.$post({ json }, { init: { signal } }))
    },
    retry: false,
  })

/** Has billing asked for what it knows now. */
export const refreshSubscription = () => answer<SubscriptionView>(api.api.subscription.refresh.$post({}, once()))

const cancel = (version: number) =>
  answer<SubscriptionView>(api.api.subscription.cancel.$post({ json: { version } }, once()))
const resume = (version: number) =>
  answer<SubscriptionView>(api.api.subscription.resume.$post({ json: { version } }, once()))
const saveDetails = (json: BillingDetailsInput) =>
  answer<SubscriptionView>(api.api.subscription.details.$put({ json }, once()))
const saveKept = (json: KeepInput) => answer<SubscriptionView>(api.api.subscription.keep.$put({ json }, once()))

/** Reads anew what depends on the subscription: limits and rights of every screen stand in the session. */
export const readAround = (client: QueryClient): Promise<unknown> =>
  Promise.all([
    loadSession().catch(() => null),
    client.invalidateQueries({ queryKey: upcomingQuery().queryKey }),
    client.invalidateQueries({ queryKey: invoicesQuery().queryKey }),
  ])

/** An answer that is the subscription: shown at once, and what depends on it is read anew. */
function useSubscriptionWrite<In>(call: (input: In) => Promise<SubscriptionView>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: call,
    onSuccess: async (view) => {
      await takeSubscription(client, view)
      void readAround(client)
    },
    // Somebody else, or time, changed it meanwhile: what is shown is out of date.
    onError: () => client.invalidateQueries({ queryKey: subscriptionQuery().queryKey }),
  })
}

export const useRefresh = () => useSubscriptionWrite<void>(refreshSubscription)
export const useCancel = () => useSubscriptionWrite(cancel)
export const useResume = () => useSubscriptionWrite(resume)
export const useSaveDetails = () => useSubscriptionWrite(saveDetails)
export const useKeep = () => useSubscriptionWrite(saveKept)

/** Asks for a page of the payment provider and goes there. */
export const usePortal = () =>
  useMutation({
    mutationFn: () => answer<{ url: string }>(api.api.stripe.portal.$post({}, once())),
    onSuccess: ({ url }) => {
      leaveForPortal()
      window.location.assign(url)
    },
  })

export const useContact = () =>
  useMutation({
    mutationFn: (json: ContactInput) => answer<{ sent: true }>(api.api.subscription.contact.$post({ json }, once())),
  })
