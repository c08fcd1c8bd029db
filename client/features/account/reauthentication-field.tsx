import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { reauthenticateWithProvider } from './queries'
import { ApiError } from '../../lib/api'
import { FormError, useErrorUntilChange } from '../../ui/forms/form-error'
import { PasswordField } from '../../ui/forms/password-field'
import { IDENTITY_PROVIDER_NAMES, type SignInMethods } from '../../../src/shared/account'

/** What is said beside the password when it was wrong; null for every other refusal. */
export const wrongPasswordMessage = (error: unknown): string | null =>
  error instanceof ApiError && error.body.code === 'invalid_credentials' ? 'Incorrect password' : null

export interface ReauthenticationFieldProps {
  signIns: SignInMethods
  label?: string
  value: string
  onChange: (password: string) => void
  error: string | null
}

/** Proves that it is really the person: by the password, or, where there is none, by a sign-in of the last minutes. */
export function ReauthenticationField({
  signIns,
  label = 'Your password',
  value,
  onChange,
  error,
}: ReauthenticationFieldProps) {
  const standingError = useErrorUntilChange(error, value)
  if (signIns.password)
    return (
      <PasswordField
        label={label}
        autoComplete="current-password"
        value={value}
        error={standingError}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    )
  return <ProviderReauthentication signIns={signIns} />
}

/** People without a password sign in again with their provider; that counts for ten minutes. */
function ProviderReauthentication({ signIns }: { signIns: SignInMethods }) {
  const again = useMutation({
    mutationFn: reauthenticateWithProvider,
    onSuccess: ({ url }) => window.location.assign(url),
  })
  const providers = [...new Set(signIns.accounts.map(({ provider }) => provider))]
  return (
    <div>
      <Text size="sm" c="dimmed">
        Sign in again first if you signed in more than 10 minutes ago.
      </Text>
      <Group gap="xs" mt={8}>
        {providers.map((provider) => (
          <Button key={provider} variant="default" loading={again.isPending} onClick={() => again.mutate(provider)}>
            Sign in again with {IDENTITY_PROVIDER_NAMES[provider]}
          </Button>
        ))}
      </Group>
      <FormError error={again.error} />
    </div>
  )
}
