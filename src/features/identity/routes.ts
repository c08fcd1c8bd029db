import { Hono } from 'hono'
import { register, signIn, signOut } from './service'
import { appCheck } from '../../http/app-check'
import { clearSessionToken } from '../../http/cookies'
import type { AppEnv } from '../../http/context'
import { renewVisitor } from '../../http/csrf'
import { open } from '../../http/guard'
import { pageData } from '../../http/page-data'
import { takeTries } from '../../http/rate-limit'
import { entering, enterSession } from '../../http/session'
import { body, noBody } from '../../http/validate'
import { registerSchema, signInSchema } from '../../shared/session'

export const account = new Hono<AppEnv>().post(
  '/register',
  open('creates an account'),
  body(registerSchema),
  appCheck(),
  async (c) => {
    await takeTries(c, [{ rate: 'registerFromAddress' }])
    const { person, opened } = await register(c.get('deps'), c.req.valid('json'), entering(c))
    await enterSession(c, opened, person)
    return c.json(await pageData(c), 201)
  },
)

/** Every answer is the page data anew, so that a page goes on without loading again. */
export const session = new Hono<AppEnv>()
  .get('/', open('says whether anyone is signed in'), async (c) => c.json(await pageData(c), 200))
  .post('/sign-in', open('proves a password'), body(signInSchema), appCheck(), async (c) => {
    const input = c.req.valid('json')
    const giveBack = await takeTries(c, [
      { rate: 'wrongPasswordOfAccount', of: input.email },
      { rate: 'wrongPasswordFromAddress' },
    ])
    const { person, opened } = await signIn(c.get('deps'), input, entering(c))
    await giveBack()
    await enterSession(c, opened, person)
    return c.json(await pageData(c), 200)
  })
  .post('/sign-out', open('ends nothing but the own session'), noBody(), async (c) => {
    const hash = c.get('sessionHash')
    if (hash !== null) await signOut(c.get('deps'), hash, c.get('actor'))
    c.set('actor', null)
    clearSessionToken(c)
    await renewVisitor(c)
    return c.json(await pageData(c), 200)
  })
