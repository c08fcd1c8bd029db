import { MutedText } from '../../ui/muted-text'
import { Alert, Button, Group as Row, Stack, Text } from '@mantine/core'
import { IconFileImport, IconLock, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import classes from './groups.module.css'
import type { GroupColor, UserGroup } from '../../../src/shared/groups'
import { GroupDialog } from './group-dialog'
import { describeRule } from './group-text'
import { formatPersonCount } from '../../../src/shared/figures/formatter'
import { ImportMembersDialog } from './import-members-dialog'
import { groupsQuery } from '../../lib/queries/group-queries'
import { useGroupPermissions } from './use-group-permissions'
import { EmptyState } from '../../ui/empty-state'
import { ErrorState } from '../../ui/error-state'
import { LinkAnchor } from '../../ui/buttons/links'
import { TableSkeleton } from '../../ui/skeletons'
import { UpgradeLine, UpgradePrompt } from '../../ui/upgrade-prompt'

/** The colour of a group. Says nothing to a screen reader: the name stands beside it. */
export function GroupColorDot({ color }: { color: GroupColor }) {
  return <span aria-hidden className={classes.mark} style={{ background: `var(--mantine-color-${color}-6)` }} />
}

const GROUPS_PURPOSE = 'Give access to a group instead of each person.'
const GROUPS_NEED = { kind: 'gate', gate: 'userGrouping' } as const

export function GroupsList() {
  const { data, error, refetch } = useQuery(groupsQuery())
  const { planned, mayEdit } = useGroupPermissions()
  const [open, setOpen] = useState<'new' | 'import' | null>(null)
  const close = () => setOpen(null)
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <TableSkeleton count={4} />
  return (
    <Stack gap="md">
      {!planned && data.length > 0 && <GroupsLockedNotice />}
      {mayEdit && data.length > 0 && <GroupActions count={data.length} onOpen={setOpen} />}
      {data.length > 0 && <GroupItems groups={data} />}
      {data.length === 0 && <NoGroups onOpen={setOpen} />}
      {open === 'new' && <GroupDialog group={null} onClose={close} />}
      {open === 'import' && <ImportMembersDialog onClose={close} />}
    </Stack>
  )
}

/** What the plan leaves out, and what of the groups goes on. */
export function GroupsLockedNotice() {
  return (
    <Alert color="yellow" icon={<IconLock aria-hidden />} title="User groups aren’t in your plan" role="status">
      <Text size="sm">Existing groups keep working but can’t be changed.</Text>
      <UpgradeLine need={GROUPS_NEED} />
    </Alert>
  )
}

function GroupActions({ count, onOpen }: { count: number; onOpen: (what: 'new' | 'import') => void }) {
  return (
    <Row justify="space-between" gap="sm">
      <MutedText>{count === 1 ? '1 group' : `${count} groups`}</MutedText>
      <Row gap="xs">
        <Button
          variant="default"
          leftSection={<IconFileImport size={16} aria-hidden />}
          onClick={() => onOpen('import')}
        >
          Import members
        </Button>
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => onOpen('new')}>
          Create group
        </Button>
      </Row>
    </Row>
  )
}

function GroupItems({ groups }: { groups: readonly UserGroup[] }) {
  return (
    <ul className={`surface ${classes.list}`} aria-label="Groups">
      {groups.map(({ id, name, description, color, memberCount, autoRule }) => (
        <li key={id} className={classes.line}>
          <GroupColorDot color={color} />
          <div className={classes.words}>
            <LinkAnchor to="/settings/workspace/members" search={{ tab: 'groups', group: id }} fw={600}>
              {name}
            </LinkAnchor>
            {description !== '' && (
              <Text size="sm" c="dimmed" lineClamp={2}>
                {description}
              </Text>
            )}
            <Text size="xs" c="dimmed">
              {describeRule(autoRule)}
            </Text>
          </div>
          <Text size="sm" className={classes.count}>
            {formatPersonCount(memberCount)}
          </Text>
        </li>
      ))}
    </ul>
  )
}

function NoGroups({ onOpen }: { onOpen: (what: 'new' | 'import') => void }) {
  const { planned, mayEdit, administers } = useGroupPermissions()
  if (!planned) return <UpgradePrompt need={GROUPS_NEED} title="User groups" sentence={GROUPS_PURPOSE} />
  const others = administers ? '' : ' Owners and admins create them.'
  return (
    <EmptyState
      picture="people"
      title="No groups yet"
      sentence={`${GROUPS_PURPOSE}${others}`}
      action={
        mayEdit && (
          <Row gap="xs" justify="center">
            <Button onClick={() => onOpen('new')}>Create group</Button>
            <Button variant="default" onClick={() => onOpen('import')}>
              Import members
            </Button>
          </Row>
        )
      }
    />
  )
}
