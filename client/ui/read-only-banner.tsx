import { Alert, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { UpgradeLine } from './upgrade-prompt'
import { READ_ONLY_TEXT } from '../lib/describe-error'
import type { ReadOnlyReason } from '../../src/shared/billing/entitlements'

/** Says above a screen why nothing can be changed right now, and who can do what about it. */
export function ReadOnlyBanner({ reason }: { reason: ReadOnlyReason | null }) {
  if (reason === null) return null
  const { title, stays } = READ_ONLY_TEXT[reason]
  return (
    <Alert color="yellow" icon={<IconLock aria-hidden />} mb="md" role="status" title={title}>
      <Text size="sm">{stays}</Text>
      <UpgradeLine need={{ kind: 'write', reason }} />
    </Alert>
  )
}
