import { PasswordInput, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { signInsQuery } from './queries'
import { ApiError } from '../../lib/api'
import { fieldErrors } from '../../ui/form-error'
import { RECENT_SIGN_IN_MS, IDENTITY_PROVIDER_NAMES } from '../../../src/shared/account'

export interface ReauthenticationFieldProps {
  value: string
  onChange: (text: string) => void
  /** What the server said to it. */
  error: unknown
}

/** The sentence about a password that was refused; null when something else was. */
export function wrongPasswordMessage(error: unknown): string | null {
  if (error instanceof ApiError && error.body.code === 'invalid_credentials') return 'That is not your password.'
  return fieldErrors(error)?.['password'] ?? null
}

const REAUTHENTICATION_MINUTES = RECENT_SIGN_IN_MS / 60_000

/** Proves that it is really this person: their password, or for people without one a sign-in that is fresh. */
export function ReauthenticationField({ value, onChange, error }: ReauthenticationFieldProps) {
  const { data } = useQuery(signInsQuery())
  if (data && !data.password) {
    const names = [...new Set(data.accounts.map(({ provider }) => IDENTITY_PROVIDER_NAMES[provider]))].join(' or ')
    return (
      <Text size="sm" c="dimmed">
        Your account has no password, so a sign-in{names === '' ? '' : ` with ${names}`} in the last{' '}
        {REAUTHENTICATION_MINUTES} minutes stands for it. If yours is older, you are asked to sign in again.
      </Text>
    )
  }
  return (
    <PasswordInput
      label="Your password"
      description="To be sure that it is you."
      autoComplete="current-password"
      value={value}
      error={wrongPasswordMessage(error)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
