import { MutedText } from '../../ui/muted-text'
import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { AuthLayout } from './auth-layout'
import { DeadLink, EmailLinkForm, isExpiredLink, useMailLink } from './email-link'
import { CheckedLink } from './link-check'
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
    Remember it?{' '}
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
      <AuthLayout title="Reset password" below={signInLink}>
        <EmailLinkForm
          intro="We’ll email you a link to set a new password."
          button="Send link"
          validity="It works once, for 1 hour."
          send={(email) => requestReset({ email })}
        />
      </AuthLayout>
    )
  const dead = <DeadLink link={link} why="It was used, has expired or was replaced by a newer one." />
  if (link.isDead)
    return (
      <AuthLayout title="Set a new password" below={signInLink}>
        {dead}
      </AuthLayout>
    )
  return (
    <AuthLayout title="Set a new password" below={signInLink}>
      <CheckedLink token={token} purpose="reset" dead={dead} returnTo="/reset">
        <NewPasswordForm token={token} onSignedIn={onSignedIn} onExpired={link.onExpired} />
      </CheckedLink>
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
        <MutedText>You’ll be signed out everywhere else.</MutedText>
        <Button type="submit" fullWidth loading={save.isPending} disabled={secondsLeft > 0}>
          {secondsLeft > 0 ? `Try again in ${secondsLeft} s` : 'Set password'}
        </Button>
      </Stack>
    </form>
  )
}
