import type { ReadOnlyReason } from '../../src/shared/entitlements'

/** Why nothing can be changed right now, and what goes on. `frozen` is said of one thing, the rest of a workspace. */
export const READ_ONLY_TEXT: Record<ReadOnlyReason, { title: string; stays: string }> = {
  trial_expired: {
    title: 'The trial has ended',
    stays: 'Everything stays readable and can be exported; loads and changes wait for a subscription.',
  },
  awaiting_checkout: {
    title: 'This workspace has no subscription yet',
    stays: 'It can be set up and looked at; adding data and making changes begin with a subscription.',
  },
  restricted: {
    title: 'A payment is missing',
    stays: 'Everything stays readable and can be exported; loads and changes wait until it is paid.',
  },
  canceled: {
    title: 'The subscription has ended',
    stays: 'Everything stays readable and can be exported.',
  },
  frozen: {
    title: 'Frozen: the plan has no room for it',
    stays: 'It stays readable, can be exported and works again as soon as there is room.',
  },
}

/** The reason that a refusal names; null for any other text. */
export const readOnlyReasonOf = (text: unknown): ReadOnlyReason | null =>
  READ_ONLY_REASONS.find((reason) => reason === text) ?? null
const READ_ONLY_REASONS = [
  'trial_expired',
  'awaiting_checkout',
  'restricted',
  'canceled',
  'frozen',
] as const satisfies readonly ReadOnlyReason[]
