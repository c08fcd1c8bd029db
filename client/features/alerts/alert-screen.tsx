import { MutedText } from '../../ui/muted-text'
import { QueryError } from '../../ui/query-view'
import { Button, Group, Stack, Text, Alert as Notice, Menu, SimpleGrid } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { IconAlertTriangle, IconBellOff, IconEye, IconPencil, IconTrash } from '@tabler/icons-react'
import { formatAlertPeriod, TEST_PERIODS } from '../../../src/shared/alerts'
import type { Alert, AlertEvent, AlertEventKind } from '../../../src/shared/alerts'
import { subjectPrefix } from '../../../src/shared/figures/subject-prefix'
import { TERMS } from '../../../src/shared/terms'
import { useFormat } from '../../lib/format'
import { MISSING_VALUE } from '../../../src/shared/figures/figures'
import { useCellFormatter } from '../../lib/cell-formatter'
import type { ItemColumn } from '../../ui/data-table/item-column'
import { ItemTable } from '../../ui/data-table/item-table'
import { SectionCard } from '../../ui/section-card'
import {
  formatAlertValue,
  useDescribeCondition,
  useDescribeTrouble,
  AlertBadges,
  isJudgedByOldData,
  isMuted,
  StateBadge,
  stateLabel,
  subjectLabel,
} from './alert-list-item'
import { alertEventsQuery, alertQuery, useAcknowledge, useDeleteAlert, useMute } from './queries'
import { useMayWrite } from '../../lib/gate'
import { confirmDestructive } from '../../ui/forms/confirm-dialog'
import { LinkAnchor } from '../../ui/buttons/links'
import { notifyError } from '../../ui/notify-error'
import { PageHeader } from '../../ui/page-header'
import { ScreenSkeleton } from '../../ui/skeletons'
import { AlertDialog } from './alert-dialog'
import { AlertTestRunPanel } from './test-run'

const EVENT_LABELS: Record<AlertEventKind, string> = {
  opened: 'Triggered',
  resolved: 'Resolved',
  reminded: 'Reminder sent',
  acknowledged: 'Acknowledged',
  muted: 'Muted',
  unmuted: 'Unmuted',
  changed: 'Edited',
}

function AlertHistory({ alert }: { alert: Alert }) {
  const events = useInfiniteQuery(alertEventsQuery(alert.id))
  const items = events.data?.pages.flatMap((page) => page.items) ?? []
  if (events.error) return <QueryError query={events} />
  return (
    <SectionCard title="History">
      {events.data && items.length === 0 && <MutedText>No events yet</MutedText>}
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
    period === null ? null : `${alert.grain === 'day' ? 'on' : 'in'} ${formatAlertPeriod(period, alert.grain)}`,
    by === null ? null : `by ${by}`,
  ]
  return (
    <Group gap="sm" justify="space-between" wrap="wrap">
      <Text size="sm">
        <Text span fw={600} inherit>
          {EVENT_LABELS[event.kind]}
          {details.some((part) => part !== null) && ':'}
        </Text>{' '}
        {details.filter((part) => part !== null).join(' ')}
      </Text>
      <MutedText size="xs">{format.dateTime(event.at)}</MutedText>
    </Group>
  )
}

export function AlertScreen({ id }: { id: string }) {
  const alert = useQuery(alertQuery(id))
  if (alert.isPending) return <ScreenSkeleton />
  if (!alert.data) return <QueryError query={alert} isPage />
  return <AlertDetails alert={alert.data} />
}

function AlertDetails({ alert }: { alert: Alert }) {
  const words = useDescribeCondition()
  const describeTrouble = useDescribeTrouble()
  const format = useFormat()
  const [editing, dialog] = useDisclosure(false)
  const subject = subjectLabel(alert)
  return (
    <>
      <PageHeader
        title={alert.name}
        breadcrumb={<LinkAnchor to="/alerts">Alerts</LinkAnchor>}
        description={
          <>
            {alert.subjectName === null || alert.subject.kind !== 'insight' ? (
              subject
            ) : (
              <LinkAnchor to="/insights/$id" params={{ id: alert.subject.id }}>
                {alert.subjectName}
              </LinkAnchor>
            )}
            {subjectPrefix(subjectLabel(alert)).slice(subjectLabel(alert).length)} {words(alert, alert.format)}
            {alert.condition.kind === 'band' && alert.trouble?.code !== 'forecast_gone' && (
              <>
                {'. '}
                <LinkAnchor to="/forecasts/$id" params={{ id: alert.condition.forecastId }}>
                  View forecast
                </LinkAnchor>
              </>
            )}
          </>
        }
        actions={<AlertActions alert={alert} onEdit={dialog.open} />}
      />
      <Stack gap="md">
        {alert.trouble && (
          <Notice
            color="yellow"
            icon={<IconAlertTriangle aria-hidden />}
            title={isJudgedByOldData(alert) ? 'The data have ended' : 'Couldn’t check this alert'}
            role="alert"
          >
            {describeTrouble(alert.trouble)}
            {!isJudgedByOldData(alert) && ` Status unchanged since ${format.dateTime(alert.trouble.since)}.`}
          </Notice>
        )}
        <Group gap="xs">
          <AlertBadges alert={alert} />
          <MutedText>
            {alert.evaluatedAt === null ? 'Not checked yet' : `Checked ${format.dateTime(alert.evaluatedAt)}`}
            {isMuted(alert) && ` · Muted until ${format.dateTime(alert.mutedUntil)}`}
          </MutedText>
        </Group>
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
          <AlertGroups alert={alert} />
          <Stack gap="md">
            <SectionCard title="Notify">
              <Text size="sm">{alert.receiverNames.length === 0 ? 'No one' : alert.receiverNames.join(', ')}</Text>
              <MutedText>{describeEmails(alert)}</MutedText>
            </SectionCard>
            <SectionCard title={`Last ${TEST_PERIODS} periods`}>
              <AlertTestRunPanel rules={alert} isDataEndShown={alert.trouble?.code === 'data_ended'} />
            </SectionCard>
          </Stack>
        </SimpleGrid>
        <AlertHistory alert={alert} />
      </Stack>
      {editing && <AlertDialog alert={alert} onClose={dialog.close} />}
    </>
  )
}

