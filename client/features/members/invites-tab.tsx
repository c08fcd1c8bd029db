import { QueryError } from '../../ui/query-view'
import { ShowMore } from '../../ui/buttons/show-more'
import { Badge, Button, Group, Stack, Table, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useInfiniteQuery } from '@tanstack/react-query'
import { describeExpiry, STATE_LABELS } from './invite-text'
import { MemberError } from './member-dialog'
import classes from './members.module.css'
import cards from '../../ui/card-table.module.css'
import { GroupTags } from './members-table'
import { invitesQuery, useResendInvite, useRevokeInvite } from './queries'
import { ROLE_TEXT } from './roles'
import { useFormat } from '../../lib/format'
import { useSession } from '../../lib/session'
import { confirmDestructive } from '../../ui/forms/confirm-dialog'
import { EmptyState } from '../../ui/empty-state'
import { LinkButton } from '../../ui/buttons/links'
import { TableSkeleton } from '../../ui/skeletons'
import type { Invite } from '../../../src/shared/invites'

/** Who was invited, what became of it, and what can be done about it. */
export function InvitesTab() {
  const list = useInfiniteQuery(invitesQuery())
  const writable = useSession().workspace?.entitlements.readOnly === null
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  if (list.error && !list.data) return <QueryError query={list} />
  if (!list.data) return <TableSkeleton count={3} />
  if (items.length === 0)
    return (
      <EmptyState
        picture="people"
        title="No invitations yet"
        sentence="Each gets a personal link that works for 7 days."
        action={writable && <LinkButton to="/settings/workspace/members/invite">Invite people</LinkButton>}
      />
    )
  return (
    <Stack gap="md">
      <InvitesTable invites={items} now={list.dataUpdatedAt} writable={writable} />
      <ShowMore query={list} />
    </Stack>
  )
}

interface InvitesTableProps {
  invites: readonly Invite[]
  now: number
  writable: boolean
}

/** The invitations as rows; on a narrow screen each becomes a card. */
function InvitesTable({ invites, now, writable }: InvitesTableProps) {
  return (
    <div className="surface" style={{ overflow: 'auto' }}>
      <Table className={`${cards.table} ${classes.table}`} aria-label="Invitations">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Email</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>Role</Table.Th>
            <Table.Th>Invited by</Table.Th>
            <Table.Th>
              <span className="only-reader">Actions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {invites.map((invite) => (
            <InviteRow key={invite.id} invite={invite} now={now} writable={writable} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

function InviteRow({ invite, now, writable }: { invite: Invite; now: number; writable: boolean }) {
  const format = useFormat()
  const { words, tone } = STATE_LABELS[invite.state]
  const open = invite.state === 'pending' || invite.state === 'expired'
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes.personCell}>
        <span className={classes.name}>{invite.email}</span>
        {invite.groups.length > 0 && <GroupTags groups={invite.groups} />}
      </Table.Th>
      <Table.Td data-label="Status">
        <Group gap={8} wrap="nowrap">
          <Badge size="sm" color={tone} variant={tone === 'gray' ? 'default' : 'light'}>
            {words}
          </Badge>
          {open && (
            <Text size="xs" c="dimmed">
              {describeExpiry(invite.expiresAt, now)}
            </Text>
          )}
        </Group>
      </Table.Td>
      <Table.Td data-label="Role">{ROLE_TEXT[invite.role].name}</Table.Td>
      <Table.Td data-label="Invited by">
        <span>
          {invite.invitedBy}{' '}
          <Text span size="xs" c="dimmed">
            {format.ago(invite.sentAt, now)}
          </Text>
        </span>
      </Table.Td>
      <Table.Td>{open && writable && <InviteActions invite={invite} />}</Table.Td>
    </Table.Tr>
  )
}

function InviteActions({ invite: { id, email, state } }: { invite: Invite }) {
  const resend = useResendInvite()
  const revoke = useRevokeInvite()
  const onResent = { onSuccess: () => notifications.show({ message: `Invitation to ${email} resent` }) }
  const confirmRevoke = () =>
    confirmDestructive({
      title: `Revoke invitation to ${email}?`,
      message: 'The link stops working and the seat becomes free. You can invite them again.',
      confirm: 'Revoke invitation',
      onConfirm: () => revoke.mutate(id),
    })
  return (
    <Stack gap={6}>
      <Group gap={6} justify="flex-end" wrap="nowrap">
        <Button
          variant="default"
          size="compact-sm"
          loading={resend.isPending}
          onClick={() => resend.mutate(id, onResent)}
        >
          {state === 'expired' ? 'Renew' : 'Resend'}
          <span className="only-reader"> {email}</span>
        </Button>
        {state === 'pending' && (
          <Button variant="subtle" color="red" size="compact-sm" loading={revoke.isPending} onClick={confirmRevoke}>
            Revoke<span className="only-reader"> {email}</span>
          </Button>
        )}
      </Group>
      <MemberError error={resend.error ?? revoke.error} name={email} />
    </Stack>
  )
}
