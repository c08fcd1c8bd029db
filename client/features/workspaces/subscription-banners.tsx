import { Alert, Text } from '@mantine/core'
import { IconSnowflake, IconCreditCard } from '@tabler/icons-react'
import { useRoleWithoutSeat } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { UpgradeLine } from '../../ui/upgrade-prompt'
import { useFormat } from '../../lib/format'

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

/** While a payment is overdue and everything still works: until when, and who can do something about it. */
export function PaymentOverdueBanner() {
  const format = useFormat()
  const entitlements = useSession().workspace?.entitlements
  if (entitlements?.state !== 'past_due' || entitlements.graceEndsAt === null) return null
  const until = new Date(entitlements.graceEndsAt).toISOString()
  return (
    <Alert color="yellow" icon={<IconCreditCard aria-hidden />} mb="md" role="status" title="A payment is overdue">
      <Text size="sm">
        Everything works as usual until {format.dateTime(until)}. After that the workspace becomes read-only until it is
        paid. Nothing is deleted.
      </Text>
      <UpgradeLine need={{ kind: 'write', reason: 'restricted' }} />
    </Alert>
  )
}
