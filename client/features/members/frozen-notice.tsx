import { Alert, Text } from '@mantine/core'
import { IconSnowflake } from '@tabler/icons-react'
import type { OverLimitMembers } from './frozen-people'
import { UpgradeLine } from '../../ui/upgrade-prompt'

const formatPersonCount = (count: number): string => (count === 1 ? '1 person' : `${count} people`)

/** Says above the list who is beyond the plan, what that means for them, and what brings them back. */
export function OverLimitMembersNotice({ frozen }: { frozen: OverLimitMembers }) {
  const { withoutSeat, actingAsViewers, users, analysts } = frozen
  return (
    <>
      {users && (
        <Alert
          color="yellow"
          icon={<IconSnowflake aria-hidden />}
          title={`${formatPersonCount(withoutSeat.size)} cannot use this workspace for now`}
        >
          <Text size="sm">
            The plan has {users.max === 1 ? 'one user' : `${users.max} users`}, and {users.count} belong to the
            workspace. Nothing of theirs is lost; they are back as soon as there is room, or when others are removed or
            suspended.
          </Text>
          <UpgradeLine need={{ kind: 'limit', limit: 'users', count: users.count }} />
        </Alert>
      )}
      {analysts && (
        <Alert
          color="yellow"
          icon={<IconSnowflake aria-hidden />}
          title={`${formatPersonCount(actingAsViewers.size)} can only read for now`}
        >
          <Text size="sm">
            The plan has {analysts.max === 1 ? 'one analyst' : `${analysts.max} analysts`}, and {analysts.count} people
            have a role that takes such a seat. Those beyond it act as viewers until there is room, or until others
            change to viewers.
          </Text>
          <UpgradeLine need={{ kind: 'limit', limit: 'analysts', count: analysts.count }} />
        </Alert>
      )}
    </>
  )
}
