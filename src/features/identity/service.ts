import type { z } from 'zod'
import { accountStore } from './store'
import { sessionRows } from '../../access/new-session'
import type { Entered, Entering, Person } from '../../access/new-session'
import { endSession, forgetSession } from '../../access/sessions'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import type { registerSchema, signInSchema } from '../../shared/session'

/** A new account, signed in. @throws ProductError `account_exists` */
export async function register(
  deps: Deps,
  input: z.output<typeof registerSchema>,
  session: Entering,
): Promise<Entered> {
  const passwordHash = await deps.passwords.hash(input.password)
  const person: Person = { userId: deps.ids.next('user'), epoch: 1 }
  const opened = await session.open(person)
  const { name, email } = input
  await commit(deps, {
    change: [
      accountStore(deps.db).insert({ id: person.userId, email, name, passwordHash, now: deps.clock.now() }),
      ...sessionRows(deps, opened, session.replaces),
    ],
    audit: [audit(person, 'account.register')],
    expect: { onMissed: () => new ProductError('account_exists') },
  })
  return { person, opened }
}

/** Proves a password. Unknown address and wrong password cost the same and say the same. */
export async function signIn(deps: Deps, input: z.output<typeof signInSchema>, session: Entering): Promise<Entered> {
  const accounts = accountStore(deps.db)
  const account = await accounts.byEmail(input.email)
  const stored = account?.passwordHash ?? null
  const { ok, outdated } = await deps.passwords.verify(input.password, stored)
  if (!ok || !account || stored === null) throw new ProductError('invalid_credentials')
  const person: Person = { userId: account.userId, epoch: account.epoch }
  const opened = await session.open(person)
  await commit(deps, {
    change: [
      ...sessionRows(deps, opened, session.replaces),
      ...(outdated ? [accounts.rehash(person.userId, stored, await deps.passwords.hash(input.password))] : []),
    ],
    audit: [audit(person, 'session.signIn')],
    outbox: opened.notices,
  })
  return { person, opened }
}

/** Ends a session at once: the row first, as it is the authority. */
export async function signOut(deps: Deps, hash: string, person: Person | null): Promise<void> {
  await commit(deps, { change: [endSession(deps, hash)], audit: person ? [audit(person, 'session.signOut')] : [] })
  await forgetSession(deps, hash)
}

const audit = (person: Person, action: string) => ({
  workspaceId: null,
  actorId: person.userId,
  action,
  entity: 'user',
  entityId: person.userId,
})
