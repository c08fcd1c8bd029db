import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { idempotencyKey, send } from '../../lib/api'
import { session } from '../../lib/session'
import { loadSession } from '../../lib/session-calls'
import { subscriptionQuery } from '../../lib/subscription-calls'
import type { Page } from '../../../src/shared/names'
import type {
  BillingDetailsInput,
  ContactInput,
  InvoiceView,
  KeepInput,
  SubscriptionView,
  Upcoming,
} from '../../../src/shared/subscription'

const PAGE = '10'
const here = (): string | undefined => session().workspace?.id
const read = async <T>(path: string, signal: AbortSignal): Promise<T> => (await send(path, { signal })).json()
const write = async <T>(method: 'POST' | 'PUT', path: string, body?: unknown): Promise<T> => {
  const headers = { 'idempotency-key': idempotencyKey() }
  return (await send(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })).json()
}

export const upcomingQuery = () =>
  queryOptions({
    queryKey: ['subscription', 'upcoming', here()],
    queryFn: ({ signal }) => read<Upcoming | null>('/api/subscription/upcoming', signal),
    retry: false,
  })

export const invoicesQuery = () =>
  infiniteQueryOptions({
    queryKey: ['subscription', 'invoices', here()],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      read<Page<InvoiceView>>(
        `/api/subscription/invoices?limit=${PAGE}${pageParam === '' ? '' : `&cursor=${encodeURIComponent(pageParam)}`}`,
        signal,
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    retry: false,
  })

/** Has billing asked for what it knows now. */
export const refreshSubscription = () => write<SubscriptionView>('POST', '/api/subscription/refresh')

/** An answer that is the subscription: shown at once, and what depends on it is read anew. */
function useSubscriptionWrite<In>(call: (input: In) => Promise<SubscriptionView>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: call,
    onSuccess: (view) => {
      client.setQueryData(subscriptionQuery().queryKey, view)
      // Limits and rights of every screen stand in the session.
      void loadSession()
      void client.invalidateQueries({ queryKey: upcomingQuery().queryKey })
      void client.invalidateQueries({ queryKey: invoicesQuery().queryKey })
    },
    // Somebody else, or time, changed it meanwhile: what is shown is out of date.
    onError: () => client.invalidateQueries({ queryKey: subscriptionQuery().queryKey }),
  })
}

export const useRefresh = () => useSubscriptionWrite<void>(refreshSubscription)
export const useCancel = () =>
  useSubscriptionWrite((version: number) => write('POST', '/api/subscription/cancel', { version }))
export const useResume = () =>
  useSubscriptionWrite((version: number) => write('POST', '/api/subscription/resume', { version }))
export const useSaveDetails = () =>
  useSubscriptionWrite((json: BillingDetailsInput) => write('PUT', '/api/subscription/details', json))
export const useKeep = () => useSubscriptionWrite((json: KeepInput) => write('PUT', '/api/subscription/keep', json))

/** Asks for a page of the payment provider and goes there. */
export const usePortal = () =>
  useMutation({
    mutationFn: () => write<{ url: string }>('POST', '/api/stripe/portal'),
    onSuccess: ({ url }) => window.location.assign(url),
  })

export const useContact = () =>
  useMutation({ mutationFn: (json: ContactInput) => write<{ sent: true }>('POST', '/api/subscription/contact', json) })
