import { Button, Group, Stack, Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Alert, AlertEvent, AlertEventKind } from '../../../src/shared/alerts'
import { formatAlertPeriod } from '../../../src/shared/alert-words'
import { useFormat } from '../../lib/format'
import { useCellFormatter } from '../../ui/chart/figure-format'
import { ErrorState } from '../../ui/error-state'
import { SectionCard } from '../../ui/section-card'
import { formatAlertValue } from './alert-figures'
import { alertEventsQuery } from './queries'

const EVENT_LABELS: Record<AlertEventKind, string> = {
  opened: 'Opened',
  resolved: 'Over',
  reminded: 'Reminder sent',
  acknowledged: 'Acknowledged',
  muted: 'Muted',
  unmuted: 'Speaks again',
  changed: 'Changed',
}

/** What happened to an alert, the newest first. */
export function AlertHistory({ alert }: { alert: Alert }) {
  const events = useInfiniteQuery(alertEventsQuery(alert.id))
  const items = events.data?.pages.flatMap((page) => page.items) ?? []
  if (events.error) return <ErrorState error={events.error} onRetry={() => void events.refetch()} />
  return (
    <SectionCard title="History">
      {events.data && items.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing has happened yet.
        </Text>
      )}
      <Stack gap={6}>
        {items.map((event) => (
          <AlertEventLine key={event.id} event={event} alert={alert} />
        ))}
      </Stack>
      {events.hasNextPage && (
        <Button
          variant="default"
          size="xs"
          loading={events.isFetchingNextPage}
          onClick={() => void events.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </SectionCard>
  )
}

function AlertEventLine({ event, alert }: { event: AlertEvent; alert: Alert }) {
  const format = useFormat()
  const figures = useCellFormatter()
  const { label, value, period, by } = event
  const details = [
    label,
    value === null ? null : formatAlertValue(value, alert.format, figures),
    period === null ? null : `in ${formatAlertPeriod(period, alert.grain)}`,
    by === null ? null : `by ${by}`,
  ]
  return (
    <Group gap="sm" justify="space-between" wrap="wrap">
      <Text size="sm">
        <Text span fw={600} inherit>
          {EVENT_LABELS[event.kind]}
        </Text>{' '}
        {details.filter((part) => part !== null).join(' ')}
      </Text>
      <Text size="xs" c="dimmed">
        {format.dateTime(event.at)}
      </Text>
    </Group>
  )
}
