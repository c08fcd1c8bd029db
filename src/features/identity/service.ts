import type { z } from 'zod'
import { userStore } from './store'
import { assertUnguessable } from '../../identity/guessable-password'
import { uncacheSession } from '../../identity/session-record'
import { sessionStartStatements, endSessionStatement } from '../../identity/session-store'
import type { StartedSession, SessionStart, SessionUser } from '../../identity/session-store'
import { emailProofMail } from '../../identity/email-proof'
import { userAuditEntry } from '../../db/audit'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import type { registerSchema, signInSchema } from '../../shared/session'

/** A new account, signed in; its address is proven by the mail that goes there. @throws ProductError `account_exists`; `invalid_input` for a common password */
export async function register(
  deps: Deps,
  input: z.output<typeof registerSchema>,
  session: SessionStart,
): Promise<StartedSession> {
  const about = { appName: deps.settings.APP_NAME, name: input.name, email: input.email, workspaces: [] }
  await assertUnguessable(input.password, { about, field: 'password' })
  const passwordHash = await deps.passwords.hash(input.password)
  const sessionUser: SessionUser = { userId: deps.ids.next('user'), epoch: 1 }
  const opened = await session.open(sessionUser)
  const { name, email } = input
  const proof = emailProofMail(deps, { userId: sessionUser.userId, email })
  await commit(deps, {
    change: [
      userStore(deps.db).insert({ id: sessionUser.userId, email, name, passwordHash, now: deps.clock.now() }),
      ...sessionStartStatements(deps, opened, session.replaces),
      proof.insert,
    ],
    audit: [userAuditEntry(sessionUser.userId, 'account.register')],
    outbox: [proof.mail],
    expect: { onMissed: () => new ProductError('account_exists') },
  })
  return { person: sessionUser, opened }
}

/** Proves a password. Unknown address and wrong password cost the same and say the same. */
export async function signIn(
  deps: Deps,
  input: z.output<typeof signInSchema>,
  session: SessionStart,
): Promise<StartedSession> {
  const accounts = userStore(deps.db)
  const account = await accounts.byEmail(input.email)
  const stored = account?.passwordHash ?? null
  const { ok, outdated } = await deps.passwords.verify(input.password, stored)
  if (!ok || !account || stored === null) throw new ProductError('invalid_credentials')
  const sessionUser: SessionUser = { userId: account.userId, epoch: account.epoch }
  const opened = await session.open(sessionUser)
  await commit(deps, {
    change: [
      ...sessionStartStatements(deps, opened, session.replaces),
      ...(outdated
        ? [accounts.replaceHash(sessionUser.userId, stored, await deps.passwords.hash(input.password))]
        : []),
    ],
    audit: [userAuditEntry(sessionUser.userId, 'session.signIn')],
    outbox: opened.notices,
  })
  return { person: sessionUser, opened }
}

/** Ends a session at once: the row first, as it is the authority. */
export async function signOut(deps: Deps, hash: string, person: SessionUser | null): Promise<void> {
  await commit(deps, {
    change: [endSessionStatement(deps, hash)],
    audit: person ? [userAuditEntry(person.userId, 'session.signOut')] : [],
  })
  await uncacheSession(deps, hash)
}
