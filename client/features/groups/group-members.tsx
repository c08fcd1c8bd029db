import { Stack, Text } from '@mantine/core'
import { AddGroupMember } from './add-person'
import { isGroupMember } from './group-words'
import classes from './groups.module.css'
import { GroupMemberItem } from './person-line'
import { useSetGroupMembers } from './queries'
import type { GroupMemberIds } from './queries'
import { FormError } from '../../ui/form-error'
import { SectionCard } from '../../ui/section-card'
import type { UserGroupDetail, UserGroupMember } from '../../../src/shared/groups'

const memberIdsOf = (members: readonly UserGroupMember[]): GroupMemberIds => ({
  memberIds: members.filter(({ isMember }) => isMember).map(({ userId }) => userId),
  managerIds: members.filter(({ isManager }) => isManager).map(({ userId }) => userId),
})

/** Members and managers. Every change is saved at once, on top of what was read last. */
export function GroupMembers({ group }: { group: UserGroupDetail }) {
  const { id, version, members, mayManage, autoRule } = group
  const setMembers = useSetGroupMembers()
  const lists = memberIdsOf(members)
  const save = (change: Partial<GroupMemberIds>) => setMembers.mutate({ id, version, ...lists, ...change })
  const without = (ids: readonly string[], userId: string) => ids.filter((one) => one !== userId)
  return (
    <SectionCard
      title="People"
      description={mayManage ? 'Changes count at once.' : 'Managers of the group and admins change who is in it.'}
    >
      <FormError error={setMembers.error} />
      {mayManage && (
        <AddGroupMember
          existingIds={new Set(members.filter(isGroupMember).map(({ userId }) => userId))}
          pending={setMembers.isPending}
          onAdd={(userId) => save({ memberIds: [...lists.memberIds, userId] })}
        />
      )}
      {members.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nobody is in this group yet.
        </Text>
      ) : (
        <ul className={classes.list} style={{ padding: 0 }} aria-label="People of the group">
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
