import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { DELIVERY_REASONS, isRetryable, type ReportDelivery } from '../../../../src/shared/reports/schedules'
import { useFormat } from '../../../lib/format'
import { useMayWrite } from '../../../lib/gate'
import { EmptyState } from '../../../ui/empty-state'
import { MutedText } from '../../../ui/muted-text'
import { notifyError } from '../../../ui/notify-error'
import { QueryView } from '../../../ui/query-view'
import { TableSkeleton } from '../../../ui/skeletons'
import { deliveriesQuery, useRetryDelivery } from './queries'
import { STATE_COLORS, STATE_LABELS } from './schedule-text'

const REFRESH_MS = 15_000

interface DeliveryLogProps {
  reportId: string
  scheduleId: string
  onClose: () => void
}

/** What became of each date for each recipient, and the way to try again. */
export function DeliveryLog({ reportId, scheduleId, onClose }: DeliveryLogProps) {
  const log = useQuery({ ...deliveriesQuery(reportId, scheduleId), refetchInterval: REFRESH_MS })
  return (
    <Stack gap="md">
      <Group>
        <Button variant="default" size="xs" onClick={onClose}>
          All schedules
        </Button>
      </Group>
      <QueryView query={log} skeleton={<TableSkeleton count={4} />}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState title="Nothing sent yet" sentence="Each delivery is listed here." />
          ) : (
            <Stack gap={0} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
              {items.map((delivery) => (
                <Delivery key={delivery.id} {...{ reportId, scheduleId, delivery }} />
              ))}
            </Stack>
          )
        }
      </QueryView>
    </Stack>
  )
}

interface DeliveryProps {
  reportId: string
  scheduleId: string
  delivery: ReportDelivery
}

function Delivery({ reportId, scheduleId, delivery }: DeliveryProps) {
  const format = useFormat()
  const mayWrite = useMayWrite('share:report')
  const retry = useRetryDelivery()
  const { id, state, reason, recipient, name, at, doneAt, test } = delivery
  const again = (): void =>
    retry.mutate(
      { report: reportId, id: scheduleId, delivery: id },
      {
        onSuccess: () => notifications.show({ message: 'Sending within a minute' }),
        onError: notifyError,
      },
    )
  return (
    <Group
      component="li"
      justify="space-between"
      align="flex-start"
      wrap="nowrap"
      py="sm"
      style={{ borderBottom: '1px solid var(--line)' }}
    >
      <Stack gap={2} miw={0}>
        <Group gap="xs">
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name ?? recipient}
          </Text>
          <Badge size="sm" variant="light" color={STATE_COLORS[state]} style={{ flex: 'none' }}>
            {STATE_LABELS[state]}
          </Badge>
        </Group>
        {reason !== null && <Text size="sm">{DELIVERY_REASONS[reason]}</Text>}
        <MutedText size="xs">
          {test ? 'Test, ' : ''}
          {format.dateTime(doneAt ?? at)}
        </MutedText>
      </Stack>
      {mayWrite && isRetryable(delivery) && (
        <Button size="xs" variant="default" loading={retry.isPending} onClick={again} style={{ flex: 'none' }}>
          {state === 'held' ? 'Send now' : 'Try again'}
        </Button>
      )}
    </Group>
  )
}
