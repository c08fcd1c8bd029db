import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconUserCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ReactivateMemberDialog } from './member-actions'
import { restoredMembersQuery } from './queries'
import { useSession } from '../../lib/session'
import type { Member } from '../../../src/shared/members'

/** Members who restored their deleted account: the workspace decides whether they come back. */
export function RestoredMembers() {
  const { data: members = [] } = useQuery(restoredMembersQuery())
  const writable = useSession().workspace?.entitlements.readOnly === null
  const [chosen, setChosen] = useState<Member | null>(null)
  if (members.length === 0) return null
  return (
    <Alert
      color="accent"
      icon={<IconUserCheck aria-hidden />}
      title={members.length === 1 ? 'Restored account' : 'Restored accounts'}
    >
      <Stack gap="xs">
        {members.map((member) => (
          <Group key={member.userId} justify="space-between" gap="sm">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {member.name} restored their account. Reactivate?
            </Text>
            {writable && (
              <Button size="compact-sm" onClick={() => setChosen(member)}>
                Reactivate<span className="only-reader"> {member.name}</span>
              </Button>
            )}
          </Group>
        ))}
      </Stack>
      {chosen && <ReactivateMemberDialog member={chosen} onClose={() => setChosen(null)} />}
    </Alert>
  )
}
