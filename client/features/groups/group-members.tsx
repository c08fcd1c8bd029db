import { Stack, Text } from '@mantine/core'
import { AddPerson } from './add-person'
import { belongs } from './group-words'
import classes from './groups.module.css'
import { PersonLine } from './person-line'
import { useSetMembers } from './queries'
import type { Lists } from './queries'
import { FormError } from '../../ui/form-error'
import { SectionCard } from '../../ui/section-card'
import type { GroupDetail, GroupMember } from '../../../src/shared/groups'

const listsOf = (members: readonly GroupMember[]): Lists => ({
  memberIds: members.filter(({ isMember }) => isMember).map(({ userId }) => userId),
  managerIds: members.filter(({ isManager }) => isManager).map(({ userId }) => userId),
})

/** Members and managers. Every change is saved at once, on top of what was read last. */
export function GroupMembers({ group }: { group: GroupDetail }) {
  const { id, version, members, mayManage, autoRule } = group
  const write = useSetMembers()
  const lists = listsOf(members)
  const save = (change: Partial<Lists>) => write.mutate({ id, version, ...lists, ...change })
  const without = (ids: readonly string[], userId: string) => ids.filter((one) => one !== userId)
  return (
    <SectionCard
      title="People"
      description={mayManage ? 'Changes count at once.' : 'Managers of the group and admins change who is in it.'}
    >
      <FormError error={write.error} />
      {mayManage && (
        <AddPerson
          here={new Set(members.filter(belongs).map(({ userId }) => userId))}
          pending={write.isPending}
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
            <PersonLine
              key={member.userId}
              {...{ member, autoRule, mayManage, pending: write.isPending }}
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
        {write.isPending ? 'Saving' : write.isSuccess ? 'Saved' : ''}
      </Stack>
    </SectionCard>
  )
}
