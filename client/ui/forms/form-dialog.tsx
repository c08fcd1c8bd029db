import { Button, Stack, type ModalProps } from '@mantine/core'
import { use, useRef, type FormEvent, type ReactNode } from 'react'
import { useHeldInput } from '../../lib/writes/held-input'
import { FormFooter } from './form-footer'
import { Dialog, LeaveDialogContext } from '../dialog'

export interface DialogButtonsProps {
  /** A verb and its object. */
  submit: ReactNode
  /** What leaves everything as it is. */
  cancel?: string | undefined
  pending?: boolean
  disabled?: boolean | undefined
  danger?: boolean | undefined
  /** The safe answer has the focus. */
  focusCancel?: boolean | undefined
  /** Absent inside a form, which the button then submits. */
  onConfirm?: () => void
  onClose: () => void
}

/** The two answers at the end of a dialog. */
export function DialogButtons(props: DialogButtonsProps) {
  const {
    submit,
    cancel = 'Cancel',
    pending = false,
    disabled = false,
    danger,
    focusCancel,
    onConfirm,
    onClose,
  } = props
  const leave = use(LeaveDialogContext)
  return (
    <FormFooter>
      <Button variant="default" onClick={() => leave(onClose)} data-autofocus={focusCancel}>
        {cancel}
      </Button>
      <Button
        type={onConfirm ? 'button' : 'submit'}
        {...(danger ? { color: 'red' } : {})}
        loading={pending}
        disabled={disabled}
        {...(onConfirm ? { onClick: onConfirm } : {})}
      >
        {submit}
      </Button>
    </FormFooter>
  )
}

export interface DialogFormProps extends Omit<DialogButtonsProps, 'onConfirm'> {
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  children: ReactNode
}

/** A form in a dialog: its fields and the two answers. */
export function DialogForm({ onSubmit, children, ...buttons }: DialogFormProps) {
  const form = useRef<HTMLFormElement>(null)
  useHeldInput(form, buttons.pending === true)
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(event)
      }}
    >
      <Stack gap="md">
        {children}
        <DialogButtons {...buttons} />
      </Stack>
    </form>
  )
}

export interface FormDialogProps extends DialogFormProps {
  title: string
  size?: ModalProps['size']
}

/** A dialog that is one form. */
export function FormDialog({ title, size = 'md', ...form }: FormDialogProps) {
  return (
    <Dialog opened onClose={form.onClose} title={title} size={size}>
      <DialogForm {...form} />
    </Dialog>
  )
}
