import { Alert, Text } from '@mantine/core'
import { IconSnowflake } from '@tabler/icons-react'
import { useRoleWithoutSeat } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { UpgradeLine } from '../../ui/upgrade-prompt'

/** To somebody whose role takes an analyst's seat while the plan has none left: why so little can be done. */
export function ReducedRoleBanner() {
  const { workspace } = useSession()
  const assignedRole = useRoleWithoutSeat()
  if (!workspace || assignedRole === null) return null
  const max = workspace.entitlements.features.analysts
  return (
    <Alert color="yellow" icon={<IconSnowflake aria-hidden />} mb="md" role="status" title="You can only read for now">
      <Text size="sm">
        The plan has {max === 1 ? 'one seat' : `${max ?? 'fewer'} seats`} for owners, admins and analysts, and none is
        left for you. You act as a viewer until there is room; then you are an {assignedRole} again.
      </Text>
      <UpgradeLine need={{ kind: 'limit', limit: 'analysts' }} />
    </Alert>
  )
}
