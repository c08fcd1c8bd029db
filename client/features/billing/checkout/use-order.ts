import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { addOnList } from '../plan-prices'
import type { PlanSelection } from './plan-selection'
import { startCheckout, changePlan, resumeSubscription, saveBillingDetails, saveRetainedItems } from './queries'
import { useIdempotencyKey } from '../../../lib/use-idempotency-key'
import { loadSession } from '../../../lib/session-actions'
import { cacheSubscription } from '../../../lib/queries/subscription-queries'
import type {
  BillingDetailsInput,
  ChangePreview,
  CheckoutInput,
  RetainInput,
  SubscriptionView,
} from '../../../../src/shared/billing/subscription'

/** What the button carries out: what was chosen, and the figures that were shown for it. */
export interface CheckoutOrder {
  choice: PlanSelection
  view: SubscriptionView
  preview: ChangePreview
  /** Saved before an order by invoice; null = stored already, or not asked for. */
  details: BillingDetailsInput | null
  /** Null = nothing else stays than by age. */
  retainedItems: RetainInput | null
}
/** Carried out: the page to pay on, or what the subscription is now. */
type OrderResult = { url: string } | { view: SubscriptionView; unsaved: boolean }

/** A key for each step, so that a second try repeats none of them. */
function useStepKeys() {
  return { details: useIdempotencyKey(), buy: useIdempotencyKey(), change: useIdempotencyKey() }
}

/**
 * Carries out an order: a first purchase leads to the page to pay on, everything else takes effect here. Figures are
 * asked for anew after every try.
 */
export function useCheckoutOrder(onChanged: (done: { view: SubscriptionView; unsaved: boolean }) => void) {
  const client = useQueryClient()
  const keys = useStepKeys()
  // Whoever comes back from a page asks for the page anew: the one that was answered may be closed by now.
  const pageSerial = useRef(0)
  const storeSubscription = (view: SubscriptionView) => cacheSubscription(client, view)

  const startPurchase = async ({ choice, details, retainedItems }: CheckoutOrder): Promise<OrderResult> => {
    if (details) await storeSubscription(await saveBillingDetails(details, keys.details(details)))
    if (retainedItems) await storeSubscription(await saveRetainedItems(retainedItems))
    const { planId, interval, addOns, method } = choice
    const input: CheckoutInput = { planId, interval, method, addOns: addOnList(addOns) }
    const page = await startCheckout(input, keys.buy([input, pageSerial.current]))
    pageSerial.current += 1
    return page
  }
  const change = async ({ choice, view, preview, retainedItems }: CheckoutOrder): Promise<OrderResult> => {
    const { planId, interval, addOns } = choice
    const list = addOnList(addOns)
    const json = { planId, interval, addOns: list, version: view.version, prorationAt: preview.prorationAt }
    const changed = await changePlan(json, keys.change(json))
    await storeSubscription(changed)
    if (!retainedItems) return { view: changed, unsaved: false }
    // The change is made and stays made; what stays can be chosen again on the page of the subscription.
    return saveRetainedItems(retainedItems).then(
      (saved) => ({ view: saved, unsaved: false }),
      () => ({ view: changed, unsaved: true }),
    )
  }
  const mutation = useMutation({
    mutationFn: (order: CheckoutOrder) => (order.preview.when === 'checkout' ? startPurchase(order) : change(order)),
    onSuccess: async (done) => {
      if ('url' in done) return window.location.assign(done.url)
      await storeSubscription(done.view)
      await loadSession().catch(() => undefined)
      void client.invalidateQueries({ queryKey: ['subscription'] })
      onChanged(done)
    },
    onError: () => client.invalidateQueries({ queryKey: ['subscription'] }),
  })
  const { reset } = mutation
  // Back from the page to pay on, as the browser kept this one: the button works again.
  useEffect(() => {
    const back = (event: PageTransitionEvent) => event.persisted && reset()
    window.addEventListener('pageshow', back)
    return () => window.removeEventListener('pageshow', back)
  }, [reset])
  return mutation
}

/** Takes back what is planned: a change at the end of the period, or the end of the subscription. */
export function useResumeSubscription() {
  const client = useQueryClient()
  const keyOf = useIdempotencyKey()
  return useMutation({
    mutationFn: (version: number) => resumeSubscription(version, keyOf(version)),
    onSuccess: async (view) => {
      await cacheSubscription(client, view)
      notifications.show({ color: 'green', message: 'Everything goes on as it is.' })
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['subscription'] }),
  })
}
