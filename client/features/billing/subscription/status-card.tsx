import { DialogButtons } from '../../../ui/forms/form-dialog'
import { Button, Group, List, Stack, Text, Alert, Badge, Paper, Title } from '@mantine/core'
import { useState, useId } from 'react'
import { IconExternalLink, IconCalendarEvent, IconRefresh } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { notifications } from '@mantine/notifications'
import {
  useCancelSubscription,
  invoicesQuery,
  useOpenPortal,
  useResumeSubscription,
  useRefreshSubscription,
} from './queries'
import { useFormat } from '../../../lib/format'
import { FormError } from '../../../ui/forms/form-error'
import type { SubscriptionView } from '../../../../src/shared/billing/subscription'
import { ContactSalesButton } from './contact-sales'
import { firstPayableInvoice } from './invoices'
import { PLANS_VIEW, describeAddOns, PRICE_SUFFIX, planName, priceParts, sumByCurrency } from '../plan-prices'
import { hasUnpaidInvoice, isResumable, subscriptionStatus, type StatusAction } from './subscription-status'
import classes from './subscription.module.css'
import { ScheduledRetention } from './over-limit-card'
import { useMoney } from '../../../lib/money'
import { SUBSCRIPTION_PAGE } from '../../../lib/plan/upgrade-offer'
import { LinkButton } from '../../../ui/buttons/links'
import { Dialog } from '../../../ui/dialog'

/** Whether there is something to cancel: bought, going on, and not ended already. */
const isCancellable = ({ state, custom, cancelAt, interval }: SubscriptionView): boolean =>
  !custom && cancelAt === null && interval !== null && ['active', 'invoice_pending', 'past_due'].includes(state)

/** Ends the subscription with the period that is paid for; says before what that means. */
function CancelButton({ view }: { view: SubscriptionView }) {
  const [open, setOpen] = useState(false)
  if (!isCancellable(view)) return null
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Cancel subscription
      </Button>
      {open && <CancelDialog view={view} onClose={() => setOpen(false)} />}
    </>
  )
}

function CancelDialog({ view, onClose }: { view: SubscriptionView; onClose: () => void }) {
  const format = useFormat()
  const cancel = useCancelSubscription()
  return (
    <Dialog opened onClose={onClose} title="Cancel subscription?">
      <Stack gap="md">
        <List size="sm" spacing={4}>
          <List.Item>
            Works until {view.periodEndsAt === null ? 'the period ends' : format.day(view.periodEndsAt)}, then
            read-only. Nothing is deleted.
          </List.Item>
          {view.state !== 'active' && <List.Item>Open invoices are still due.</List.Item>}
          {view.planId === 'legacy' && <List.Item>Once ended, an older tier can’t be bought again.</List.Item>}
          <List.Item>You can resume until then.</List.Item>
        </List>
        {view.scheduled && <Text size="sm">The scheduled change is cancelled too.</Text>}
        <FormError error={cancel.error} />
        <DialogButtons
          submit="Cancel subscription"
          cancel="Keep subscription"
          danger
          focusCancel
          pending={cancel.isPending}
          onConfirm={() => cancel.mutate(view.version, { onSuccess: onClose })}
          onClose={onClose}
        />
      </Stack>
    </Dialog>
  )
}

/** The button of the one thing to do. */
function StatusActionButton({ action, view }: { action: StatusAction; view: SubscriptionView }) {
  switch (action) {
    case 'choose':
      return (
        <LinkButton to={SUBSCRIPTION_PAGE} search={{ show: PLANS_VIEW }}>
          Choose a plan
        </LinkButton>
      )
    case 'pay':
      return <PayButton />
    case 'card':
      return (
        <>
          <PortalButton label="Update card" quiet />
          <PayButton />
        </>
      )
    case 'resume':
      return <ResumeButton version={view.version} />
    case 'contact':
      return <ContactSalesButton />
    case null:
      return null
  }
}

const externalIcon = <IconExternalLink size={16} aria-hidden />

/** Leads to the invoice that waits; while invoices cannot be read, to the payment portal, which has it too. */
function PayButton() {
  const invoices = useInfiniteQuery(invoicesQuery())
  const payable = firstPayableInvoice(invoices.data?.pages.flatMap(({ items }) => items) ?? [])
  if (invoices.isPending) return <Button loading>Pay invoice</Button>
  if (!payable) return <PortalButton label="Pay invoice" />
  return (
    <Button component="a" href={payable.url} target="_blank" rel="noopener noreferrer" rightSection={externalIcon}>
      Pay invoice
    </Button>
  )
}

/** Opens the payment provider's own page: cards, invoices, billing address. */
export function PortalButton({ label, quiet = false }: { label: string; quiet?: boolean }) {
  const portal = useOpenPortal()
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        {...(quiet ? { variant: 'default' } : {})}
        rightSection={externalIcon}
        loading={portal.isPending || portal.isSuccess}
        onClick={() => portal.mutate()}
      >
        {label}
      </Button>
      <FormError error={portal.error} />
    </Stack>
  )
}

