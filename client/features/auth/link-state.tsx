import { Alert, Stack } from '@mantine/core'
import { IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ApiError } from '../../lib/api'

/** Whether a refusal says that the link itself is dead: used, too old, or replaced by a newer one. */
export const isDeadLink = (error: unknown): boolean =>
  error instanceof ApiError && (error.body.code === 'expired' || error.body.code === 'not_found')

export interface LinkStateProps {
  title: string
  /** What it means and what to do. */
  children: ReactNode
  action?: ReactNode
  /** It went well. */
  good?: boolean
}

/** Where a link from a mail leads nowhere, or everywhere already: what is so, and the way on. */
export function LinkState({ title, children, action, good = false }: LinkStateProps) {
  const Icon = good ? IconCircleCheck : IconInfoCircle
  return (
    <Stack gap="md">
      <Alert color={good ? 'green' : 'gray'} icon={<Icon aria-hidden />} title={title} role={good ? 'status' : 'alert'}>
        {children}
      </Alert>
      {action}
    </Stack>
  )
}

export const BROKEN = 'This link is not complete'
export const BROKEN_ADVICE = 'A part of it was lost on the way. Open it from the mail again, or copy the whole address.'
export const DEAD = 'This link no longer works'
