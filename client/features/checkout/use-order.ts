import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { addOnList } from './choice'
import type { Choice } from './choice'
import { beginCheckout, changePlan, keepPlan, saveDetails, saveKept } from './queries'
import { useIntentKey } from '../../lib/intent-key'
import { loadSession } from '../../lib/session-calls'
import { takeSubscription } from '../../lib/subscription-calls'
import type {
  BillingDetailsInput,
  ChangePreview,
  CheckoutInput,
  KeepInput,
  SubscriptionView,
} from '../../../src/shared/subscription'

/** What the button carries out: what was chosen, and the figures that were shown for it. */
export interface Order {
  choice: Choice
  view: SubscriptionView
  preview: ChangePreview
  /** Saved before an order by invoice; null = stored already, or not asked for. */
  details: BillingDetailsInput | null
  /** Null = nothing else stays than by age. */
  kept: KeepInput | null
}
/** Carried out: the page to pay on, or what the subscription is now. */
type Done = { url: string } | { view: SubscriptionView; unsaved: boolean }

/** A key for each step, so that a second try repeats none of them. */
function useKeys() {
  return { details: useIntentKey(), buy: useIntentKey(), change: useIntentKey() }
}

/**
 * Carries out an order: a first purchase leads to the page to pay on, everything else takes effect here. Figures are
 * asked for anew after every try.
 */
export function useOrder(onChanged: (done: { view: SubscriptionView; unsaved: boolean }) => void) {
  const client = useQueryClient()
  const keys = useKeys()
  // Whoever comes back from a page asks for the page anew: the one that was answered may be closed by now.
  const pages = useRef(0)
  const show = (view: SubscriptionView) => takeSubscription(client, view)

  const buy = async ({ choice, details, kept }: Order): Promise<Done> => {
    if (details) await show(await saveDetails(details, keys.details(details)))
    if (kept) await show(await saveKept(kept))
    const { planId, interval, addOns, method } = choice
    const input: CheckoutInput = { planId, interval, method, addOns: addOnList(addOns) }
    const page = await beginCheckout(input, keys.buy([input, pages.current]))
    pages.current += 1
    return page
  }
  const change = async ({ choice, view, preview, kept }: Order): Promise<Done> => {
    const { planId, interval, addOns } = choice
    const list = addOnList(addOns)
    const json = { planId, interval, addOns: list, version: view.version, prorationAt: preview.prorationAt }
    const changed = await changePlan(json, keys.change(json))
    await show(changed)
    if (!kept) return { view: changed, unsaved: false }
    // The change is made and stays made; what stays can be chosen again on the page of the subscription.
    return saveKept(kept).then(
      (saved) => ({ view: saved, unsaved: false }),
      () => ({ view: changed, unsaved: true }),
    )
  }
  const mutation = useMutation({
    mutationFn: (order: Order) => (order.preview.when === 'checkout' ? buy(order) : change(order)),
    onSuccess: async (done) => {
      if ('url' in done) return window.location.assign(done.url)
      await show(done.view)
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
export function useKeepPlan() {
  const client = useQueryClient()
  const keyOf = useIntentKey()
  return useMutation({
    mutationFn: (version: number) => keepPlan(version, keyOf(version)),
    onSuccess: async (view) => {
      await takeSubscription(client, view)
      notifications.show({ color: 'green', message: 'Everything goes on as it is.' })
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['subscription'] }),
  })
}
