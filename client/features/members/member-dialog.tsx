import { FormDialog } from '../../ui/forms/form-dialog'
import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ApiError } from '../../lib/api'
import { FormError } from '../../ui/forms/form-error'
import { UpgradeHint } from '../../ui/upgrade-hint'

interface ErrorText {
  title: string
  advice: string
}

/** Why something about a person was refused, in the words of this screen; null where the usual words fit. */
export function memberErrorText(error: unknown, name: string): ErrorText | null {
  if (!(error instanceof ApiError)) return null
  const { code } = error.body
  if (code === 'in_use')
    return {
      title: 'A workspace needs an owner',
      advice: 'Transfer ownership first.',
    }
  if (code === 'limit_reached') {
    const analyst = error.body['limit'] === 'analysts'
    return {
      title: analyst ? 'No analyst seats left' : 'No seats left',
      advice: analyst ? 'Change another analyst to viewer first.' : 'Remove a member or revoke an invitation first.',
    }
  }
  if (code === 'version_conflict')
    return {
      title: `Someone else changed ${name}`,
      advice: 'The list is up to date again. Check it, then try again.',
    }
  if (code === 'not_found') return { title: `${name} is no longer a member`, advice: 'Close this dialog.' }
  return null
}

export function MemberError({ error, name }: { error: unknown; name: string }) {
  if (error === null || error === undefined) return null
  const words = memberErrorText(error, name)
  if (!words) return <FormError error={error} />
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert" title={words.title}>
      {words.advice}
      <UpgradeHint error={error} />
    </Alert>
  )
}

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
  const { title, name, children, error, button, cancel, pending, onConfirm, onClose } = props
  return (
    <FormDialog
      title={title}
      submit={button.words}
      cancel={cancel}
      pending={pending}
      disabled={button.disabled}
      danger={button.danger}
      focusCancel={button.danger}
      onSubmit={onConfirm}
      onClose={onClose}
    >
      {children}
      <MemberError error={error} name={name} />
    </FormDialog>
  )
}
