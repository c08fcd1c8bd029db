import type { Identity } from './identity'
import { oauthStore } from './store'
import type { Known } from './store'
import { sessionRows } from '../../access/new-session'
import type { Entered, Entering, Person } from '../../access/new-session'
import { commit } from '../../db/commit'
import type { AuditEntry, Commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { mailEntry } from '../../mail/order'
import { PROVIDER_NAME } from '../../shared/account'
import type { OauthProblem } from '../../shared/account'
import { ProductError } from '../../shared/errors'

/**
 * Signs in whom a provider named, or makes the account of somebody new. An address that somebody has opens nothing and
 * links nothing: its holder signs in as before and connects the provider then.
 */
export async function enter(deps: Deps, identity: Identity, session: Entering): Promise<Entered | OauthProblem> {
  // Of two returns of the same new person at once, one makes the account and the other finds it when it looks again.
  for (const look of ['first', 'again']) {
    const known = await oauthStore(deps.db).find(identity)
    if (known?.disabled) return 'disabled'
    const entered = known ? await comeBack(deps, { known, identity }, session) : await join(deps, identity, session)
    if (entered) return entered
    if (look === 'again') return known ? 'expired' : 'account_exists'
  }
  return 'expired'
}

async function comeBack(
  deps: Deps,
  { known, identity }: { known: Known; identity: Identity },
  session: Entering,
): Promise<Entered | null> {
  const store = oauthStore(deps.db)
  const now = deps.clock.now()
  const person: Person = { userId: known.userId, epoch: known.epoch }
  const opened = await session.open(person)
  const written = await wrote(deps, {
    change: [
      store.use(known, identity, now),
      ...sessionRows(deps, opened, session.replaces),
      ...store.adoptAddress(person.userId, identity, now),
    ],
    audit: [audit(person.userId, 'session.signIn', identity)],
    outbox: opened.notices,
  })
  return written ? { person, opened } : null
}

async function join(deps: Deps, identity: Identity, session: Entering): Promise<Entered | null> {
  const store = oauthStore(deps.db)
  const now = deps.clock.now()
  const person: Person = { userId: deps.ids.next('user'), epoch: 1 }
  const opened = await session.open(person)
  const written = await wrote(deps, {
    change: [
      store.insertUser({ id: person.userId, identity, now }),
      store.insertAccount({ id: deps.ids.next('account'), userId: person.userId, identity, now }),
      ...sessionRows(deps, opened, session.replaces),
    ],
    audit: [audit(person.userId, 'account.register', identity)],
  })
  return written ? { person, opened } : null
}

/** Adds the provider's person to the account of the session that asked for it. Null when it is done. */
export async function connect(
  deps: Deps,
  identity: Identity,
  to: { userId: string; sessionHash: string; email: string | null },
): Promise<OauthProblem | null> {
  const store = oauthStore(deps.db)
  const id = deps.ids.next('account')
  const now = deps.clock.now()
  const written = await wrote(deps, {
    change: [store.connect({ id, ...to, identity, now }), ...store.adoptAddress(to.userId, identity, now)],
    audit: [audit(to.userId, 'signIn.connect', identity)],
    outbox: connectedMail(to.email, identity, { accountId: id, removed: false }),
  })
  if (written) return null
  const known = await store.find(identity)
  if (!known) return 'expired'
  return known.userId === to.userId ? null : 'already_connected'
}

/** Tells a person of a way in that came or went; nobody is told at an address that is not proven to be theirs. */
export const connectedMail = (
  to: string | null,
  { provider }: Pick<Identity, 'provider'>,
  of: { accountId: string; removed: boolean },
) => {
  if (to === null) return []
  const order = {
    to,
    template: 'signInConnected',
    provider: PROVIDER_NAME[provider],
    removed: of.removed,
  } as const
  return [mailEntry(order, { key: `signIn:${of.accountId}:${of.removed ? 'removed' : 'connected'}` })]
}

/** Writes a batch; false when its first statement changed nothing, and then nothing of it stands. */
async function wrote(deps: Deps, work: Omit<Commit, 'expect'>): Promise<boolean> {
  const missed = new ProductError('in_use')
  try {
    await commit(deps, { ...work, expect: { onMissed: () => missed } })
    return true
  } catch (error) {
    if (error === missed) return false
    throw error
  }
}

const audit = (userId: string, action: string, { provider, issuer, subject }: Identity): AuditEntry => ({
  workspaceId: null,
  actorId: userId,
  action,
  entity: 'user',
  entityId: userId,
  after: { provider, issuer, subject },
})
