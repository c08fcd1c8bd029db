import { Alert, Text } from '@mantine/core'
import { IconSnowflake } from '@tabler/icons-react'
import type { FrozenPeople } from './frozen-people'
import { UpgradeLine } from '../../ui/upgrade-prompt'

const people = (count: number): string => (count === 1 ? '1 person' : `${count} people`)

/** Says above the list who is beyond the plan, what that means for them, and what brings them back. */
export function FrozenNotice({ frozen }: { frozen: FrozenPeople }) {
  const { out, viewers, users, analysts } = frozen
  return (
    <>
      {users && (
        <Alert
          color="yellow"
          icon={<IconSnowflake aria-hidden />}
          title={`${people(out.size)} cannot use this workspace for now`}
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
          title={`${people(viewers.size)} can only read for now`}
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
