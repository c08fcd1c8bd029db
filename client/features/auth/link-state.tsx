import { Alert, Stack } from '@mantine/core'
import { IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ApiError } from '../../lib/api'

/** Whether a refusal says that the link itself is dead: used, too old, or replaced by a newer one. */
export const isExpiredLink = (error: unknown): boolean =>
  error instanceof ApiError && (error.body.code === 'expired' || error.body.code === 'not_found')

export interface LinkStatusProps {
  title: string
  /** What it means and what to do. */
  children: ReactNode
  action?: ReactNode
  /** It went well. */
  success?: boolean
}

/** Where a link from a mail leads nowhere, or everywhere already: what is so, and the way on. */
export function LinkStatus({ title, children, action, success = false }: LinkStatusProps) {
  const Icon = success ? IconCircleCheck : IconInfoCircle
  return (
    <Stack gap="md">
      <Alert
        color={success ? 'green' : 'gray'}
        icon={<Icon aria-hidden />}
        title={title}
        role={success ? 'status' : 'alert'}
      >
        {children}
      </Alert>
      {action}
    </Stack>
  )
}

export const INCOMPLETE_LINK = 'This link is not complete'
export const INCOMPLETE_LINK_ADVICE =
  'A part of it was lost on the way. Open it from the mail again, or copy the whole address.'
export const EXPIRED_LINK = 'This link no longer works'