/** When receivers get one, and whose access its figures follow. */
const describeEmails = ({ reminderDays, ownerName }: Pick<Alert, 'reminderDays' | 'ownerName'>): string => {
  const reminder =
    reminderDays === null ? '' : reminderDays === 1 ? '; daily reminder' : `; reminder every ${reminderDays} days`
  return `Email on trigger and resolution${reminder}. Figures follow ${ownerName}’s access.`
}

function AlertActions({ alert, onEdit }: { alert: Alert; onEdit: () => void }) {
  const may = useMayWrite('edit:alert')
  const navigate = useNavigate()
  const acknowledge = useAcknowledge()
  const mute = useMute()
  const remove = useDeleteAlert()
  if (!may) return undefined
  const onRemove = (): void =>
    confirmDestructive({
      title: 'Delete alert?',
      message: `“${alert.name}” and its history will be permanently deleted.`,
      confirm: 'Delete alert',
      onConfirm: async () => {
        await remove.mutateAsync(alert).then(() => navigate({ to: '/alerts' }), notifyError)
      },
    })
  const muteFor = (days: number | null): void => mute.mutate({ id: alert.id, days }, { onError: notifyError })
  return (
    <>
      {alert.state === 'open' && (
        <Button
          leftSection={<IconEye size={16} aria-hidden />}
          loading={acknowledge.isPending}
          onClick={() => acknowledge.mutate(alert.id, { onError: notifyError })}
        >
          Acknowledge
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" leftSection={<IconBellOff size={16} aria-hidden />} loading={mute.isPending}>
            {isMuted(alert) ? 'Muted' : 'Mute'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {[1, 7, 30].map((days) => (
            <Menu.Item key={days} onClick={() => muteFor(days)}>
              {days === 1 ? 'For 1 day' : `For ${days} days`}
            </Menu.Item>
          ))}
          {isMuted(alert) && <Menu.Item onClick={() => muteFor(null)}>Unmute</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
        Edit
      </Button>
      <Button
        variant="default"
        color="red"
        leftSection={<IconTrash size={16} aria-hidden />}
        loading={remove.isPending}
        onClick={onRemove}
      >
        Delete
      </Button>
    </>
  )
}

const GROUP_STATE_RANK = { open: 0, acknowledged: 1, ok: 2 } as const

const comparedLabel = (condition: Alert['condition']): string => {
  if (condition.kind === 'band') return 'Forecast'
  return condition.kind === 'change' && condition.against === 'year' ? TERMS.previousYear : TERMS.previousPeriod
}

const describeNoGroups = ({ active, trouble }: Alert): string => {
  if (!active) return 'Paused'
  return trouble ? 'Not checked yet' : 'No complete periods yet'
}

/** Each group with its newest figure; those that triggered first. */
function AlertGroups({ alert }: { alert: Alert }) {
  const columns = useGroupColumns(alert)
  const groups = alert.groups.toSorted((a, b) => GROUP_STATE_RANK[a.state] - GROUP_STATE_RANK[b.state])
  return (
    <SectionCard title="Current status">
      {groups.length === 0 ? (
        <MutedText>{describeNoGroups(alert)}</MutedText>
      ) : (
        <ItemTable
          caption="Current status"
          items={groups}
          itemKey={({ member, period }) => `${typeof member} ${String(member)}/${period ?? ''}`}
          columns={columns}
        />
      )}
    </SectionCard>
  )
}

type AlertGroup = Alert['groups'][number]

function useGroupColumns(alert: Alert): ItemColumn<AlertGroup>[] {
  const figures = useCellFormatter()
  const words = useFormat()
  const compares = alert.condition.kind === 'change' || alert.condition.kind === 'band'
  const figure = (label: string, valueOf: (group: AlertGroup) => AlertGroup['value']): ItemColumn<AlertGroup> => ({
    ...{ label, kind: 'number', value: valueOf },
    text: (group) => formatAlertValue(valueOf(group), alert.format, figures),
  })
  const name = ({ label, period }: AlertGroup): string =>
    label ?? (period === null ? MISSING_VALUE : figures.bucket(period, alert.grain))
  return [
    { label: alert.by === null ? 'Period' : 'Group', value: name, filter: alert.groups.length > 1 },
    figure('Value', ({ value }) => value),
    ...(compares ? [figure(comparedLabel(alert.condition), ({ compared }) => compared)] : []),
    {
      ...{ label: 'State', value: ({ state }) => GROUP_STATE_RANK[state], text: ({ state }) => stateLabel(state) },
      draw: ({ state, since }) => (
        <>
          <StateBadge state={state} />
          {since !== null && state !== 'ok' && <MutedText size="xs">since {words.day(since)}</MutedText>}
        </>
      ),
    },
  ]
}
