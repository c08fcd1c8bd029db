import { Button, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { AuthFrame } from './auth-frame'
import { BROKEN, BROKEN_ADVICE, DEAD, isDeadLink, LinkState } from './link-state'
import { MailRequest } from './mail-request'
import { useCountdown } from './use-countdown'
import { retryAfterOf } from '../../lib/describe-error'
import { useLinkToken } from '../../lib/link-token'
import { confirmReset, requestReset } from '../../lib/session-calls'
import { checkWith } from '../../lib/validate-form'
import { applyFieldErrors, FormError } from '../../ui/form-error'
import { LinkAnchor } from '../../ui/links'
import { NewPasswordInput } from '../../ui/new-password-input'
import { resetConfirmSchema } from '../../../src/shared/account'

const FIELDS = resetConfirmSchema.pick({ password: true })

const backToSignIn = (
  <>
    Know your password?{' '}
    <LinkAnchor to="/login" size="sm" underline="always">
      Sign in
    </LinkAnchor>
  </>
)

/** The way back in when the password is forgotten: a mail first, then, from its link, a new password. */
export function ResetScreen({ onSignedIn }: { onSignedIn: () => void }) {
  const token = useLinkToken()
  // The link that turned out dead; a newer one is tried again.
  const [dead, setDead] = useState<string | null>(null)
  const [again, setAgain] = useState<string | null>(null)
  if (token === null || again === token)
    return (
      <AuthFrame title="Forgot your password?" below={backToSignIn}>
        <MailRequest
          intro="Tell us the address you sign in with. We send a link that lets you choose a new password."
          button="Send the link"
          promise="a mail with a link is on its way. The link works once, for one hour."
          send={(email) => requestReset({ email })}
        />
      </AuthFrame>
    )
  if (token === 'broken' || dead === token)
    return (
      <AuthFrame title="Choose a new password" below={backToSignIn}>
        <LinkState
          title={token === 'broken' ? BROKEN : DEAD}
          action={<Button onClick={() => setAgain(token)}>Ask for a new link</Button>}
        >
          {token === 'broken'
            ? BROKEN_ADVICE
            : 'It was used already, is too old, or a newer one was sent after it. Ask for a new one; it takes a minute.'}
        </LinkState>
      </AuthFrame>
    )
  return (
    <AuthFrame title="Choose a new password" below={backToSignIn}>
      <NewPassword token={token} onSignedIn={onSignedIn} onDead={() => setDead(token)} />
    </AuthFrame>
  )
}

interface NewPasswordProps {
  token: string
  onSignedIn: () => void
  onDead: () => void
}

function NewPassword({ token, onSignedIn, onDead }: NewPasswordProps) {
  const [wait, startWait] = useCountdown()
  const form = useForm({ initialValues: { password: '' }, validate: checkWith(FIELDS) })
  const save = useMutation({
    mutationFn: confirmReset,
    onSuccess: onSignedIn,
    onError: (error) => {
      if (isDeadLink(error)) return onDead()
      applyFieldErrors(form, error, ['password'])
      startWait(retryAfterOf(error))
    },
  })
  return (
    <form onSubmit={form.onSubmit(({ password }) => save.mutate({ token, password }))} noValidate>
      <Stack gap="md">
        <FormError error={save.error} />
        <NewPasswordInput label="New password" {...form.getInputProps('password')} value={form.values.password} />
        <Text size="sm" c="dimmed">
          You are signed in with it here, and signed out everywhere else.
        </Text>
        <Button type="submit" fullWidth loading={save.isPending} disabled={wait > 0}>
          {wait > 0 ? `Try again in ${wait} s` : 'Save and sign in'}
        </Button>
      </Stack>
    </form>
  )
}
