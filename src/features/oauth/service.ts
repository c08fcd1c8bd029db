import type { ProviderIdentity } from './provider-identity'
import { oauthStore, type LinkedUser } from './store'
import { suspendedMemberEntries } from '../../identity/earlier-use-store'
import { sessionStartStatements } from '../../identity/session-store'
import type { StartedSession, SessionStart, SessionUser } from '../../identity/session-store'
import { userAuditEntry } from '../../db/audit'
import { tryCommit, type AuditEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import { mailOutboxEntry } from '../../mail/queued-mail'
import { IDENTITY_PROVIDER_NAMES, type OauthProblem } from '../../shared/account'

/**
 * Signs in whom a provider named, or makes the account of somebody new. An address that somebody has opens nothing and
 * links nothing: its holder signs in as before and connects the provider then.
 */
export async function signInWithProvider(
  deps: Deps,
  providerIdentity: ProviderIdentity,
  session: SessionStart,
): Promise<StartedSession | OauthProblem> {
  // Of two returns of the same new person at once, one makes the account and the other finds it when it looks again.
  for (const attempt of ['first', 'again']) {
    const known = await oauthStore(deps.db).find(providerIdentity)
    if (known?.disabled) return 'disabled'
    const entered = known
      ? await signInExisting(deps, { known, identity: providerIdentity }, session)
      : await registerUser(deps, providerIdentity, session)
    if (entered) return entered
    if (attempt === 'again') return known ? 'expired' : 'account_exists'
  }
  return 'expired'
}

async function signInExisting(
  deps: Deps,
  { known, identity }: { known: LinkedUser; identity: ProviderIdentity },
  session: SessionStart,
): Promise<StartedSession | null> {
  const store = oauthStore(deps.db)
  const now = deps.clock.now()
  const sessionUser: SessionUser = { userId: known.userId, epoch: known.epoch }
  const opened = await session.open(sessionUser)
  const written = await tryCommit(deps, {
    change: [
      store.recordUse(known, identity, now),
      ...sessionStartStatements(deps, opened, session.replaces),
      ...store.adoptEmail(identity, {
        userId: sessionUser.userId,
        accountId: known.id,
        sessionHash: opened.hash,
        now,
      }),
    ],
    audit: [
      providerAuditEntry(sessionUser.userId, 'session.signIn', identity),
      ...(await suspendedBy(deps, sessionUser.userId, identity)),
    ],
    outbox: opened.notices,
  })
  return written ? { person: sessionUser, opened } : null
}

async function registerUser(
  deps: Deps,
  providerIdentity: ProviderIdentity,
  session: SessionStart,
): Promise<StartedSession | null> {
  const store = oauthStore(deps.db)
  const now = deps.clock.now()
  const sessionUser: SessionUser = { userId: deps.ids.next('user'), epoch: 1 }
  const opened = await session.open(sessionUser)
  const written = await tryCommit(deps, {
    change: [
      store.insertUser({ id: sessionUser.userId, identity: providerIdentity, now }),
      store.insertAccount({
        id: deps.ids.next('account'),
        userId: sessionUser.userId,
        identity: providerIdentity,
        now,
      }),
      ...sessionStartStatements(deps, opened, session.replaces),
    ],
    audit: [providerAuditEntry(sessionUser.userId, 'account.register', providerIdentity)],
  })
  return written ? { person: sessionUser, opened } : null
}

/** Adds the provider's person to the account of the session that asked for it. Null when it is done. */
export async function connectProvider(
  deps: Deps,
  providerIdentity: ProviderIdentity,
  to: { userId: string; sessionHash: string; email: string | null },
): Promise<OauthProblem | null> {
  const store = oauthStore(deps.db)
  const id = deps.ids.next('account')
  const now = deps.clock.now()
  const written = await tryCommit(deps, {
    change: [
      store.connect({ id, ...to, identity: providerIdentity, now }),
      ...store.adoptEmail(providerIdentity, {
        userId: to.userId,
        accountId: id,
        sessionHash: to.sessionHash,
        now,
      }),
    ],
    audit: [
      providerAuditEntry(to.userId, 'signIn.connect', providerIdentity),
      ...(await suspendedBy(deps, to.userId, providerIdentity)),
    ],
    outbox: signInMethodMail(to.email, providerIdentity, { accountId: id, removed: false }),
  })
  if (written) return null
  const known = await store.find(providerIdentity)
  if (!known) return 'expired'
  return known.userId === to.userId ? null : 'already_connected'
}

const suspendedBy = async ({ db }: Deps, userId: string, { email, proven }: ProviderIdentity): Promise<AuditEntry[]> =>
  proven && email !== null ? suspendedMemberEntries(db, { userId, email }) : []

/** Tells a person of a way in that came or went; nobody is told at an address that is not proven to be theirs. */
export const signInMethodMail = (
  to: string | null,
  { provider }: Pick<ProviderIdentity, 'provider'>,
  of: { accountId: string; removed: boolean },
) => {
  if (to === null) return []
  const { accountId, removed } = of
  const order = { to, template: 'signInConnected', provider: IDENTITY_PROVIDER_NAMES[provider], removed } as const
  return [mailOutboxEntry(order, { key: `signIn:${accountId}:${removed ? 'removed' : 'connected'}` })]
}

const providerAuditEntry = (
  userId: string,
  action: string,
  { provider, issuer, subject }: ProviderIdentity,
): AuditEntry => userAuditEntry(userId, action, { after: { provider, issuer, subject } })
