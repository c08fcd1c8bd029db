import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useCountdown } from './use-countdown'
import { AppCheckContainer } from '../../lib/app-check-box'
import { retryAfterSeconds } from '../../lib/describe-error'
import { signIn } from '../../lib/session-calls'
import { formValidator } from '../../lib/validate-form'
import { applyFieldErrors, FormError } from '../../ui/form-error'
import { signInSchema } from '../../../src/shared/session'
import type { PageData, SignInInput } from '../../../src/shared/session'

export interface SignInFormProps {
  email?: string
  onSignedIn: (data: PageData) => void
}

/** E-mail and password; used by the page and by the sheet over an interrupted screen. */
export function SignInForm({ email = '', onSignedIn }: SignInFormProps) {
  const [secondsLeft, startWait] = useCountdown()
  const form = useForm<SignInInput>({
    mode: 'uncontrolled',
    initialValues: { email, password: '' },
    validate: formValidator(signInSchema),
  })
  const mutation = useMutation({
    mutationFn: signIn,
    onSuccess: onSignedIn,
    onError: (error) => {
      applyFieldErrors(form, error, ['email', 'password'])
      startWait(retryAfterSeconds(error))
    },
  })
  return (
    <form onSubmit={form.onSubmit((values) => mutation.mutate(values))} noValidate>
      <Stack gap="md">
        <FormError error={mutation.error} />
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="username"
          inputMode="email"
          data-autofocus={email === '' || undefined}
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          data-autofocus={email !== '' || undefined}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <AppCheckContainer />
        <Button type="submit" fullWidth loading={mutation.isPending} disabled={secondsLeft > 0}>
          {secondsLeft > 0 ? `Try again in ${secondsLeft} s` : 'Sign in'}
        </Button>
      </Stack>
    </form>
  )
}
