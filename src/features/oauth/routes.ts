import { Hono } from 'hono'
import { begin, finish, LIBRARY_ID } from './dance'
import { forgetPending, keepPending, readPending } from './pending'
import type { Pending } from './pending'
import { connect, enter } from './service'
import { offers } from '../../env'
import { actorOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { open } from '../../http/guard'
import { requireProof } from '../../http/proof'
import { takeTries } from '../../http/rate-limit'
import { entering, enterSession } from '../../http/session'
import { body } from '../../http/validate'
import { log } from '../../lib/log'
import { oauthStartSchema, PROVIDER_NAME, PROVIDERS } from '../../shared/account'
import type { OauthProblem, OauthStart } from '../../shared/account'
import { ProductError } from '../../shared/errors'
import { safeReturnPath } from '../../shared/session'

const LOGIN = '/login'
const SIGN_INS = '/settings/profile/authentication'

/** The start: a write of our own, so that no other site can send a person off. Answers where the browser goes. */
export const oauthStart = new Hono<AppEnv>().post(
  '/oauth',
  open('starts a sign-in with a provider'),
  body(oauthStartSchema),
  async (c) => {
    const { provider, connect: connects, acceptTerms, return: returnTo, password } = c.req.valid('json')
    if (!offers(c.get('deps').settings, provider)) throw new ProductError('not_enabled', { feature: provider })
    await takeTries(c, [{ rate: 'oauthFromAddress' }])
    if (connects) await requireProof(c, password)
    else if (!acceptTerms)
      throw new ProductError('invalid_input', { fields: { acceptTerms: 'Accept the terms to continue.' } })
    const begun = await begin(c, provider)
    if (!begun)
      throw new ProductError('busy', {}, `${PROVIDER_NAME[provider]} does not answer right now. Try again in a moment.`)
    await keepPending(c, begun, {
      provider,
      returnTo: safeReturnPath(connects ? (returnTo ?? SIGN_INS) : returnTo),
      connect: connects ? { userId: actorOf(c).userId, sessionHash: actorOf(c).sessionHash } : null,
    })
    const start: OauthStart = { url: begun.url }
    return c.json(start, 200)
  },
)

/** The return from a provider: a page load, so problems lead to a page that says them. */
export const oauthReturn = new Hono<AppEnv>().get(
  '/callback/:provider',
  open('takes the return from a provider'),
  async (c) => {
    const provider = PROVIDERS.find((name) => LIBRARY_ID[name] === c.req.param('provider'))
    const pending = await readPending(c)
    forgetPending(c)
    if (!pending || pending.provider !== provider) return c.redirect(problemPath('expired', pending))
    try {
      await takeTries(c, [{ rate: 'oauthReturnFromAddress' }])
      const problem = await complete(c, pending)
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
async function complete(c: AppContext, pending: Pending): Promise<OauthProblem | null> {
  const deps = c.get('deps')
  const identity = await finish(c, pending.provider)
  if (typeof identity === 'string') return identity
  if (pending.connect) {
    const actor = c.get('actor')
    const { userId, sessionHash } = pending.connect
    if (actor?.userId !== userId || actor.sessionHash !== sessionHash) return 'expired'
    return connect(deps, identity, { userId, sessionHash, email: actor.email })
  }
  const entered = await enter(deps, identity, entering(c))
  if (typeof entered === 'string') return entered
  await enterSession(c, entered.opened, entered.person)
  return null
}

function problemPath(problem: OauthProblem, pending: Pending | null): string {
  if (pending?.connect) return `${SIGN_INS}?problem=${problem}`
  // The provider is named so that the sentence can name it.
  const search = new URLSearchParams({ problem, ...(pending ? { provider: pending.provider } : {}) })
  if (pending && pending.returnTo !== safeReturnPath(null)) search.set('return', pending.returnTo)
  return `${LOGIN}?${search.toString()}`
}
