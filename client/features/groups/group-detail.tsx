import { Button, Group as Row, Stack, Text, Title } from '@mantine/core'
import { IconArrowLeft, IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { DeleteGroup } from './delete-group'
import { GroupDialog } from './group-dialog'
import { GroupMark } from './group-mark'
import { GroupMembers } from './group-members'
import { countWords, ruleWords } from './group-words'
import { Locked } from './groups-list'
import { groupQuery } from './queries'
import { Unlocks } from './unlocks'
import { useGroupRights } from './use-group-rights'
import { ErrorState } from '../../ui/error-state'
import { LinkAnchor } from '../../ui/links'
import { TableSkeleton } from '../../ui/skeletons'
import type { GroupDetail } from '../../../src/shared/groups'

/** One group: who is in it, why, who manages it, and what it is used for. */
export function GroupDetailView({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(groupQuery(id))
  const { planned } = useGroupRights()
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
          {!planned && <Locked />}
          <Head group={data} />
          <GroupMembers group={data} />
          <Unlocks group={data} />
        </>
      )}
    </Stack>
  )
}

function Head({ group }: { group: GroupDetail }) {
  const { mayEdit } = useGroupRights()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null)
  const close = () => setOpen(null)
  return (
    <Row justify="space-between" align="flex-start" gap="sm">
      <div style={{ flex: '1 1 16rem', minWidth: 0, overflowWrap: 'anywhere' }}>
        <Row gap="xs" wrap="nowrap" align="flex-start">
          <GroupMark color={group.color} />
          <Title order={2}>{group.name}</Title>
        </Row>
        {group.description !== '' && (
          <Text size="sm" mt={4}>
            {group.description}
          </Text>
        )}
        <Text size="sm" c="dimmed" mt={4}>
          {countWords(group.memberCount)}. {ruleWords(group.autoRule)}.
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
        <DeleteGroup
          group={group}
          onClose={close}
          onDeleted={() => void navigate({ to: '/settings/workspace/members', search: { tab: 'groups' } })}
        />
      )}
    </Row>
  )
}
