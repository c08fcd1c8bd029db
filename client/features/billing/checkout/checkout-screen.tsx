import { useDebouncedValue } from '@mantine/hooks'
import { Alert, Button, Stack } from '@mantine/core'
import { IconClock, IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { notifications } from '@mantine/notifications'
import { AddOnPicker, PlanPicker, PremiumSyncPicker } from './plan-picker'
import { CheckoutError } from './checkout-error'
import { DETAIL_FIELDS, isWithoutPlan, planName } from '../plan-prices'
import { toCheckoutInput, selectionFromSearch, toSearch } from './plan-selection'
import type { PlanSelection, CheckoutSearch } from './plan-selection'
import classes from './checkout.module.css'
import { OverLimitSection, useRetainedSelection } from './over-limit-section'
import { PaymentMethodPicker, detailsToSave, useBillingDetailsForm, type BillingDetailsForm } from './payment-method'
import { OrderSummary } from './order-summary'
import { previewQuery } from './queries'
import { useResumeSubscription, useCheckoutOrder } from './use-order'
import { useFormat } from '../../../lib/format'
import { useFormDraft } from '../../../lib/writes/kept-draft'
import { applyFieldErrors, FormError } from '../../../ui/forms/form-error'
import { LinkButton, LinkAnchor } from '../../../ui/buttons/links'
import { checkoutSchema, toEuVatNumber, type SubscriptionView } from '../../../../src/shared/billing/subscription'
import { useMay } from '../../../lib/gate'
import { useSession } from '../../../lib/session'
import { subscriptionQuery } from '../../../lib/queries/subscription-queries'
import { EmptyState } from '../../../ui/empty-state'
import { ErrorState } from '../../../ui/error-state'
import { PageHeader } from '../../../ui/page-header'
import { FormSkeleton } from '../../../ui/skeletons'

/** How long the choice rests before its price is asked for, in ms. */
const PREVIEW_DEBOUNCE_MS = 300

interface CheckoutFormProps {
  choice: PlanSelection
  view: SubscriptionView
  onChoose: (selection: PlanSelection) => void
  /** A change was carried out; `unsaved`: what stays could not be saved with it. */
  onChanged: (done: { view: SubscriptionView; unsaved: boolean }) => void
}

/** The price of a choice, and whether what is known is that of an earlier one. */
function usePreview(selection: PlanSelection, version: number) {
  const wanted = JSON.stringify(toCheckoutInput(selection))
  const [debounced] = useDebouncedValue(wanted, PREVIEW_DEBOUNCE_MS)
  const input = useMemo(() => checkoutSchema.parse(JSON.parse(debounced)), [debounced])
  const query = useQuery(previewQuery(input, version))
  return { ...query, isOld: debounced !== wanted || query.isPlaceholderData || query.isFetching }
}

/** What is chosen, what it costs and what is typed beside it; and the order made of all that. */
function useCheckout({ choice, view, onChoose, onChanged }: CheckoutFormProps) {
  const preview = usePreview(choice, view.version)
  const details = useBillingDetailsForm(view)
  const draft = useFormDraft(details, { name: 'checkout-details', base: JSON.stringify(view.details) })
  const kept = useRetainedSelection(preview.data?.freezes ?? null)
  const order = useCheckoutOrder(onChanged)
  const isFirst = preview.data ? preview.data.when === 'checkout' : isWithoutPlan(view)
  // Carried out, the next page is on its way: the button stays pressed until it is there.
  const isSending = order.isPending || order.isSuccess
  const choose = (next: PlanSelection) => {
    order.reset()
    onChoose(next)
  }
  const forget = () => {
    draft.clear()
    kept.clear()
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
      { onSuccess: forget, onError: (error) => void applyFieldErrors(details, error, DETAIL_FIELDS) },
    )
  }
  return { preview, details, draft, kept, order, isFirst, isSending, choose, confirm }
}

