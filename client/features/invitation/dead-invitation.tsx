import { Alert } from '@mantine/core'
import { IconMailOff } from '@tabler/icons-react'
import { useEffect } from 'react'
import { clearInvitation } from './kept-invitation'
import { ApiError } from '../../lib/api'

const INVALID_TEXT = {
  missing: {
    title: 'There is no invitation here',
    advice: 'Open the link in the mail once more. Without the mail, ask whoever wanted to invite you.',
  },
  broken: {
    title: 'The link is not complete',
    advice: 'Mail programs sometimes break long links. Press the button in the mail, or copy the whole link from it.',
  },
  dead: {
    title: 'This invitation does not work any more',
    advice:
      'It was used, taken back, replaced by a newer mail, or is older than 7 days. Look for a newer mail, or ask the person who invited you to send it again.',
  },
} as const

/** Whether the refusal means that this link will never work again. */
export const isInvalidInvitation = (error: unknown): boolean =>
  error instanceof ApiError && ['not_found', 'expired', 'invalid_input'].includes(error.body.code)

/** Says what is wrong with a link, and whom to ask. */
export function InvalidInvitation({ why }: { why: keyof typeof INVALID_TEXT }) {
  useEffect(() => {
    if (why === 'dead') clearInvitation()
  }, [why])
  const { title, advice } = INVALID_TEXT[why]
  return (
    <Alert color="yellow" icon={<IconMailOff aria-hidden />} title={title} role="alert">
      {advice}
    </Alert>
  )
}
