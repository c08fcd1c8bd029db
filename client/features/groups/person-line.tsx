import { ActionIcon, Menu, Text } from '@mantine/core'
import { IconCrown, IconCrownOff, IconDots, IconUserMinus } from '@tabler/icons-react'
import { isGroupMember, describeReason } from './group-words'
import classes from './groups.module.css'
import { useGroupPermissions } from './use-group-rights'
import { PersonAvatar } from '../../ui/person-avatar'
import { NeutralBadge } from '../../ui/quiet-badge'
import type { GroupMembershipRule, UserGroupMember } from '../../../src/shared/groups'

export interface GroupMemberItemProps {
  member: UserGroupMember
  autoRule: GroupMembershipRule | null
  mayManage: boolean
  pending: boolean
  onRemove: () => void
  onManager: (manager: boolean) => void
}

/** One person of a group with the marks that say why. Who belongs to it by its rule cannot be taken out. */
export function GroupMemberItem(props: GroupMemberItemProps) {
  const { member, autoRule } = props
  return (
    <li className={`${classes.line} ${classes.person}`}>
      <PersonAvatar name={member.name} picture={member.avatar} />
      <div className={classes.words}>
        <span className={classes.marks}>
          <Text span size="sm" fw={550}>
            {member.name}
          </Text>
          {member.isManager && (
            <NeutralBadge>{isGroupMember(member) ? 'Manager' : 'Manager, not a member'}</NeutralBadge>
          )}
          {member.automatic && <NeutralBadge>{describeReason(autoRule)}</NeutralBadge>}
        </span>
        {member.automatic && member.isMember && (
          <Text size="xs" c="dimmed">
            Also added by hand
          </Text>
        )}
      </div>
      {props.mayManage && <GroupMemberMenu {...props} />}
    </li>
  )
}

function GroupMemberMenu({ member, pending, onRemove, onManager }: GroupMemberItemProps) {
  const { mayEdit } = useGroupPermissions()
  // What is left for one who manages the group and looks at somebody whom its rule put there.
  if (!mayEdit && !member.isMember) return null
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" loading={pending} aria-label={`Actions for ${member.name}`}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayEdit && !member.isManager && (
          <Menu.Item leftSection={<IconCrown size={16} aria-hidden />} onClick={() => onManager(true)}>
            Make manager
          </Menu.Item>
        )}
        {mayEdit && member.isManager && (
          <Menu.Item leftSection={<IconCrownOff size={16} aria-hidden />} onClick={() => onManager(false)}>
            No longer manager
          </Menu.Item>
        )}
        {member.isMember && (
          <Menu.Item leftSection={<IconUserMinus size={16} aria-hidden />} onClick={onRemove}>
            {member.automatic ? 'No longer added by hand' : 'Remove from group'}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