/** A plan with its add-ons is chosen and paid for, or changed; what it costs stands beside. */
function CheckoutForm(props: CheckoutFormProps) {
  const { choice, view } = props
  const { preview, details, draft, kept, order, isFirst, isSending, choose, confirm } = useCheckout(props)
  const { freezes = null, when, at } = preview.data ?? {}
  return (
    <div className={classes.page} data-form>
      <Stack gap="md">
        <PlanPicker choice={choice} view={view} onChoose={choose} />
        {choice.planId === 'legacy' ? (
          <PremiumSyncPicker choice={choice} onChoose={choose} />
        ) : (
          <AddOnPicker choice={choice} onChoose={choose} />
        )}
        {isFirst && <PaymentMethodPicker choice={choice} form={details} draft={draft} onChoose={choose} />}
        {freezes && kept.choice && (
          <OverLimitSection
            freezes={freezes}
            at={when === 'periodEnd' && at !== undefined ? at : null}
            isOpen={when === 'checkout' || when === 'periodEnd'}
            choice={kept.choice}
            isChosen={kept.isChosen}
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
              title={isFirst ? 'Couldn’t place the order' : 'Couldn’t change the plan'}
              first={order.variables.preview.when === 'checkout'}
            />
          )
        }
        noChangeAction={<ScheduledChange view={view} />}
        taxId={isFirst && choice.method === 'invoice' ? toEuVatNumber(details.values.taxId) : view.details.taxId}
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
        Back to subscription
      </LinkButton>
    )
  const next = scheduled?.planId
  const plan = next === 'personal' || next === 'standard' || next === 'professional' || next === 'legacy' ? next : null
  return (
    <>
      <Alert color="yellow" icon={<IconClock aria-hidden />}>
        {scheduled
          ? `${plan === null ? 'Plan change' : `Change to ${planName({ planId: plan, tier: view.tier })}`} scheduled for ${format.day(scheduled.at)}`
          : `Subscription ends ${format.day(cancelAt)}`}
      </Alert>
      <FormError error={keep.error} />
      <Button fullWidth variant="default" loading={keep.isPending} onClick={() => keep.mutate(view.version)}>
        {scheduled ? 'Cancel change' : 'Resume subscription'}
      </Button>
    </>
  )
}

export interface CheckoutScreenProps {
  search: CheckoutSearch
  onSearch: (search: CheckoutSearch) => void
  /** The subscription was changed: there is nothing more to do here. */
  onChanged: () => void
}

/** Buys a plan or changes the one that is held. What is chosen stands in the address. */
export function CheckoutScreen({ search, onSearch, onChanged }: CheckoutScreenProps) {
  const may = useMay('edit:subscription')
  const { config } = useSession()
  if (config.billing === 'off')
    return (
      <CheckoutPage title="Choose a plan">
        <CheckoutUnavailable title="Billing is off" sentence="There are no plans to choose from." />
      </CheckoutPage>
    )
  if (!may)
    return (
      <CheckoutPage title="Choose a plan">
        <CheckoutUnavailable
          title="No access to plans"
          sentence="An owner or admin can change the plan."
          action={<LinkButton to="/settings/workspace/members">View members</LinkButton>}
        />
      </CheckoutPage>
    )
  return <CheckoutContent search={search} onSearch={onSearch} onChanged={onChanged} />
}

function CheckoutContent({ search, onSearch, onChanged }: CheckoutScreenProps) {
  const { data: view, error, refetch } = useQuery(subscriptionQuery())
  const format = useFormat()
  if (!view)
    return (
      <CheckoutPage title="Choose a plan">
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <FormSkeleton />}
      </CheckoutPage>
    )
  if (view.custom)
    return (
      <CheckoutPage title="Change plan">
        <CheckoutUnavailable title="Custom agreement" sentence="Contact us to change limits or price." />
      </CheckoutPage>
    )
  const done = ({ view: now, unsaved }: { view: SubscriptionView; unsaved: boolean }) => {
    const message = now.scheduled ? `Change scheduled for ${format.day(now.scheduled.at)}` : 'Plan changed'
    notifications.show(
      unsaved
        ? { color: 'yellow', message: `${message}. Couldn’t save what stays: choose again` }
        : { color: 'green', message },
    )
    onChanged()
  }
  return (
    <CheckoutPage title={isWithoutPlan(view) ? 'Choose a plan' : 'Change plan'}>
      <Stack gap="md">
        <UnpaidAlert view={view} />
        <CheckoutForm
          choice={selectionFromSearch(search, view)}
          view={view}
          onChoose={(choice) => onSearch(toSearch(choice))}
          onChanged={done}
        />
      </Stack>
    </CheckoutPage>
  )
}

function CheckoutPage({ title, children }: { title: string; children: ReactNode }) {
  const above = (
    <LinkAnchor to="/settings/workspace/subscription" size="sm">
      Subscription
    </LinkAnchor>
  )
  return (
    <>
      <PageHeader breadcrumb={above} title={title} />
      {children}
    </>
  )
}

const SUBSCRIPTION_LINK = <LinkButton to="/settings/workspace/subscription">View subscription</LinkButton>
const CheckoutUnavailable = ({
  action = SUBSCRIPTION_LINK,
  ...words
}: {
  title: string
  sentence: string
  action?: ReactNode
}) => <EmptyState action={action} {...words} />

/** An invoice that is overdue is paid first: another plan does not pay it. */
function UnpaidAlert({ view }: { view: SubscriptionView }) {
  if (view.state !== 'past_due' && view.state !== 'restricted') return null
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title="Payment overdue">
      Pay the invoice under{' '}
      <LinkAnchor to="/settings/workspace/subscription" underline="always">
        Subscription
      </LinkAnchor>{' '}
      first.
    </Alert>
  )
}
