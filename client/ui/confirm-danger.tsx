import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'

export interface ConfirmDestructiveOptions {
  title: string
  /** What will happen, what else is touched, and whether it can be undone. */
  message: ReactNode
  /** A verb and its object: "Delete source". */
  confirm: string
  onConfirm: () => void | Promise<void>
}

/** Asks before something that is hard to take back; the safe answer has the focus. */
export function confirmDestructive({ title, message, confirm, onConfirm }: ConfirmDestructiveOptions): void {
  modals.openConfirmModal({
    title,
    children: typeof message === 'string' ? <Text size="sm">{message}</Text> : message,
    labels: { confirm, cancel: 'Keep it' },
    confirmProps: { color: 'red' },
    cancelProps: { 'data-autofocus': true },
    onConfirm: () => void onConfirm(),
  })
}
