import { OAUTH_PROBLEMS } from '../../src/shared/account'
import type { OauthProblem } from '../../src/shared/account'

const WORDS: Record<OauthProblem, string> = {
  refused: 'The sign-in was cancelled or refused. Nothing has changed; try again.',
  expired: 'The sign-in took too long, or was started in another window. Try again.',
  account_exists:
    'There is already an account with this address. Sign in as you did before, then connect this sign-in in your settings.',
  already_connected: 'This sign-in already belongs to another account. Sign in with it there, or choose another.',
  unavailable: 'The sign-in service cannot be reached right now. Try again in a few minutes, or sign in another way.',
  disabled: 'This account has been switched off. Ask the person who runs your workspace.',
}

/** Why a sign-in with a provider came to nothing, in words; null for what is no such reason. */
export function oauthProblemWords(problem: string | undefined): string | null {
  const known = OAUTH_PROBLEMS.find((one) => one === problem)
  return known === undefined ? null : WORDS[known]
}
