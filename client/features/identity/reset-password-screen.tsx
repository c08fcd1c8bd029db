import { MutedText } from '../../ui/muted-text'
import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { AuthLayout } from './auth-layout'
import { DeadLink, EmailLinkForm, isExpiredLink, useMailLink } from './email-link'
import { useCountdown } from './use-countdown'
import { retryAfterSeconds } from '../../lib/describe-error'
import { confirmReset, requestReset } from '../../lib/session-actions'
import { formValidator } from '../../lib/validate-form'
import { applyFieldErrors, FormError } from '../../ui/forms/form-error'
import { LinkAnchor } from '../../ui/buttons/links'
import { NewPasswordInput } from '../../ui/forms/new-password-input'
import { resetConfirmSchema } from '../../../src/shared/account'

const newPasswordSchema = resetConfirmSchema.pick({ password: true })

const signInLink = (
  <>
    Know your password?{' '}
    <LinkAnchor to="/login" size="sm" underline="always">
      Sign in
    </LinkAnchor>
  </>
)

/** The way back in when the password is forgotten: a mail first, then, from its link, a new password. */
export function ResetPasswordScreen({ onSignedIn }: { onSignedIn: () => void }) {
  const link = useMailLink()
  const { token } = link
  if (token === null || link.asks)
    return (
      <AuthLayout title="Forgot your password?" below={signInLink}>
        <EmailLinkForm
          intro="Tell us the address you sign in with. We send a link that lets you choose a new password."
          button="Send the link"
          sentMessage="a mail with a link is on its way. The link works once, for one hour."
          send={(email) => requestReset({ email })}
        />
      </AuthLayout>
    )
  if (link.isDead)
    return (
      <AuthLayout title="Choose a new password" below={signInLink}>
        <DeadLink
          link={link}
          why="It was used already, is too old, or a newer one was sent after it. Ask for a new one; it takes a minute."
        />
      </AuthLayout>
    )
  return (
    <AuthLayout title="Choose a new password" below={signInLink}>
      <NewPasswordForm token={token} onSignedIn={onSignedIn} onExpired={link.onExpired} />
    </AuthLayout>
  )
}

interface NewPasswordFormProps {
  token: string
  onSignedIn: () => void
  onExpired: () => void
}

function NewPasswordForm({ token, onSignedIn, onExpired }: NewPasswordFormProps) {
  const [secondsLeft, startWait] = useCountdown()
  const form = useForm({ initialValues: { password: '' }, validate: formValidator(newPasswordSchema) })
  const save = useMutation({
    mutationFn: confirmReset,
    onSuccess: onSignedIn,
    onError: (error) => {
      if (isExpiredLink(error)) return onExpired()
      applyFieldErrors(form, error, ['password'])
      startWait(retryAfterSeconds(error))
    },
  })
  return (
    <form onSubmit={form.onSubmit(({ password }) => save.mutate({ token, password }))} noValidate>
      <Stack gap="md">
        <FormError error={save.error} />
        <NewPasswordInput label="New password" {...form.getInputProps('password')} value={form.values.password} />
        <MutedText>You are signed in with it here, and signed out everywhere else.</MutedText>
        <Button type="submit" fullWidth loading={save.isPending} disabled={secondsLeft > 0}>
          {secondsLeft > 0 ? `Try again in ${secondsLeft} s` : 'Save and sign in'}
        </Button>
      </Stack>
    </form>
  )
}
