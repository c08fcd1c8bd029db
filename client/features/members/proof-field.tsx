import { PasswordInput, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { signInsQuery } from './queries'
import { ApiError } from '../../lib/api'
import { fieldErrors } from '../../ui/form-error'
import { FRESH_MS, PROVIDER_NAME } from '../../../src/shared/account'

export interface ProofFieldProps {
  value: string
  onChange: (text: string) => void
  /** What the server said to it. */
  error: unknown
}

/** The sentence about a password that was refused; null when something else was. */
export function proofRefusal(error: unknown): string | null {
  if (error instanceof ApiError && error.body.code === 'invalid_credentials') return 'That is not your password.'
  return fieldErrors(error)?.['password'] ?? null
}

const FRESH_MINUTES = FRESH_MS / 60_000

/** Proves that it is really this person: their password, or for people without one a sign-in that is fresh. */
export function ProofField({ value, onChange, error }: ProofFieldProps) {
  const { data } = useQuery(signInsQuery())
  if (data && !data.password) {
    const names = [...new Set(data.accounts.map(({ provider }) => PROVIDER_NAME[provider]))].join(' or ')
    return (
      <Text size="sm" c="dimmed">
        Your account has no password, so a sign-in{names === '' ? '' : ` with ${names}`} in the last {FRESH_MINUTES}{' '}
        minutes stands for it. If yours is older, you are asked to sign in again.
      </Text>
    )
  }
  return (
    <PasswordInput
      label="Your password"
      description="To be sure that it is you."
      autoComplete="current-password"
      value={value}
      error={proofRefusal(error)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
