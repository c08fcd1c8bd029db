import { QueryView } from '../../ui/query-view'
import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { revokeOtherSessions, revokeSession, sessionsQuery } from './queries'
import { useFormat } from '../../lib/format'
import { countryName } from '../../lib/regions'
import { confirmDestructive } from '../../ui/forms/confirm-dialog'
import { FormError } from '../../ui/forms/form-error'
import { SectionCard } from '../../ui/section-card'
import { FormSkeleton } from '../../ui/skeletons'
import type { SessionItem } from '../../../src/shared/account'
import { FormFooter } from '../../ui/forms/form-footer'

/** Where the person is signed in, and the way to end that. */
export function SessionsCard() {
  const sessions = useQuery(sessionsQuery())
  return (
    <SectionCard title="Sessions" description="Don’t recognise one? Sign it out.">
      <QueryView query={sessions} skeleton={<FormSkeleton fields={2} />}>
        {(items) => <SessionList sessions={items} now={sessions.dataUpdatedAt} />}
      </QueryView>
    </SectionCard>
  )
}

/** Ends one session or all others, says so, and reads the list anew. */
function useRevokeSessions() {
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries(sessionsQuery())
  const end = useMutation({
    mutationFn: ({ id }: SessionItem) => revokeSession(id),
    onSuccess: async (_ended, { device }) => {
      notifications.show({ color: 'green', message: `${device} signed out` })
      await refresh()
    },
  })
  const endOthers = useMutation({
    mutationFn: revokeOtherSessions,
    onSuccess: async ({ ended }) => {
      notifications.show({
        color: 'green',
        message: ended === 1 ? '1 other session signed out' : `${ended} other sessions signed out`,
      })
      await refresh()
    },
  })
  return { end, endOthers }
}

/** `now`: when the list was read, epoch ms. */
function SessionList({ sessions, now }: { sessions: SessionItem[]; now: number }) {
  const { end, endOthers } = useRevokeSessions()
  const others = sessions.filter(({ current }) => !current).length
  const confirmSignOutOthers = () =>
    confirmDestructive({
      title: 'Sign out everywhere else?',
      message: 'Unsaved changes in other browsers are lost. You stay signed in here.',
      confirm: 'Sign out everywhere else',
      onConfirm: () => endOthers.mutate(),
    })
  return (
    <>
      <FormError error={end.error ?? endOthers.error} />
      <Stack gap="md" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {sessions
          .toSorted((a, b) => Number(b.current) - Number(a.current))
          .map((session) => (
            <SessionListItem
              key={session.id}
              session={session}
              now={now}
              ending={end.isPending && end.variables.id === session.id}
              onEnd={() => end.mutate(session)}
            />
          ))}
      </Stack>
      {others > 0 && (
        <FormFooter>
          <Button variant="default" color="red" loading={endOthers.isPending} onClick={confirmSignOutOthers}>
            Sign out everywhere else
          </Button>
        </FormFooter>
      )}
    </>
  )
}

interface SessionListItemProps {
  session: SessionItem
  now: number
  ending: boolean
  onEnd: () => void
}

function SessionListItem({ session, now, ending, onEnd }: SessionListItemProps) {
  const format = useFormat()
  const Icon = /android|iphone|ipad|mobile/i.test(session.device) ? IconDeviceMobile : IconDeviceDesktop
  const lastSeen = session.current ? 'Active now' : `Last seen ${format.ago(session.lastSeenAt, now)}`
  const place = session.country === null ? '' : ` (${countryName(session.country)})`
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="center">
      <Icon size={20} aria-hidden style={{ color: 'var(--text-muted)', flex: 'none' }} />
      <div style={{ flex: 1, minWidth: 0 }}>
        <Group gap="xs">
          <Text fw={550}>{session.device}</Text>
          {session.current && <Badge color="accent">This device</Badge>}
        </Group>
        <Text size="sm" c="dimmed">
          {lastSeen}
          {place}, signed in {format.dateTime(session.signedInAt)}
        </Text>
      </div>
      {!session.current && (
        <Button variant="default" loading={ending} aria-label={`Sign out ${session.device}`} onClick={onEnd}>
          Sign out
        </Button>
      )}
    </Group>
  )
}
