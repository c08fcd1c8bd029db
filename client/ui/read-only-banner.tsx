import { Alert } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import type { ReadOnlyReason } from '../../src/shared/entitlements'

const WORDS: Record<ReadOnlyReason, string> = {
  trial_expired: 'The trial has ended. Everything stays readable; changes need a subscription.',
  awaiting_checkout: 'The subscription is not paid yet. Everything stays readable until it is.',
  restricted: 'A payment is missing. Everything stays readable; changes wait for it.',
  canceled: 'The subscription has ended. Everything stays readable and can be exported.',
  frozen: 'This workspace holds more than its plan. Everything stays readable.',
}

/** Says above a screen why nothing can be changed right now. */
export function ReadOnlyBanner({ reason }: { reason: ReadOnlyReason | null }) {
  if (reason === null) return null
  return (
    <Alert color="yellow" icon={<IconLock aria-hidden />} mb="md" role="status">
      {WORDS[reason]}
    </Alert>
  )
}
