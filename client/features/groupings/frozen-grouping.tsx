import { Alert, Text } from '@mantine/core'
import { IconSnowflake } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { groupingsQuery } from './queries'
import { useFormat } from '../../lib/format'
import { useSession } from '../../lib/session'
import { UpgradeLine } from '../../ui/upgrade-prompt'

/** Why a grouping cannot be changed, what goes on, and what brings it back. */
export function FrozenGroupingNotice() {
  const format = useFormat()
  const max = useSession().workspace?.entitlements.features.groupings ?? null
  const list = useQuery(groupingsQuery())
  if (max === null) return null
  return (
    <Alert color="yellow" icon={<IconSnowflake aria-hidden />} role="status" title="This grouping is frozen">
      <Text size="sm">
        Your plan has room for {format.count(max)} groupings, and this one is beyond it. Figures go on to be seen
        through it; new values are not looked for. It can be changed again with a larger plan, or when another one is
        deleted.
      </Text>
      <UpgradeLine need={{ kind: 'limit', limit: 'groupings', count: Math.max(max + 1, list.data?.length ?? 0) }} />
    </Alert>
  )
}
