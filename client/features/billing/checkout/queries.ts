import { workspaceId } from '../../../lib/session'
import { jsonQuery } from '../../../lib/queries/query-options'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { readJson, api, withIdempotencyKey } from '../../../lib/api'
import type {
  BillingDetailsInput,
  ChangePlanInput,
  ChangePreview,
  CheckoutInput,
  RetainInput,
  SubscriptionView,
} from '../../../../src/shared/billing/subscription'

/** What a choice costs and changes, as the server reckons it for the subscription of this version. */
export const previewQuery = (choice: CheckoutInput, version: number) =>
  queryOptions({
    ...jsonQuery<ChangePreview>(['subscription', 'preview', workspaceId(), choice, version], (options) =>
      api.api.subscription.preview.$post({ json: choice }, options),
    ),
    placeholderData: keepPreviousData,
    retry: false,
  })

/** Each `key` names an intent: the same order sent twice is carried out once. */
export const startCheckout = (json: CheckoutInput, key: string) =>
  readJson<{ url: string }>(api.api.stripe.checkout.$post({ json }, withIdempotencyKey(key)))
export const changePlan = (json: ChangePlanInput, key: string) =>
  readJson<SubscriptionView>(api.api.subscription.$put({ json }, withIdempotencyKey(key)))
export const saveBillingDetails = (json: BillingDetailsInput, key: string) =>
  readJson<SubscriptionView>(api.api.subscription.details.$put({ json }, withIdempotencyKey(key)))
export const saveRetainedItems = (json: RetainInput) =>
  readJson<SubscriptionView>(api.api.subscription.keep.$put({ json }))
/** Takes back a cancellation, or a change that waits for the end of the period. */
export const resumeSubscription = (version: number, key: string) =>
  readJson<SubscriptionView>(api.api.subscription.resume.$post({ json: { version } }, withIdempotencyKey(key)))
