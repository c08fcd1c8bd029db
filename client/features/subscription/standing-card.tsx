import { Alert, Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCalendarEvent, IconRefresh } from '@tabler/icons-react'
import { useId } from 'react'
import { CancelButton } from './cancel-button'
import { addOnWords, EVERY, PER, planName, priceParts, sumsOf } from './plan-names'
import { useRefresh, useResume } from './queries'
import { standingOf } from './standing'
import { StandingButton } from './standing-button'
import classes from './subscription.module.css'
import { WaitingChoice } from './waiting-choice'
import { useFormat } from '../../lib/format'
import { useMoney } from '../../lib/money'
import { FormError } from '../../ui/form-error'
import type { SubscriptionView } from '../../../src/shared/subscription'

const isUnpaid = ({ state }: SubscriptionView): boolean => ['invoice_pending', 'past_due', 'restricted'].includes(state)

/** That nothing has come in changes nothing on the page: it has to be said. */
const tellWhenUnpaid = (view: SubscriptionView): void => {
  if (isUnpaid(view))
    notifications.show({
      color: 'gray',
      message: `No payment has come in yet.${view.method === 'invoice' ? ' A bank transfer may take a few days; it is noted by itself.' : ''}`,
    })
}

export interface StandingCardProps {
  view: SubscriptionView
  /** When it was read, epoch ms. */
  now: number
  /** Where nothing can be bought. */
  off: boolean
}

/** What there is now, until when, and the one thing to do about it. */
export function StandingCard({ view, now, off }: StandingCardProps) {
  const id = useId()
  const standing = standingOf({ view, format: useFormat(), now, off })
  const waits = !off && isUnpaid(view)
  const refresh = useRefresh()
  return (
    <Paper component="section" aria-labelledby={id} p="lg" className="surface">
      <Group justify="space-between" align="flex-start" gap="lg">
        <Stack gap={6} className={classes.standing}>
          <Group gap="xs">
            <Title order={2} id={id} className={classes.planTitle}>
              {standing.title}
            </Title>
            <Badge color={standing.tone}>{standing.word}</Badge>
          </Group>
          <PriceLine view={view} />
          <Text size="sm" maw="68ch">
            {standing.sentence}
          </Text>
        </Stack>
        <Group gap="xs" className={classes.actions}>
          {waits && (
            <Button
              variant="default"
              leftSection={<IconRefresh size={16} aria-hidden />}
              loading={refresh.isPending}
              onClick={() => refresh.mutate(undefined, { onSuccess: tellWhenUnpaid })}
            >
              Check payment
            </Button>
          )}
          {!off && <CancelButton view={view} />}
          <StandingButton action={standing.action} view={view} />
        </Group>
      </Group>
      {refresh.isError && (
        <Stack mt="md">
          <FormError error={refresh.error} />
        </Stack>
      )}
      {view.scheduled && <Scheduled view={view} scheduled={view.scheduled} />}
    </Paper>
  )
}

/** What the plan and its add-ons cost by the price list: the sum, then of what it is made. */
function PriceLine({ view }: { view: SubscriptionView }) {
  const money = useMoney()
  const parts = view.custom || view.state === 'canceled' ? [] : priceParts(view)
  if (parts.length === 0 || view.interval === null) return null
  const sums = sumsOf(parts).map((sum) => money(sum))
  return (
    <Text size="sm" c="dimmed">
      {sums.join(' and ')} {PER[view.interval]}
      {parts.length > 1 && `: ${parts.map(({ name, amount }) => `${name} ${money(amount)}`).join(', ')}`}
    </Text>
  )
}

/** A change that waits for the end of what is paid for, and how to take it back. */
function Scheduled({
  view,
  scheduled,
}: {
  view: SubscriptionView
  scheduled: NonNullable<SubscriptionView['scheduled']>
}) {
  const format = useFormat()
  const resume = useResume()
  const extras = addOnWords(scheduled.addOns)
  const name = planName({ planId: scheduled.planId, tier: view.tier })
  return (
    <Alert
      mt="md"
      color="accent"
      icon={<IconCalendarEvent aria-hidden />}
      title={`${name}, paid ${EVERY[scheduled.interval]}, from ${format.day(scheduled.at)}`}
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {extras === '' ? 'Without add-ons.' : `With ${extras}.`} Until then everything stays as it is.
        </Text>
        <Group gap="xs">
          {view.mayChoose && <WaitingChoice scheduled={scheduled} version={view.version} />}
          <Button variant="default" loading={resume.isPending} onClick={() => resume.mutate(view.version)}>
            Undo the change
          </Button>
        </Group>
      </Group>
      <FormError error={resume.error} />
    </Alert>
  )
}
