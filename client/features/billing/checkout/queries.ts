import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { readJson, api } from '../../../lib/api'
import { session } from '../../../lib/session'
import type {
  BillingDetailsInput,
  ChangePlanInput,
  ChangePreview,
  CheckoutInput,
  RetainInput,
  SubscriptionView,
} from '../../../../src/shared/billing/subscription'

const currentWorkspaceId = (): string | undefined => session().workspace?.id
const withKey = (key: string) => ({ headers: { 'idempotency-key': key } })

/** What a choice costs and changes, as the server reckons it for the subscription of this version. */
export const previewQuery = (choice: CheckoutInput, version: number) =>
  queryOptions({
    queryKey: ['subscription', 'preview', currentWorkspaceId(), choice, version],
    queryFn: ({ signal }) =>
      readJson<ChangePreview>(api.api.subscription.preview.$post({ json: choice }, { init: { signal } })),
    placeholderData: keepPreviousData,
    retry: false,
  })

/** Each `key` names an intent: the same order sent twice is carried out once. */
export const startCheckout = (json: CheckoutInput, key: string) =>
  readJson<{ url: string }>(api.api.stripe.checkout.$post({ json }, withKey(key)))
export const changePlan = (json: ChangePlanInput, key: string) =>
  readJson<SubscriptionView>(api.api.subscription.$put({ json }, withKey(key)))
export const saveBillingDetails = (json: BillingDetailsInput, key: string) =>
  readJson<SubscriptionView>(api.api.subscription.details.$put({ json }, withKey(key)))
export const saveRetainedItems = (json: RetainInput) =>
  readJson<SubscriptionView>(api.api.subscription.keep.$put({ json }))
/** Takes back a cancellation, or a change that waits for the end of the period. */
export const resumeSubscription = (version: number, key: string) =>
  readJson<SubscriptionView>(api.api.subscription.resume.$post({ json: { version } }, withKey(key)))
