import { Hono } from 'hono'
import { register, signIn, signOut } from './service'
import { appCheck } from '../../http/app-check'
import { clearSessionToken } from '../../http/cookies'
import type { AppEnv } from '../../http/context'
import { renewVisitor } from '../../http/csrf'
import { publicAccess } from '../../http/guard'
import { buildPageData } from '../../http/page-data'
import { enforceRateLimits } from '../../http/rate-limit'
import { sessionStart, completeSignIn } from '../../http/session'
import { jsonBody, noBody } from '../../http/validate'
import { registerSchema, signInSchema } from '../../shared/session'

const registration = new Hono<AppEnv>().post(
  '/register',
  publicAccess('creates an account'),
  jsonBody(registerSchema),
  appCheck(),
  async (c) => {
    const input = c.req.valid('json')
    await enforceRateLimits(c, [{ rate: 'registerFromAddress' }, { rate: 'mailToAddress', key: input.email }])
    const { person, opened } = await register(c.get('deps'), input, sessionStart(c))
    await completeSignIn(c, opened, person)
    return c.json(await buildPageData(c), 201)
  },
)

/** Every answer is the page data anew, so that a page goes on without loading again. */
const session = new Hono<AppEnv>()
  .get('/', publicAccess('says whether anyone is signed in'), async (c) => c.json(await buildPageData(c), 200))
  .post('/sign-in', publicAccess('proves a password'), jsonBody(signInSchema), appCheck(), async (c) => {
    const input = c.req.valid('json')
    const refundAttempt = await enforceRateLimits(c, [
      { rate: 'wrongPasswordOfAccount', key: input.email },
      { rate: 'wrongPasswordFromAddress' },
    ])
    const { person, opened } = await signIn(c.get('deps'), input, sessionStart(c))
    await refundAttempt()
    await completeSignIn(c, opened, person)
    return c.json(await buildPageData(c), 200)
  })
  .post('/sign-out', publicAccess('ends nothing but the own session'), noBody(), async (c) => {
    const hash = c.get('sessionHash')
    if (hash !== null) await signOut(c.get('deps'), hash, c.get('actor'))
    c.set('actor', null)
    clearSessionToken(c)
    await renewVisitor(c)
    return c.json(await buildPageData(c), 200)
  })

/** The calls of this feature. */
export const identityRoutes = new Hono<AppEnv>().route('/api/account', registration).route('/api/session', session)
