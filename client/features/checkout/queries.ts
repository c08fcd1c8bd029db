import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { answer, api } from '../../lib/api'
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
const under = (key: string) => ({ headers: { 'idempotency-key': key } })

/** What a choice costs and changes, as the server reckons it for the subscription of this version. */
export const previewQuery = (choice: CheckoutInput, version: number) =>
  queryOptions({
    queryKey: ['subscription', 'preview', here(), choice, version],
    queryFn: ({ signal }) =>
      answer<ChangePreview>(api.api.subscription.preview.$post({ json: choice }, { init: { signal } })),
    placeholderData: keepPreviousData,
    retry: false,
  })

/** Each `key` names an intent: the same order sent twice is carried out once. */
export const beginCheckout = (json: CheckoutInput, key: string) =>
  answer<{ url: string }>(api.api.stripe.checkout.$post({ json }, under(key)))
export const changePlan = (json: ChangePlanInput, key: string) =>
  answer<SubscriptionView>(api.api.subscription.$put({ json }, under(key)))
export const saveDetails = (json: BillingDetailsInput, key: string) =>
  answer<SubscriptionView>(api.api.subscription.details.$put({ json }, under(key)))
export const saveKept = (json: KeepInput) => answer<SubscriptionView>(api.api.subscription.keep.$put({ json }))
/** Takes back a cancellation, or a change that waits for the end of the period. */
export const keepPlan = (version: number, key: string) =>
  answer<SubscriptionView>(api.api.subscription.resume.$post({ json: { version } }, under(key)))
