import { OAUTH_PROBLEMS, IDENTITY_PROVIDER_NAMES, IDENTITY_PROVIDERS } from '../../src/shared/account'
import type { OauthProblem } from '../../src/shared/account'

const OAUTH_PROBLEM_TEXT: Record<OauthProblem, (name: string) => string> = {
  refused: (name) => `The sign-in with ${name} was cancelled or refused. Nothing has changed; try again.`,
  expired: (name) => `The sign-in with ${name} took too long, or was started in another window. Try again.`,
  account_exists: (name) =>
    `There is already an account with this address. Sign in with your password, or as you did before, then connect ${name} in your settings, under Sign-in and security.`,
  already_connected: () => 'This sign-in already belongs to another account. Sign in with it there, or choose another.',
  unavailable: (name) => `We cannot reach ${name} right now. Try again in a few minutes, or sign in another way.`,
  disabled: () => 'This account has been switched off. Ask the person who runs your workspace.',
}

/** Why a sign-in with a provider came to nothing, in words; null for what is no such reason. */
export function describeOauthProblem(problem: string | undefined, provider?: string): string | null {
  const known = OAUTH_PROBLEMS.find((one) => one === problem)
  const named = IDENTITY_PROVIDERS.find((one) => one === provider)
  return known === undefined
    ? null
    : OAUTH_PROBLEM_TEXT[known](named === undefined ? 'the provider' : IDENTITY_PROVIDER_NAMES[named])
}
