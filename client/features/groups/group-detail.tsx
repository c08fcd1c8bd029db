import { Button, Group as Row, Stack, Text, Title } from '@mantine/core'
import { IconArrowLeft, IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { DeleteGroupDialog } from './delete-group'
import { GroupDialog } from './group-dialog'
import { GroupColorDot } from './group-mark'
import { GroupMembers } from './group-members'
import { formatPersonCount, describeRule } from './group-words'
import { GroupsLockedNotice } from './groups-list'
import { groupQuery } from './queries'
import { GroupUsage } from './unlocks'
import { useGroupPermissions } from './use-group-rights'
import { ErrorState } from '../../ui/error-state'
import { LinkAnchor } from '../../ui/links'
import { TableSkeleton } from '../../ui/skeletons'
import type { UserGroupDetail } from '../../../src/shared/groups'

/** One group: who is in it, why, who manages it, and what it is used for. */
export function GroupDetailView({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(groupQuery(id))
  const { planned } = useGroupPermissions()
  return (
    <Stack gap="md">
      <Text size="sm">
        <LinkAnchor to="/settings/workspace/members" search={{ tab: 'groups' }}>
          <IconArrowLeft size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> All groups
        </LinkAnchor>
      </Text>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!error && !data && <TableSkeleton count={4} />}
      {data && (
        <>
          {!planned && <GroupsLockedNotice />}
          <GroupHeader group={data} />
          <GroupMembers group={data} />
          <GroupUsage group={data} />
        </>
      )}
    </Stack>
  )
}

function GroupHeader({ group }: { group: UserGroupDetail }) {
  const { mayEdit } = useGroupPermissions()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const close = () => setOpen(null)
  return (
    <Row justify="space-between" align="flex-start" gap="sm">
      <div style={{ flex: '1 1 16rem', minWidth: 0, overflowWrap: 'anywhere' }}>
        <Row gap="xs" wrap="nowrap" align="flex-start">
          <GroupColorDot color={group.color} />
          <Title order={2}>{group.name}</Title>
        </Row>
        {group.description !== '' && (
          <Text size="sm" mt={4}>
            {group.description}
          </Text>
        )}
        <Text size="sm" c="dimmed" mt={4}>
          {formatPersonCount(group.memberCount)}. {describeRule(group.autoRule)}.
        </Text>
      </div>
      {mayEdit && (
        <Row gap="xs">
          <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setOpen('edit')}>
            Edit group
          </Button>
          <Button
            variant="subtle"
            color="red"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => setOpen('delete')}
          >
            Delete
          </Button>
        </Row>
      )}
      {open === 'edit' && <GroupDialog group={group} onClose={close} />}
      {open === 'delete' && (
        <DeleteGroupDialog
          group={group}
          onClose={close}
          onDeleted={() => void navigate({ to: '/settings/workspace/members', search: { tab: 'groups' } })}
        />
      )}
    </Row>
  )
}
