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
    <Alert color="yellow" icon={<IconSnowflake aria-hidden />} mb="md" role="status" title="You’re acting as a viewer">
      <Text size="sm">
        All {max ?? 'the'} analyst seats are taken. You’ll be an {assignedRole} again once one is free.
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
    <Alert color="yellow" icon={<IconCreditCard aria-hidden />} mb="md" role="status" title="Payment overdue">
      <Text size="sm">Pay by {format.dateTime(until)}, or the workspace becomes read-only.</Text>
      <UpgradeLine need={{ kind: 'write', reason: 'restricted' }} />
    </Alert>
  )
}
