import { Alert, Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCalendarEvent, IconRefresh } from '@tabler/icons-react'
import { useId } from 'react'
import { CancelButton } from './cancel-button'
import {
  describeAddOns,
  INTERVAL_ADVERBS,
  INTERVAL_PRICE_SUFFIX,
  planName,
  priceParts,
  sumByCurrency,
} from './plan-names'
import { useRefreshSubscription, useResumeSubscription } from './queries'
import { subscriptionStatus } from './standing'
import { StatusActionButton } from './standing-button'
import classes from './subscription.module.css'
import { ScheduledRetention } from './waiting-choice'
import { useFormat } from '../../lib/format'
import { useMoney } from '../../lib/money'
import { FormError } from '../../ui/form-error'
import type { SubscriptionView } from '../../../src/shared/subscription'

const hasUnpaidInvoice = ({ state }: SubscriptionView): boolean =>
  ['invoice_pending', 'past_due', 'restricted'].includes(state)

/** That nothing has come in changes nothing on the page: it has to be said. */
const notifyWhenUnpaid = (view: SubscriptionView): void => {
  if (hasUnpaidInvoice(view))
    notifications.show({
      color: 'gray',
      message: `No payment has come in yet.${view.method === 'invoice' ? ' A bank transfer may take a few days; it is noted by itself.' : ''}`,
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
            <Title order={2} id={id} className={classes.planTitle}>
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
      {sums.join(' and ')} {INTERVAL_PRICE_SUFFIX[view.interval]}
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
      title={`${name}, paid ${INTERVAL_ADVERBS[scheduled.interval]}, from ${format.day(scheduled.at)}`}
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {extras === '' ? 'Without add-ons.' : `With ${extras}.`} Until then everything stays as it is.
        </Text>
        <Group gap="xs">
          {view.mayChoose && <ScheduledRetention scheduled={scheduled} version={view.version} />}
          <Button variant="default" loading={resume.isPending} onClick={() => resume.mutate(view.version)}>
            Undo the change
          </Button>
        </Group>
      </Group>
      <FormError error={resume.error} />
    </Alert>
  )
}
