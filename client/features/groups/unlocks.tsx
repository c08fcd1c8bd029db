import { List, Text } from '@mantine/core'
import { useMay } from '../../lib/gate'
import { LinkAnchor } from '../../ui/links'
import { SectionCard } from '../../ui/section-card'
import type { UserGroupDetail } from '../../../src/shared/groups'

/** Everything that names the group. For those who may see all of it: a shorter list would say too little. */
export function GroupUsage({ group: { unlocks } }: { group: UserGroupDetail }) {
  const may = useMay('invite:member')
  if (!may) return null
  return (
    <SectionCard title="What this unlocks" description="Everything that names this group.">
      {unlocks.length === 0 ? (
        <Text size="sm" c="dimmed">
          Nothing names this group yet. Invitations can: whoever accepts one joins its groups.
        </Text>
      ) : (
        <>
          <Text size="sm">
            {unlocks.length === 1 ? 'One open invitation' : `${unlocks.length} open invitations`} will add who accepts:
          </Text>
          <List size="sm">
            {unlocks.map(({ id, label }) => (
              <List.Item key={id} style={{ overflowWrap: 'anywhere' }}>
                {label}
              </List.Item>
            ))}
          </List>
          <Text size="sm">
            <LinkAnchor to="/settings/workspace/members" search={{ tab: 'invitations' }}>
              See invitations
            </LinkAnchor>
          </Text>
        </>
      )}
    </SectionCard>
  )
}
