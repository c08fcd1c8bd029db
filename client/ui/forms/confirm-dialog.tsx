import { dependentsOf } from '../../lib/error-details'
import { FormError } from './form-error'
import { DialogButtons } from './form-dialog'
import { Text, Alert, List, Stack } from '@mantine/core'
import { modals } from '@mantine/modals'
import footer from './form-footer.module.css'
import type { ReactNode } from 'react'
import type { Dependent } from '../../../src/shared/data-sources/data-sources'
import { Dialog } from '../dialog'
import { openersNow, putOnTop, returnFocus } from '../../lib/focus-return'

export interface ConfirmDestructiveOptions {
  title: string
  /** What will happen, what else is touched, and whether it can be undone. */
  message: ReactNode
  /** A verb and its object: "Delete source". */
  confirm: string
  onConfirm: () => void | Promise<void>
}

interface ConfirmOptions extends ConfirmDestructiveOptions {
  /** The safe answer. */
  cancel?: string
  isDestructive?: boolean
}

/** Asks before something; the safe answer has the focus, and afterwards what asked for it. */
export function confirmAction(options: ConfirmOptions): void {
  const { title, message, confirm, cancel = 'Cancel', isDestructive = false, onConfirm } = options
  const openers = openersNow()
  const takeAway = putOnTop(title)
  modals.openConfirmModal({
    title,
    children: typeof message === 'string' ? <Text size="sm">{message}</Text> : message,
    labels: { confirm, cancel },
    groupProps: { className: footer.confirm },
    ...(isDestructive ? { confirmProps: { color: 'red' } } : {}),
    cancelProps: { 'data-autofocus': true },
    onConfirm: () => void onConfirm(),
    returnFocus: false,
    onClose: () => {
      takeAway()
      returnFocus(openers)
    },
  })
}

/** Asks before something that is hard to take back. */
export const confirmDestructive = (options: ConfirmDestructiveOptions): void =>
  confirmAction({ ...options, isDestructive: true })

export interface DeleteDialogProps {
  title: string
  /** What goes and what stays. */
  children: ReactNode
  /** The call, which the server refuses while something uses the thing. */
  deletion: { error: unknown; isPending: boolean }
  /** What is said of what uses it, and how each is named. */
  dependentsText: { title: string; before?: string; after?: string; named?: (dependent: Dependent) => ReactNode }
  /** Any other refusal, where it has words of its own. */
  errorNotice?: ReactNode
  button: { first: string; again: string }
  /** `force`: although something uses it. */
  onDelete: (force: boolean) => void
  onClose: () => void
}

/** Asks once whether a thing shall go; when insights use it, names them and asks again. Nothing has to be typed. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { title, children, deletion, dependentsText, button, onDelete, onClose } = props
  const { errorNotice = <FormError error={deletion.error} /> } = props
  const dependents = dependentsOf(deletion.error)
  return (
    <Dialog opened onClose={onClose} title={title}>
      <Stack gap="md">
        <Text size="sm">{children}</Text>
        {dependents ? <DependentsAlert dependents={dependents} use={dependentsText} /> : errorNotice}
        <DialogButtons
          submit={dependents ? button.again : button.first}
          danger
          focusCancel
          pending={deletion.isPending}
          onConfirm={() => onDelete(dependents !== null)}
          onClose={onClose}
        />
      </Stack>
    </Dialog>
  )
}

function DependentsAlert({
  dependents,
  use,
}: {
  dependents: readonly Dependent[]
  use: DeleteDialogProps['dependentsText']
}) {
  return (
    <Alert color="yellow" title={use.title} role="alert">
      {use.before && <Text size="sm">{use.before}</Text>}
      <List size="sm">
        {dependents.map((each) => (
          <List.Item key={each.id}>{use.named?.(each) ?? each.name}</List.Item>
        ))}
      </List>
      {use.after && (
        <Text size="sm" mt="xs">
          {use.after}
        </Text>
      )}
    </Alert>
  )
}
