import { Hono } from 'hono'
import type { Entered, Entering, Signed } from './acting'
import { confirmReset, requestReset } from './reset'
import { changePassword, endOneSession, endOtherSessions, listSessions } from './sessions'
import { actorOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { clearSessionToken } from '../../http/cookies'
import { renewVisitor } from '../../http/csrf'
import { open, signedIn } from '../../http/guard'
import { replyFor } from '../../http/idempotency'
import { pageData } from '../../http/page-data'
import { requireProof } from '../../http/proof'
import { takeTries } from '../../http/rate-limit'
import { enterSession, openSession } from '../../http/session'
import { body, noBody } from '../../http/validate'
import { changePasswordSchema, resetConfirmSchema, resetRequestSchema } from '../../shared/account'
import { ProductError } from '../../shared/errors'

/** What lets a person in, by themselves: password, sessions, and the way back when the password is forgotten. */
export const credentials = new Hono<AppEnv>()
  .post('/reset', open('sends a link to the address itself'), body(resetRequestSchema), async (c) => {
    const { email } = c.req.valid('json')
    await takeTries(c, [{ rate: 'mailToAddress', of: email }, { rate: 'mailsFromAddress' }])
    await requestReset(c.get('deps'), email)
    return c.json({ sent: true as const }, 200)
  })
  .post('/reset/confirm', open('proves a link of a mail'), body(resetConfirmSchema), async (c) => {
    return goOn(c, await confirmReset(c.get('deps'), c.req.valid('json'), entering(c)))
  })
  .put('/password', signedIn(), body(changePasswordSchema), async (c) => {
    const { current, next } = c.req.valid('json')
    await requireProof(c, current, 'current')
    return goOn(c, await changePassword(c.get('deps'), { me: signed(c), password: next, entering: entering(c) }))
  })
  .get('/sessions', signedIn(), async (c) => c.json(await listSessions(c.get('deps'), signed(c)), 200))
  .delete('/sessions', signedIn(), noBody(), async (c) => {
    const ask = { me: signed(c), reply: (ended: unknown) => replyFor(c, 200, ended) }
    return c.json(await endOtherSessions(c.get('deps'), ask), 200)
  })
  .delete('/sessions/:id', signedIn(), noBody(), async (c) => {
    const id = c.req.param('id')
    if (!/^[0-9a-f]{32}$/.test(id)) throw new ProductError('not_found')
    const ask = { me: signed(c), id, reply: (ended: unknown) => replyFor(c, 200, ended) }
    const ended = await endOneSession(c.get('deps'), ask)
    if (ended.current) {
      clearSessionToken(c)
      await renewVisitor(c)
    }
    return c.json(ended, 200)
  })

/** Who asks, as this room knows them. */
const signed = (c: AppContext): Signed => actorOf(c)

const entering = (c: AppContext): Entering => ({
  open: (person) => openSession(c, person),
  replaces: c.get('sessionHash'),
})

/** The rest of this request, and the page, as the person who came in. */
async function goOn(c: AppContext, { person, opened }: Entered) {
  await enterSession(c, opened, person)
  return c.json(await pageData(c), 200)
}
