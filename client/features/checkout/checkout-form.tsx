import { useDebouncedValue } from '@mantine/hooks'
import { Alert, Button, Stack } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { AddOnPicker } from './add-on-choice'
import { CheckoutError } from './checkout-refusal'
import { planName } from './checkout-words'
import { toCheckoutInput, isFirstPurchase } from './choice'
import type { PlanSelection } from './choice'
import classes from './checkout.module.css'
import { OverLimitSection } from './freeze-section'
import { PaymentMethodPicker } from './method-choice'
import { OrderSummary } from './order-summary'
import { PlanPicker } from './plan-choice'
import { PremiumSyncPicker } from './premium-choice'
import { previewQuery } from './queries'
import { DETAIL_FIELDS, detailsToSave, useBillingDetailsForm } from './use-details'
import type { BillingDetailsForm } from './use-details'
import { useRetainedSelection } from './use-kept'
import { useResumeSubscription, useCheckoutOrder } from './use-order'
import { useFormat } from '../../lib/format'
import { applyFieldErrors, FormError } from '../../ui/form-error'
import { LinkButton } from '../../ui/links'
import { checkoutSchema } from '../../../src/shared/subscription'
import type { SubscriptionView } from '../../../src/shared/subscription'

/** How long the choice rests before its price is asked for, in ms. */
const PREVIEW_DEBOUNCE_MS = 300

export interface CheckoutFormProps {
  choice: PlanSelection
  view: SubscriptionView
  onChoose: (planSelection: PlanSelection) => void
  /** A change was carried out; `unsaved`: what stays could not be saved with it. */
  onChanged: (done: { view: SubscriptionView; unsaved: boolean }) => void
}

/** The price of a choice, and whether what is known is that of an earlier one. */
function usePreview(planSelection: PlanSelection, version: number) {
  const wanted = JSON.stringify(toCheckoutInput(planSelection))
  const [debounced] = useDebouncedValue(wanted, PREVIEW_DEBOUNCE_MS)
  const input = useMemo(() => checkoutSchema.parse(JSON.parse(debounced)), [debounced])
  const query = useQuery(previewQuery(input, version))
  return { ...query, isOld: debounced !== wanted || query.isPlaceholderData || query.isFetching }
}

/** What is chosen, what it costs and what is typed beside it; and the order made of all that. */
function useCheckout({ choice, view, onChoose, onChanged }: CheckoutFormProps) {
  const preview = usePreview(choice, view.version)
  const details = useBillingDetailsForm(view)
  const kept = useRetainedSelection(preview.data?.freezes ?? null)
  const order = useCheckoutOrder(onChanged)
  const isFirst = preview.data ? preview.data.when === 'checkout' : isFirstPurchase(view)
  // Carried out, the next page is on its way: the button stays pressed until it is there.
  const isSending = order.isPending || order.isSuccess
  const choose = (next: PlanSelection) => {
    order.reset()
    onChoose(next)
  }
  const confirm = () => {
    if (!preview.data || isSending) return
    const needsDetails = isFirst && choice.method === 'invoice'
    if (needsDetails && !validateDetails(details)) return
    order.mutate(
      {
        choice,
        view,
        preview: preview.data,
        retainedItems: preview.data.when === 'now' ? null : kept.toSave,
        details: needsDetails ? detailsToSave(details.values, view) : null,
      },
      { onError: (error) => void applyFieldErrors(details, error, DETAIL_FIELDS) },
    )
  }
  return { preview, details, kept, order, isFirst, isSending, choose, confirm }
}

/** A plan with its add-ons is chosen and paid for, or changed; what it costs stands beside. */
export function CheckoutForm(props: CheckoutFormProps) {
  const { choice, view } = props
  const { preview, details, kept, order, isFirst, isSending, choose, confirm } = useCheckout(props)
  const { freezes = null, when, at } = preview.data ?? {}
  return (
    <div className={classes.page}>
      <Stack gap="md">
        <PlanPicker choice={choice} view={view} onChoose={choose} />
        {choice.planId === 'legacy' ? (
          <PremiumSyncPicker choice={choice} onChoose={choose} />
        ) : (
          <AddOnPicker choice={choice} onChoose={choose} />
        )}
        {isFirst && <PaymentMethodPicker choice={choice} form={details} onChoose={choose} />}
        {freezes && kept.choice && (
          <OverLimitSection
            freezes={freezes}
            at={when === 'periodEnd' && at !== undefined ? at : null}
            isOpen={when === 'checkout' || when === 'periodEnd'}
            choice={kept.choice}
            onChange={kept.choose}
          />
        )}
      </Stack>
      <OrderSummary
        choice={choice}
        view={view}
        preview={preview.data}
        isStale={preview.isOld}
        error={preview.error}
        onRetry={() => void preview.refetch()}
        isSending={isSending}
        onConfirm={confirm}
        orderError={
          order.error && (
            <CheckoutError
              error={order.error}
              title={isFirst ? 'Nothing was ordered.' : 'Nothing was changed.'}
              first={order.variables.preview.when === 'checkout'}
            />
          )
        }
        noChangeAction={<ScheduledChange view={view} />}
      />
    </div>
  )
}

/** Whether the details can be sent; the first one that is wrong takes the focus. */
function validateDetails(form: BillingDetailsForm): boolean {
  const { hasErrors, errors } = form.validate()
  const first = DETAIL_FIELDS.find((field) => errors[field] !== undefined && errors[field] !== null)
  if (first) form.getInputNode(first)?.focus()
  return !hasErrors
}

/** With nothing to change: what is planned can be taken back, or the way back. */
function ScheduledChange({ view }: { view: SubscriptionView }) {
  const format = useFormat()
  const keep = useResumeSubscription()
  const { scheduled, cancelAt } = view
  if (!scheduled && cancelAt === null)
    return (
      <LinkButton to="/settings/workspace/subscription" variant="default" fullWidth>
        Back to the subscription
      </LinkButton>
    )
  const next = scheduled?.planId
  const plan = next === 'personal' || next === 'standard' || next === 'professional' || next === 'legacy' ? next : null
  return (
    <>
      <Alert color="yellow" icon={<IconClock aria-hidden />}>
        {scheduled
          ? `${plan === null ? 'A change' : `A change to ${planName(plan, view.tier)}`} is planned for ${format.day(scheduled.at)}.`
          : `The subscription ends on ${format.day(cancelAt)}.`}
      </Alert>
      <FormError error={keep.error} />
      <Button fullWidth variant="default" loading={keep.isPending} onClick={() => keep.mutate(view.version)}>
        Keep everything as it is
      </Button>
    </>
  )
}
