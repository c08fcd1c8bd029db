import { actorOf, type AppContext } from './context'
import { enforceRateLimits } from './rate-limit'
import { personStore } from '../identity/person-store'
import { RECENT_SIGN_IN_MS } from '../shared/account'
import { ProductError } from '../shared/errors'

/**
 * Proves that it is really the signed-in person who asks for something grave: by their password, guessed no more often
 * than at sign-in; people without one by a sign-in younger than {@link RECENT_SIGN_IN_MS} whose session still goes on.
 * @param given the password, as the body's `field` holds it
 * @throws ProductError `invalid_credentials`, `invalid_input`, `rate_limited`; `unauthenticated` when the sign-in is too old
 */
export async function requireReauthentication(
  c: AppContext,
  given: string | undefined,
  field = 'password',
): Promise<void> {
  const { clock, db, passwords } = c.get('deps')
  const { userId, email, signedInAt, sessionHash } = actorOf(c)
  const person = personStore(db, userId)
  const password = await person.password()
  if (!password) throw new ProductError('unauthenticated')
  if (password.hash === null) {
    if (clock.now() - signedInAt < RECENT_SIGN_IN_MS && (await person.holdsSession(sessionHash))) return
    throw new ProductError('unauthenticated', {}, 'Sign in again to continue.')
  }
  if (given === undefined) throw new ProductError('invalid_input', { fields: { [field]: 'Enter your password.' } })
  const giveBack = await enforceRateLimits(c, [
    { rate: 'wrongPasswordOfAccount', key: email ?? userId },
    { rate: 'wrongPasswordFromAddress' },
  ])
  const { ok } = await passwords.verify(given, password.hash)
  if (!ok) throw new ProductError('invalid_credentials', {}, 'Incorrect password.')
  await giveBack()
}
