import { MutedText } from '../../ui/muted-text'
import { MoreMenu } from '../../ui/buttons/more-menu'
import { Select, Text, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconUserPlus, IconCrown, IconCrownOff, IconUserMinus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { peopleQuery, useSetGroupMembers, type GroupMemberIds } from './queries'
import { isGroupMember, describeReason } from './group-text'
import classes from './groups.module.css'
import { useGroupPermissions } from './use-group-permissions'
import { PersonAvatar } from '../../ui/person-avatar'
import { NeutralBadge } from '../../ui/neutral-badge'
import type { GroupMembershipRule, UserGroupMember, UserGroupDetail } from '../../../src/shared/groups'
import { FormError } from '../../ui/forms/form-error'
import { SectionCard } from '../../ui/section-card'

interface AddGroupMemberProps {
  /** Who belongs to the group already. */
  existingIds: ReadonlySet<string>
  pending: boolean
  onAdd: (userId: string) => void
}

/** Finds somebody of the workspace by name and adds them. */
function AddGroupMember({ existingIds, pending, onAdd }: AddGroupMemberProps) {
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), 200)
  const { data, isFetching } = useQuery({ ...peopleQuery(q), placeholderData: keepPreviousData })
  const found = (data ?? [])
    .filter(({ userId }) => !existingIds.has(userId))
    .map(({ userId, name, email }) => ({ value: userId, label: email === null ? name : `${name} (${email})` }))
  return (
    <Select
      allowDeselect
      label="Add member"
      placeholder="Search by name"
      leftSection={<IconUserPlus size={16} aria-hidden />}
      data={found}
      value={null}
      searchable
      searchValue={text}
      onSearchChange={setText}
      // What the server found is what is offered.
      filter={({ options }) => options}
      nothingFoundMessage={isFetching ? 'Searching…' : 'No members match. Invite them first.'}
      disabled={pending}
      onChange={(userId) => {
        if (userId === null) return
        onAdd(userId)
        setText('')
      }}
      maw={420}
    />
  )
}

interface GroupMemberItemProps {
  member: UserGroupMember
  autoRule: GroupMembershipRule | null
  mayManage: boolean
  pending: boolean
  onRemove: () => void
  onManager: (manager: boolean) => void
}

/** One person of a group with the marks that say why. Who belongs to it by its rule cannot be taken out. */
function GroupMemberItem(props: GroupMemberItemProps) {
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
            Also added manually
          </Text>
        )}
      </div>
      {props.mayManage && <GroupMemberMenu {...props} />}
    </li>
  )
}

function GroupMemberMenu({ member, pending, onRemove, onManager }: GroupMemberItemProps) {
  const { mayEdit } = useGroupPermissions()
  return (
    <MoreMenu
      label={`Actions for ${member.name}`}
      size="lg"
      loading={pending}
      items={[
        mayEdit && !member.isManager && { label: 'Make manager', icon: IconCrown, onClick: () => onManager(true) },
        mayEdit &&
          member.isManager && { label: 'Remove as manager', icon: IconCrownOff, onClick: () => onManager(false) },
        member.isMember && {
          label: member.automatic ? 'Remove manual membership' : 'Remove from group',
          icon: IconUserMinus,
          onClick: onRemove,
        },
      ]}
    />
  )
}

const memberIdsOf = (members: readonly UserGroupMember[]): GroupMemberIds => ({
  memberIds: members.filter(({ isMember }) => isMember).map(({ userId }) => userId),
  managerIds: members.filter(({ isManager }) => isManager).map(({ userId }) => userId),
})

/** Members and managers. Every change is saved at once, on top of what was read last. */
export function GroupMembers({ group }: { group: UserGroupDetail }) {
  const { id, version, members, mayManage, autoRule, decidesAccess } = group
  const whoMay = decidesAccess
    ? 'Data access depends on this group. Only admins can change its members.'
    : 'Group managers and admins can change members.'
  const setMembers = useSetGroupMembers()
  const lists = memberIdsOf(members)
  const save = (change: Partial<GroupMemberIds>) => setMembers.mutate({ id, version, ...lists, ...change })
  const without = (ids: readonly string[], userId: string) => ids.filter((one) => one !== userId)
  return (
    <SectionCard title="Members" description={mayManage ? undefined : whoMay}>
      <FormError error={setMembers.error} />
      {mayManage && (
        <AddGroupMember
          existingIds={new Set(members.filter(isGroupMember).map(({ userId }) => userId))}
          pending={setMembers.isPending}
          onAdd={(userId) => save({ memberIds: [...lists.memberIds, userId] })}
        />
      )}
      {members.length === 0 ? (
        <MutedText>No members yet</MutedText>
      ) : (
        <ul className={classes.list} style={{ padding: 0 }} aria-label="Members of the group">
          {members.map((member) => (
            <GroupMemberItem
              key={member.userId}
              {...{ member, autoRule, mayManage, pending: setMembers.isPending }}
              onRemove={() => save({ memberIds: without(lists.memberIds, member.userId) })}
              onManager={(manager) => {
                const others = without(lists.managerIds, member.userId)
                save({ managerIds: manager ? [...others, member.userId] : others })
              }}
            />
          ))}
        </ul>
      )}
      <Stack gap={0} aria-live="polite" className="only-reader">
        {setMembers.isPending ? 'Saving' : setMembers.isSuccess ? 'Saved' : ''}
      </Stack>
    </SectionCard>
  )
}
