import { useDebouncedValue } from '@mantine/hooks'
import { Alert, Button, Stack } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { AddOnChoice } from './add-on-choice'
import { CheckoutRefusal } from './checkout-refusal'
import { planName } from './checkout-words'
import { inputOf, isFirstPurchase } from './choice'
import type { Choice } from './choice'
import classes from './checkout.module.css'
import { FreezeSection } from './freeze-section'
import { MethodChoice } from './method-choice'
import { OrderSummary } from './order-summary'
import { PlanChoice } from './plan-choice'
import { PremiumChoice } from './premium-choice'
import { previewQuery } from './queries'
import { DETAIL_FIELDS, detailsToSave, useDetails } from './use-details'
import type { DetailsForm } from './use-details'
import { useKept } from './use-kept'
import { useKeepPlan, useOrder } from './use-order'
import { useFormat } from '../../lib/format'
import { applyFieldErrors, FormError } from '../../ui/form-error'
import { LinkButton } from '../../ui/links'
import { checkoutSchema } from '../../../src/shared/subscription'
import type { SubscriptionView } from '../../../src/shared/subscription'

/** How long the choice rests before its price is asked for, in ms. */
const REST = 300

export interface CheckoutFormProps {
  choice: Choice
  view: SubscriptionView
  onChoose: (choice: Choice) => void
  /** A change was carried out; `unsaved`: what stays could not be saved with it. */
  onChanged: (done: { view: SubscriptionView; unsaved: boolean }) => void
}

/** The price of a choice, and whether what is known is that of an earlier one. */
function usePreview(choice: Choice, version: number) {
  const wanted = JSON.stringify(inputOf(choice))
  const [rested] = useDebouncedValue(wanted, REST)
  const asked = useMemo(() => checkoutSchema.parse(JSON.parse(rested)), [rested])
  const query = useQuery(previewQuery(asked, version))
  return { ...query, isOld: rested !== wanted || query.isPlaceholderData || query.isFetching }
}

/** What is chosen, what it costs and what is typed beside it; and the order made of all that. */
function useCheckout({ choice, view, onChoose, onChanged }: CheckoutFormProps) {
  const preview = usePreview(choice, view.version)
  const details = useDetails(view)
  const kept = useKept(preview.data?.freezes ?? null)
  const order = useOrder(onChanged)
  const isFirst = preview.data ? preview.data.when === 'checkout' : isFirstPurchase(view)
  // Carried out, the next page is on its way: the button stays pressed until it is there.
  const isSending = order.isPending || order.isSuccess
  const choose = (next: Choice) => {
    order.reset()
    onChoose(next)
  }
  const confirm = () => {
    if (!preview.data || isSending) return
    const asks = isFirst && choice.method === 'invoice'
    if (asks && !isComplete(details)) return
    order.mutate(
      {
        choice,
        view,
        preview: preview.data,
        kept: preview.data.when === 'now' ? null : kept.toSave,
        details: asks ? detailsToSave(details.values, view) : null,
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
        <PlanChoice choice={choice} view={view} onChoose={choose} />
        {choice.planId === 'legacy' ? (
          <PremiumChoice choice={choice} onChoose={choose} />
        ) : (
          <AddOnChoice choice={choice} onChoose={choose} />
        )}
        {isFirst && <MethodChoice choice={choice} form={details} onChoose={choose} />}
        {freezes && kept.choice && (
          <FreezeSection
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
        isOld={preview.isOld}
        error={preview.error}
        onRetry={() => void preview.refetch()}
        isSending={isSending}
        onConfirm={confirm}
        refusal={
          order.error && (
            <CheckoutRefusal
              error={order.error}
              title={isFirst ? 'Nothing was ordered.' : 'Nothing was changed.'}
              first={order.variables.preview.when === 'checkout'}
            />
          )
        }
        otherwise={<Planned view={view} />}
      />
    </div>
  )
}

/** Whether the details can be sent; the first one that is wrong takes the focus. */
function isComplete(form: DetailsForm): boolean {
  const { hasErrors, errors } = form.validate()
  const first = DETAIL_FIELDS.find((field) => errors[field] !== undefined && errors[field] !== null)
  if (first) form.getInputNode(first)?.focus()
  return !hasErrors
}

/** With nothing to change: what is planned can be taken back, or the way back. */
function Planned({ view }: { view: SubscriptionView }) {
  const format = useFormat()
  const keep = useKeepPlan()
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
