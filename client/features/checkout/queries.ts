import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { send } from '../../lib/api'
import { session } from '../../lib/session'
import type {
  BillingDetailsInput,
  ChangePlanInput,
  ChangePreview,
  CheckoutInput,
  KeepInput,
  SubscriptionView,
} from '../../../src/shared/subscription'

const here = (): string | undefined => session().workspace?.id
const write = async <T>(path: string, json: unknown, init: RequestInit): Promise<T> =>
  (await send(path, { ...init, body: JSON.stringify(json) })).json()
const put = <T>(path: string, json: unknown, key: string): Promise<T> =>
  write(path, json, { method: 'PUT', headers: { 'idempotency-key': key } })

/** What a choice costs and changes, as the server reckons it for the subscription of this version. */
export const previewQuery = (choice: CheckoutInput, version: number) =>
  queryOptions({
    queryKey: ['subscription', 'preview', here(), choice, version],
    queryFn: ({ signal }) => write<ChangePreview>('/api/subscription/preview', choice, { method: 'POST', signal }),
    placeholderData: keepPreviousData,
    retry: false,
  })

/** Each `key` names an intent: the same order sent twice is carried out once. */
export const beginCheckout = (json: CheckoutInput, key: string) =>
  write<{ url: string }>('/api/stripe/checkout', json, { method: 'POST', headers: { 'idempotency-key': key } })
export const changePlan = (json: ChangePlanInput, key: string) => put<SubscriptionView>('/api/subscription', json, key)
export const saveDetails = (json: BillingDetailsInput, key: string) =>
  put<SubscriptionView>('/api/subscription/details', json, key)
export const saveKept = (json: KeepInput, key: string) => put<SubscriptionView>('/api/subscription/keep', json, key)
/** Takes back a cancellation, or a change that waits for the end of the period. */
export const keepPlan = (version: number, key: string) =>
  write<SubscriptionView>(
    '/api/subscription/resume',
    { version },
    { method: 'POST', headers: { 'idempotency-key': key } },
  )
