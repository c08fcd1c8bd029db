import { ActionIcon, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { IconBell, IconBellFilled, IconBellOff, IconCheck } from '@tabler/icons-react'
import { SUBSCRIPTION_CADENCES, type SubscriptionCadence } from '../../../../src/shared/reports/block-subscriptions'
import { useSession } from '../../../lib/session'
import { notifyError } from '../../../ui/notify-error'
import { blockSubscriptionsQuery, saveBlockSubscription } from './queries'

export const CADENCE_NAMES: Record<SubscriptionCadence, string> = {
  daily: 'Every day',
  weekly: 'Every week',
  data: 'When new data arrives',
}

interface SubscribeButtonProps {
  report: string
  block: string
  title: string
}

/** By mail, how often the figure of a block is told. */
export function SubscribeButton({ report, block, title }: SubscribeButtonProps) {
  const own = useQuery({
    ...blockSubscriptionsQuery(),
    select: (items) => items.find((one) => one.reportId === report && one.block === block)?.cadence ?? null,
  }).data
  const readOnly = (useSession().workspace?.entitlements.readOnly ?? null) !== null
  if (own === undefined || readOnly) return null
  const choose = (cadence: SubscriptionCadence | 'off'): void =>
    void saveBlockSubscription(report, { block, cadence }).then(
      () => notifications.show({ message: cadence === 'off' ? 'Unsubscribed' : 'Subscribed by email' }),
      notifyError,
    )
  const ButtonIcon = own === null ? IconBell : IconBellFilled
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="md"
          data-quiet={own === null || undefined}
          aria-label={own === null ? `Subscribe to ${title}` : `Subscription to ${title}`}
        >
          <ButtonIcon size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Email me this figure</Menu.Label>
        {SUBSCRIPTION_CADENCES.map((cadence) => (
          <Menu.Item
            key={cadence}
            aria-current={own === cadence || undefined}
            rightSection={own === cadence ? <IconCheck size={14} aria-hidden /> : undefined}
            onClick={() => choose(cadence)}
          >
            {CADENCE_NAMES[cadence]}
          </Menu.Item>
        ))}
        {own !== null && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<IconBellOff size={16} aria-hidden />} onClick={() => choose('off')}>
              Unsubscribe
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
