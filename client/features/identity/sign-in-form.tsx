import { Button, Stack, TextInput, Anchor, Divider, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { IconBuildingStore } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useCountdown } from './use-countdown'
import { AppCheckContainer } from '../../lib/app-check'
import { retryAfterSeconds } from '../../lib/describe-error'
import { signIn, signInToDemo, startOauthSignIn } from '../../lib/session-actions'
import { formValidator } from '../../lib/validate-form'
import { applyFieldErrors, FormError } from '../../ui/forms/form-error'
import { signInSchema, type PageData, type SignInInput } from '../../../src/shared/session'
import { useSession } from '../../lib/session'
import { PasswordField } from '../../ui/forms/password-field'
import { ProviderMark } from '../../ui/provider-mark'
import { TERMS } from '../../../src/shared/terms'
import { IDENTITY_PROVIDER_NAMES, IDENTITY_PROVIDERS, type IdentityProvider } from '../../../src/shared/account'

export interface SignInFormProps {
  email?: string
  onSignedIn: (data: PageData) => void
}

/** Email and password; used by the page and by the sheet over an interrupted screen. */
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
          label={TERMS.email}
          type="email"
          autoComplete="username"
          inputMode="email"
          data-autofocus={email === '' || undefined}
          key={form.key('email')}
          {...form.getInputProps('email')}
        />
        <PasswordField
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

export interface AlternativeSignInsProps {
  /** Where the person was going; the provider's answer leads there. */
  returnTo: string | undefined
  onSignedIn: () => void
}

/** Sign-in with Google or Microsoft where the installation has keys for it, and the demo on a person's own machine. */
export function AlternativeSignIns({ returnTo, onSignedIn }: AlternativeSignInsProps) {
  const { google, microsoft, demo } = useSession().config.signIn
  if (!google && !microsoft && !demo) return null
  return (
    <Stack gap="sm" mt="lg">
      <Divider label="or" />
      <ProviderSignIns returnTo={returnTo} />
      {demo && <DemoSignIn onSignedIn={onSignedIn} />}
    </Stack>
  )
}

/** A button for each provider that is offered: the first sign-in makes the account. */
export function ProviderSignIns({ returnTo }: { returnTo: string | undefined }) {
  const { signIn } = useSession().config
  const start = useMutation({
    mutationFn: (provider: IdentityProvider) => startOauthSignIn(provider, returnTo),
    onSuccess: ({ url }) => window.location.assign(url),
  })
  const { reset } = start
  // Who comes back from the provider by the browser's own button finds the page as it was left.
  useEffect(() => {
    const shown = ({ persisted }: PageTransitionEvent): void => (persisted ? reset() : undefined)
    window.addEventListener('pageshow', shown)
    return () => window.removeEventListener('pageshow', shown)
  }, [reset])
  const offered = IDENTITY_PROVIDERS.filter((provider) => signIn[provider])
  const leaving = start.isPending || start.isSuccess
  if (offered.length === 0) return null
  return (
    <>
      {offered.map((provider) => (
        <Button
          key={provider}
          variant="default"
          leftSection={<ProviderMark provider={provider} />}
          loading={leaving && start.variables === provider}
          disabled={leaving && start.variables !== provider}
          onClick={() => start.mutate(provider)}
        >
          Continue with {IDENTITY_PROVIDER_NAMES[provider]}
        </Button>
      ))}
      <FormError error={start.error} />
      <Text size="xs" c="dimmed">
        By continuing with {offered.map((provider) => IDENTITY_PROVIDER_NAMES[provider]).join(' or ')} you accept the{' '}
        <Anchor href="/terms" target="_blank" underline="always" size="xs">
          terms and privacy notice
        </Anchor>
        .
      </Text>
    </>
  )
}

function DemoSignIn({ onSignedIn }: { onSignedIn: () => void }) {
  const enter = useMutation({ mutationFn: signInToDemo, onSuccess: onSignedIn })
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconBuildingStore size={17} aria-hidden />}
        loading={enter.isPending}
        onClick={() => enter.mutate()}
      >
        Explore demo data
      </Button>
      <FormError error={enter.error} />
    </>
  )
}
