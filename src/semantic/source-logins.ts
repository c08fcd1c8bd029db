import { readLogins } from './source-login-store'
import type { Scope } from '../scope'
import type { Deps } from '../deps'
import { ProductError } from '../shared/errors'
import type { SourceLogin } from '../warehouse/contract'

/** Asked again where the warehouse wants to know how a source is asked; the second time is the last. */
const LOGIN_ATTEMPTS_MAX = 3

/**
 * Asks a question of which rows may stay at their source: how that is asked is told only when the warehouse wants to know,
 * and for this question alone.
 */
export async function withSourceLogins<T>(
  deps: Pick<Deps, 'db' | 'settings'>,
  scope: Scope,
  execute: (logins?: SourceLogin[]) => Promise<T>,
): Promise<T> {
  let logins: SourceLogin[] | undefined
  for (let left = LOGIN_ATTEMPTS_MAX; ; left -= 1)
    try {
      return await execute(logins)
    } catch (error) {
      const wanted = wantedSources(error)
      if (wanted === null || left === 1) throw error
      logins = await readLogins(deps, scope, wanted)
    }
}

/** Ids of the sources that are to be asked; null for every other refusal. */
function wantedSources(error: unknown): string[] | null {
  if (!(error instanceof ProductError) || error.code !== 'expired' || error.details['what'] !== 'login') return null
  const { ids } = error.details
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : null
}
