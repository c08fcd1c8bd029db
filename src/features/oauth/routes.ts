import { Hono } from 'hono'
import {
  startAuthorization,
  completeAuthorization,
  LIBRARY_PROVIDER_IDS,
  clearPendingAuthorization,
  storePendingAuthorization,
  readPendingAuthorization,
} from './authorization-flow'
import type { PendingAuthorization } from './authorization-flow'
import { connectProvider, signInWithProvider, signInMethodMail } from './service'
import { isProviderConfigured } from '../../settings'
import { actorOf, type AppContext, type AppEnv } from '../../http/context'
import { publicAccess, signedIn } from '../../http/guard'
import { requireReauthentication } from '../../http/reauthentication'
import { enforceRateLimits } from '../../http/rate-limit'
import { sessionStart, completeSignIn } from '../../http/session'
import { jsonBody, pathId } from '../../http/validate'
import { log } from '../../lib/log'
import {
  oauthStartSchema,
  reauthenticationSchema,
  IDENTITY_PROVIDER_NAMES,
  IDENTITY_PROVIDERS,
} from '../../shared/account'
import type { OauthProblem, OauthStart, SignInMethods } from '../../shared/account'
import { ProductError } from '../../shared/errors'
import { safeReturnPath } from '../../shared/session'
import { signInMethodStore } from './store'
import { userAuditEntry } from '../../db/audit'
import { commit } from '../../db/commit'

const LOGIN_PATH = '/login'
const SIGN_INS_PATH = '/settings/profile/authentication'

/** The start: a write of our own, so that no other site can send a person off. Answers where the browser goes. */
const oauthStart = new Hono<AppEnv>().post(
  '/oauth',
  publicAccess('starts a sign-in with a provider'),
  jsonBody(oauthStartSchema),
  async (c) => {
    const { provider, connect: connects, acceptTerms, return: returnTo, password } = c.req.valid('json')
    if (!isProviderConfigured(c.get('deps').settings, provider))
      throw new ProductError('not_enabled', { feature: provider })
    await enforceRateLimits(c, [{ rate: 'oauthFromAddress' }])
    if (connects) await requireReauthentication(c, password)
    else if (!acceptTerms)
      throw new ProductError('invalid_input', { fields: { acceptTerms: 'Accept the terms to continue.' } })
    const started = await startAuthorization(c, provider)
    if (!started)
      throw new ProductError(
        'busy',
        {},
        `${IDENTITY_PROVIDER_NAMES[provider]} does not answer right now. Try again in a moment.`,
      )
    await storePendingAuthorization(c, started, {
      provider,
      returnTo: safeReturnPath(connects ? (returnTo ?? SIGN_INS_PATH) : returnTo),
      connect: connects ? { userId: actorOf(c).userId, sessionHash: actorOf(c).sessionHash } : null,
    })
    const start: OauthStart = { url: started.url }
    return c.json(start, 200)
  },
)

/** The return from a provider: a page load, so problems lead to a page that says them. */
const oauthReturn = new Hono<AppEnv>().get(
  '/callback/:provider',
  publicAccess('takes the return from a provider'),
  async (c) => {
    const provider = IDENTITY_PROVIDERS.find((name) => LIBRARY_PROVIDER_IDS[name] === c.req.param('provider'))
    const pending = await readPendingAuthorization(c)
    clearPendingAuthorization(c)
    if (!pending || pending.provider !== provider) return c.redirect(problemPath('expired', pending))
    try {
      await enforceRateLimits(c, [{ rate: 'oauthReturnFromAddress' }])
      const problem = await completeReturn(c, pending)
      return c.redirect(problem ? problemPath(problem, pending) : pending.returnTo)
    } catch (error) {
      if (error instanceof ProductError && error.code === 'rate_limited')
        return c.redirect(problemPath('unavailable', pending))
      log('error', 'unexpected error', { requestId: c.get('requestId'), path: c.req.path, error: String(error) })
      c.get('deps').reporter.report(error, { requestId: c.get('requestId'), route: c.req.path })
      return c.redirect(problemPath('unavailable', pending))
    }
  },
)

/** What the return comes to; null when the person is in, or the provider connected. */
async function completeReturn(c: AppContext, authorization: PendingAuthorization): Promise<OauthProblem | null> {
  const deps = c.get('deps')
  const identity = await completeAuthorization(c, authorization.provider)
  if (typeof identity === 'string') return identity
  if (authorization.connect) {
    const actor = c.get('actor')
    const { userId, sessionHash } = authorization.connect
    if (actor?.userId !== userId || actor.sessionHash !== sessionHash) return 'expired'
    return connectProvider(deps, identity, { userId, sessionHash, email: actor.emailProven ? actor.email : null })
  }
  const entered = await signInWithProvider(deps, identity, sessionStart(c))
  if (typeof entered === 'string') return entered
  await completeSignIn(c, entered.opened, entered.person)
  return null
}

function problemPath(problem: OauthProblem, pending: PendingAuthorization | null): string {
  if (pending?.connect) return `${SIGN_INS_PATH}?problem=${problem}`
  // The provider is named so that the sentence can name it.
  const search = new URLSearchParams({ problem, ...(pending ? { provider: pending.provider } : {}) })
  if (pending && pending.returnTo !== safeReturnPath(null)) search.set('return', pending.returnTo)
  return `${LOGIN_PATH}?${search.toString()}`
}

/** The ways into the signed-in person's own account. */
const signIns = new Hono<AppEnv>()
  .get('/', signedIn(), async (c) => c.json(await getSignInMethods(c), 200))
  // Not DELETE, which takes no body: it asks for proof, and a password is never part of an address.
  .post('/:id/remove', signedIn(), jsonBody(reauthenticationSchema), async (c) => {
    const deps = c.get('deps')
    const { userId, email, emailProven } = actorOf(c)
    const id = pathId('account', c.req.param('id'))
    const current = await getSignInMethods(c)
    const before = current.accounts.find((account) => account.id === id)
    if (!before) throw new ProductError('not_found')
    await requireReauthentication(c, c.req.valid('json').password)
    const remaining: SignInMethods = { ...current, accounts: current.accounts.filter((account) => account !== before) }
    await commit(deps, {
      change: [signInMethodStore(deps.db, userId).remove(id)],
      audit: [userAuditEntry(userId, 'signIn.remove', { before })],
      outbox: signInMethodMail(emailProven ? email : null, before, { accountId: id, removed: true }),
      expect: { onMissed: () => lastSignInMethod(current.password) },
    })
    return c.json(remaining, 200)
  })

async function getSignInMethods(c: AppContext): Promise<SignInMethods> {
  const { db, settings } = c.get('deps')
  const found = await signInMethodStore(db, actorOf(c).userId).list()
  return { ...found, offered: IDENTITY_PROVIDERS.filter((provider) => isProviderConfigured(settings, provider)) }
}

/** A password is none for people without an address: there is nothing to type beside it. */
const lastSignInMethod = (password: boolean): ProductError => {
  const first = password ? 'Add an address' : 'Set a password'
  return new ProductError('in_use', {}, `This is your only way in. ${first} or connect another sign-in first.`)
}

/** The calls of this feature. */
export const oauthRoutes = new Hono<AppEnv>()
  .route('/api/session', oauthStart)
  .route('/api/auth', oauthReturn)
  .route('/api/account/sign-ins', signIns)
