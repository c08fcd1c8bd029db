import { Anchor, Button, Checkbox, Stack, TextInput, Divider } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useCountdown } from './use-countdown'
import { AppCheckContainer } from '../../lib/app-check'
import { retryAfterSeconds } from '../../lib/describe-error'
import { register } from '../../lib/session-actions'
import { formValidator } from '../../lib/validate-form'
import { applyFieldErrors, FormError } from '../../ui/forms/form-error'
import { NewPasswordInput } from '../../ui/forms/new-password-input'
import { registerSchema } from '../../../src/shared/session'
import { AuthLayout } from './auth-layout'
import { ProviderSignIns } from './sign-in-form'
import { useSession } from '../../lib/session'
import { LinkAnchor } from '../../ui/buttons/links'

const REGISTER_FIELDS = ['name', 'email', 'password', 'acceptTerms'] as const
const EMPTY_VALUES = { name: '', email: '', password: '', acceptTerms: false }

interface RegisterFormProps {
  email?: string
  onRegistered: () => void
}

function RegisterForm({ email = '', onRegistered }: RegisterFormProps) {
  const [secondsLeft, startWait] = useCountdown()
  const form = useForm({
    mode: 'controlled',
    initialValues: { ...EMPTY_VALUES, email },
    validate: formValidator(registerSchema),
  })
  const mutation = useMutation({
    mutationFn: ({ acceptTerms: _accepted, ...input }: typeof EMPTY_VALUES) =>
      register({ ...input, acceptTerms: true }),
    onSuccess: onRegistered,
    onError: (error) => {
      applyFieldErrors(form, error, REGISTER_FIELDS)
      startWait(retryAfterSeconds(error))
    },
  })
  return (
    <form onSubmit={form.onSubmit((values) => mutation.mutate(values))} noValidate>
      <Stack gap="md">
        <FormError error={mutation.error} />
        <TextInput label="Name" autoComplete="name" {...form.getInputProps('name')} />
        <TextInput label="Work email" type="email" autoComplete="username" {...form.getInputProps('email')} />
        <NewPasswordInput label="Password" {...form.getInputProps('password')} value={form.values.password} />
        <Checkbox
          label={
            <>
              I accept the{' '}
              <Anchor href="/terms" target="_blank" underline="always" size="sm">
                terms and privacy notice
              </Anchor>
            </>
          }
          {...form.getInputProps('acceptTerms', { type: 'checkbox' })}
        />
        <AppCheckContainer />
        <Button type="submit" fullWidth loading={mutation.isPending} disabled={secondsLeft > 0}>
          {secondsLeft > 0 ? `Try again in ${secondsLeft} s` : 'Create account'}
        </Button>
      </Stack>
    </form>
  )
}

export interface RegisterScreenProps {
  returnTo: string | undefined
  /** The address that is filled in: the one an invitation is for. */
  email?: string | undefined
  onRegistered: () => void
}

export function RegisterScreen({ returnTo, email = '', onRegistered }: RegisterScreenProps) {
  const { google, microsoft } = useSession().config.signIn
  const signIn = (
    <>
      Already have an account?{' '}
      <LinkAnchor to="/login" search={{ return: returnTo }} size="sm" underline="always">
        Sign in
      </LinkAnchor>
    </>
  )
  return (
    <AuthLayout title="Create an account" below={signIn}>
      <RegisterForm email={email} onRegistered={onRegistered} />
      {(google || microsoft) && (
        <Stack gap="sm" mt="lg">
          <Divider label="or" />
          <ProviderSignIns returnTo={returnTo} />
        </Stack>
      )}
    </AuthLayout>
  )
}
