import { OAUTH_PROBLEMS, IDENTITY_PROVIDER_NAMES, IDENTITY_PROVIDERS } from '../../src/shared/account'
import type { OauthProblem } from '../../src/shared/account'

const OAUTH_PROBLEM_TEXT: Record<OauthProblem, (name: string) => string> = {
  refused: (name) => `Couldn’t sign in with ${name}. Try again.`,
  expired: (name) => `Sign-in with ${name} expired. Try again.`,
  account_exists: (name) =>
    `This email already has an account. Sign in as before, then connect ${name} under Sign-in and security.`,
  already_connected: () => 'This sign-in belongs to another account. Choose another one.',
  unavailable: (name) => `Couldn’t reach ${name}. Try again in a few minutes, or sign in another way.`,
  disabled: () => 'Account disabled. Contact support.',
}

/** Why a sign-in with a provider came to nothing, in words; null for what is no such reason. */
export function describeOauthProblem(problem: string | undefined, provider?: string): string | null {
  const known = OAUTH_PROBLEMS.find((one) => one === problem)
  const named = IDENTITY_PROVIDERS.find((one) => one === provider)
  return known === undefined
    ? null
    : OAUTH_PROBLEM_TEXT[known](named === undefined ? 'the provider' : IDENTITY_PROVIDER_NAMES[named])
}
