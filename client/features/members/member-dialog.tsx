import { Button, Group, Modal, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { MemberError } from './member-refusal'

export interface MemberDialogProps {
  title: string
  /** Who it is about, for words of a refusal. */
  name: string
  children: ReactNode
  error: unknown
  button: { words: string; danger?: boolean; disabled?: boolean }
  /** What leaves everything as it is. */
  cancel?: string
  pending: boolean
  onConfirm: () => void
  onClose: () => void
}

/** A question about one person: what will happen, what was refused, and two answers. */
export function MemberDialog(props: MemberDialogProps) {
  const { title, name, children, error, button, cancel = 'Cancel', pending, onConfirm, onClose } = props
  return (
    <Modal opened onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          onConfirm()
        }}
      >
        <Stack gap="md">
          {children}
          <MemberError error={error} name={name} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} {...(button.danger ? { 'data-autofocus': true } : {})}>
              {cancel}
            </Button>
            <Button
              type="submit"
              loading={pending}
              disabled={button.disabled ?? false}
              {...(button.danger ? { color: 'red' } : {})}
            >
              {button.words}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
