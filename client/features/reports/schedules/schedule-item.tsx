import { Badge, Group, Paper, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconHistory, IconMailCheck, IconMailOff, IconPencil, IconSend, IconTrash } from '@tabler/icons-react'
import type { Report } from '../../../../src/shared/reports/reports'
import {
  DELIVERY_REASONS,
  recipientKey,
  type DeliveryState,
  type ReportSchedule,
  type ShownRecipient,
} from '../../../../src/shared/reports/schedules'
import { useFormat } from '../../../lib/format'
import { MoreMenu } from '../../../ui/buttons/more-menu'
import { confirmAction } from '../../../ui/forms/confirm-dialog'
import { MutedText } from '../../../ui/muted-text'
import { notifyError } from '../../../ui/notify-error'
import { useDeleteSchedule, useSubscribe, useTestSchedule } from './queries'
import { FORMAT_LABELS, PAUSE_TEXTS, STATE_LABELS, timingText } from './schedule-text'

interface ScheduleItemProps {
  report: Report
  schedule: ReportSchedule
  mayWrite: boolean
  onEdit: () => void
  onLog: () => void
}

/** One schedule: when, what, to whom, its next dates and how the last one went. */
export function ScheduleItem({ report, schedule, mayWrite, onEdit, onLog }: ScheduleItemProps) {
  const format = useFormat()
  const { timing, paused, next, last, recipients, ownerName } = schedule
  const counts = last ? countsText(last.counts) : null
  return (
    <Paper component="li" withBorder p="sm">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Stack gap={4} miw={0}>
          <Group gap="xs">
            <Text size="sm" fw={600}>
              {timingText(timing)}
            </Text>
            {paused !== null && (
              <Badge size="sm" variant="light" color="yellow">
                {PAUSE_TEXTS[paused]}
              </Badge>
            )}
          </Group>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {FORMAT_LABELS[schedule.format]} to {recipients.map(recipientText).join(', ')}
          </Text>
          {next.length > 0 && (
            <MutedText size="xs">Next: {next.map((at) => format.dateTime(at)).join(' · ')}</MutedText>
          )}
          {last && (
            <MutedText size="xs">
              Last: {format.dateTime(last.at)}. {counts}
            </MutedText>
          )}
          <MutedText size="xs">Owner: {ownerName}</MutedText>
        </Stack>
        <ScheduleMenu {...{ report, schedule, mayWrite, onEdit, onLog }} />
      </Group>
    </Paper>
  )
}

function recipientText(one: ShownRecipient): string {
  const name = one.name ?? (one.kind === 'address' ? recipientKey(one) : 'Removed')
  return one.unsubscribed ? `${name} (unsubscribed)` : name
}

const countsText = (counts: Partial<Record<DeliveryState, number>>): string =>
  Object.entries(STATE_LABELS)
    .flatMap(([state, label]) => {
      const count = Object.entries(counts).find(([one]) => one === state)?.[1]
      return count === undefined ? [] : [`${count} ${label.toLowerCase()}`]
    })
    .join(', ')

function ScheduleMenu({ report, schedule, mayWrite, onEdit, onLog }: ScheduleItemProps) {
  const test = useTestSchedule()
  const remove = useDeleteSchedule()
  const subscribe = useSubscribe()
  const of = { report: report.id, id: schedule.id }
  const { subscribed, restricted } = schedule
  const sendTest = (): void =>
    test.mutate(of, {
      onSuccess: ({ state, reason }) =>
        state === 'failed'
          ? notifications.show({ color: 'red', message: `Not sent: ${reason ? DELIVERY_REASONS[reason] : 'failed'}.` })
          : notifications.show({ message: 'Test email on its way' }),
      onError: notifyError,
    })
  const ask = (): void =>
    confirmAction({
      title: 'Delete schedule?',
      message: 'Nothing more is sent. The delivery log is deleted too. Can’t be undone.',
      confirm: 'Delete schedule',
      onConfirm: async () => void (await remove.mutateAsync({ ...of, version: schedule.version })),
    })
  return (
    <MoreMenu
      label={`More actions for ${timingText(schedule.timing)}`}
      items={[
        mayWrite && !restricted && { label: 'Edit', icon: IconPencil, onClick: onEdit },
        mayWrite && { label: 'Send a test to me', icon: IconSend, onClick: sendTest },
        { label: 'Delivery log', icon: IconHistory, onClick: onLog },
        subscribed !== null && {
          label: subscribed ? 'Unsubscribe me' : 'Subscribe me again',
          icon: subscribed ? IconMailOff : IconMailCheck,
          onClick: () => subscribe.mutate({ ...of, subscribed: !subscribed }, { onError: notifyError }),
        },
        mayWrite && { label: 'Delete schedule', icon: IconTrash, c: 'var(--bad)', onClick: ask },
      ]}
    />
  )
}
