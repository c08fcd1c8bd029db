import { Alert, Text } from '@mantine/core'
import { IconCreditCard } from '@tabler/icons-react'
import { useFormat } from '../../lib/format'
import { useSession } from '../../lib/session'
import { UpgradeLine } from '../../ui/upgrade-prompt'

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