/** Takes a cancellation back; `quiet` beside something more urgent. */
function ResumeButton({ version, quiet = false }: { version: number; quiet?: boolean }) {
  const resume = useResumeSubscription()
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        {...(quiet ? { variant: 'default' } : {})}
        loading={resume.isPending}
        onClick={() => resume.mutate(version)}
      >
        Resume subscription
      </Button>
      <FormError error={resume.error} />
    </Stack>
  )
}

/** That nothing has come in changes nothing on the page: it has to be said. */
const notifyWhenUnpaid = (view: SubscriptionView): void => {
  if (hasUnpaidInvoice(view))
    notifications.show({
      color: 'gray',
      message: `No payment received yet${view.method === 'invoice' ? '. Transfers can take a few days' : ''}`,
    })
}

export interface StatusCardProps {
  view: SubscriptionView
  /** When it was read, epoch ms. */
  now: number
  /** Where nothing can be bought. */
  isBillingOff: boolean
}

/** What there is now, until when, and the one thing to do about it. */
export function StatusCard({ view, now, isBillingOff }: StatusCardProps) {
  const id = useId()
  const status = subscriptionStatus({ view, format: useFormat(), now, isBillingOff })
  const canCheckPayment = !isBillingOff && hasUnpaidInvoice(view)
  const refresh = useRefreshSubscription()
  return (
    <Paper component="section" aria-labelledby={id} p="lg" className="surface">
      <Group justify="space-between" align="flex-start" gap="lg">
        <Stack gap={6} className={classes.standing}>
          <Group gap="xs">
            <Title order={2} id={id} className={`figure-large ${classes.planTitle}`}>
              {status.title}
            </Title>
            <Badge color={status.tone}>{status.word}</Badge>
          </Group>
          <PriceLine view={view} />
          <Text size="sm" maw="68ch">
            {status.sentence}
          </Text>
        </Stack>
        <Group gap="xs" className={classes.actions}>
          {canCheckPayment && (
            <Button
              variant="default"
              leftSection={<IconRefresh size={16} aria-hidden />}
              loading={refresh.isPending}
              onClick={() => refresh.mutate(undefined, { onSuccess: notifyWhenUnpaid })}
            >
              Check payment
            </Button>
          )}
          {!isBillingOff && <CancelButton view={view} />}
          {!isBillingOff && !view.custom && status.action !== 'choose' && (
            <LinkButton to={SUBSCRIPTION_PAGE} search={{ show: PLANS_VIEW }} variant="default">
              Change plan
            </LinkButton>
          )}
          {!isBillingOff && isResumable(view) && status.action !== 'resume' && (
            <ResumeButton version={view.version} quiet />
          )}
          <StatusActionButton action={status.action} view={view} />
        </Group>
      </Group>
      {refresh.isError && (
        <Stack mt="md">
          <FormError error={refresh.error} />
        </Stack>
      )}
      {view.scheduled && <ScheduledChange view={view} scheduled={view.scheduled} />}
    </Paper>
  )
}

/** What the plan and its add-ons cost by the price list: the sum, then of what it is made. */
function PriceLine({ view }: { view: SubscriptionView }) {
  const money = useMoney()
  const parts = view.custom || view.state === 'canceled' ? [] : priceParts(view)
  if (parts.length === 0 || view.interval === null) return null
  const sums = sumByCurrency(parts).map((sum) => money(sum))
  return (
    <Text size="sm" c="dimmed">
      {sums.join(' and ')} {PRICE_SUFFIX[view.interval]}
      {parts.length > 1 && `: ${parts.map(({ name, amount }) => `${name} ${money(amount)}`).join(', ')}`}
    </Text>
  )
}

/** A change that waits for the end of what is paid for, and how to take it back. */
function ScheduledChange({
  view,
  scheduled,
}: {
  view: SubscriptionView
  scheduled: NonNullable<SubscriptionView['scheduled']>
}) {
  const format = useFormat()
  const resume = useResumeSubscription()
  const extras = describeAddOns(scheduled.addOns)
  const name = planName({ planId: scheduled.planId, tier: view.tier })
  return (
    <Alert
      mt="md"
      color="accent"
      icon={<IconCalendarEvent aria-hidden />}
      title={`${name}, billed ${scheduled.interval}, from ${format.day(scheduled.at)}`}
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm">{extras === '' ? 'No add-ons.' : `With ${extras}.`}</Text>
        <Group gap="xs">
          {view.mayChoose && <ScheduledRetention scheduled={scheduled} version={view.version} />}
          <Button variant="default" loading={resume.isPending} onClick={() => resume.mutate(view.version)}>
            Cancel change
          </Button>
        </Group>
      </Group>
      <FormError error={resume.error} />
    </Alert>
  )
}
