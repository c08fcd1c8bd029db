import { Hono } from 'hono'
import type { Signed } from './acting'
import { deleteAccount, previewDeletion, undelete } from './deletion'
import { cancelEmail, confirmEmail, currentEmail, requestEmail } from './email'
import { exportOf } from './export'
import { confirmSignInLink, requestSignInLink } from './link-sign-in'
import { confirmReset, requestReset } from './reset'
import { changePassword, endOneSession, endOtherSessions, listSessions } from './sessions'
import type { Entered } from '../../access/new-session'
import type { Deps } from '../../deps'
import { appCheck } from '../../http/app-check'
import { actorOf } from '../../http/context'
import { attachment } from '../../http/attachment'
import type { AppContext, AppEnv } from '../../http/context'
import { clearSessionToken } from '../../http/cookies'
import { renewVisitor } from '../../http/csrf'
import { open, signedIn } from '../../http/guard'
import { replyFor } from '../../http/idempotency'
import { pageData } from '../../http/page-data'
import { requireProof } from '../../http/proof'
import { takeTries } from '../../http/rate-limit'
import { entering, enterSession } from '../../http/session'
import { body, noBody } from '../../http/validate'
import {
  changeEmailSchema,
  changePasswordSchema,
  deleteAccountSchema,
  linkSignInSchema,
  resetConfirmSchema,
  resetRequestSchema,
} from '../../shared/account'
import { ProductError } from '../../shared/errors'
import { tokenBodySchema } from '../../shared/links'
import { nameKey } from '../../shared/names'
import { safeReturnPath } from '../../shared/session'

/** What lets a person in, by themselves: password, sessions, and the way back when the password is forgotten. */
export const credentials = new Hono<AppEnv>()
  .post('/reset', open('sends a link to the address itself'), body(resetRequestSchema), appCheck(), async (c) => {
    const { email } = c.req.valid('json')
    await takeTries(c, [{ rate: 'mailToAddress', of: email }, { rate: 'mailsFromAddress' }])
    await requestReset(c.get('deps'), email)
    return c.json({ sent: true as const }, 200)
  })
  .post('/reset/confirm', open('proves a link of a mail'), body(resetConfirmSchema), async (c) => {
    await takeLink(c)
    return goOn(c, await confirmReset(c.get('deps'), c.req.valid('json'), entering(c)))
  })
  .put('/password', signedIn(), body(changePasswordSchema), async (c) => {
    const { current, next } = c.req.valid('json')
    await requireProof(c, current, 'current')
    await takeTries(c, [{ rate: 'changePassword', of: actorOf(c).userId }])
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

/** The end of an account, and the way back for 30 days. */
export const deletion = new Hono<AppEnv>()
  .get('/deletion', signedIn(), async (c) => c.json(await previewDeletion(c.get('deps'), signed(c).userId), 200))
  .post('/delete', signedIn(), body(deleteAccountSchema), async (c) => {
    const { confirm, password } = c.req.valid('json')
    const { email: address, name } = actorOf(c)
    if (nameKey(confirm) !== nameKey(address ?? name))
      throw new ProductError('invalid_input', {
        fields: { confirm: address === null ? 'This is not your name.' : 'This is not your address.' },
      })
    await requireProof(c, password)
    await deleteAccount(c.get('deps'), signed(c))
    return leave(c)
  })
  .post('/undelete', open('proves a link of a mail'), body(tokenBodySchema), async (c) => {
    await takeLink(c)
    return c.json(await undelete(c.get('deps'), c.req.valid('json').token), 200)
  })

/** Everything about the person who asks, as a file. */
export const accountFiles = new Hono<AppEnv>().get('/export', signedIn(), async (c) => {
  const { userId } = signed(c)
  await takeTries(c, [{ rate: 'exportAccount', of: userId }])
  return new Response(exportOf(c.get('deps'), userId), {
    headers: { 'content-type': 'application/json', 'content-disposition': attachment('my-account.json') },
  })
})

/** The address of an account: it changes when both the old and the new one have said yes. */
export const email = new Hono<AppEnv>()
  .get('/', signedIn(), async (c) => c.json(await currentEmail(c.get('deps'), signed(c)), 200))
  .put('/', signedIn(), body(changeEmailSchema), async (c) => {
    const input = c.req.valid('json')
    await requireProof(c, input.password)
    const me = signed(c)
    await takeTries(c, [
      { rate: 'changeEmail', of: me.userId },
      { rate: 'mailToAddress', of: input.email },
    ])
    return c.json(await requestEmail(c.get('deps'), { me, email: input.email }), 200)
  })
  .delete('/', signedIn(), noBody(), async (c) => {
    const ask = { me: signed(c), reply: (answer: unknown) => replyFor(c, 200, answer) }
    return c.json(await cancelEmail(c.get('deps'), ask), 200)
  })
  .post('/confirm', open('proves a link of a mail'), body(tokenBodySchema), async (c) => {
    await takeLink(c)
    return c.json(await confirmEmail(c.get('deps'), c.req.valid('json').token), 200)
  })

/** Sign-in by a link in a mail, where the installation has it. */
export const linkSignIn = new Hono<AppEnv>()
  .post('/', open('sends a link to the address itself'), body(linkSignInSchema), appCheck(), async (c) => {
    const deps = c.get('deps')
    needsLinks(deps)
    const input = c.req.valid('json')
    await takeTries(c, [{ rate: 'mailToAddress', of: input.email }, { rate: 'mailsFromAddress' }])
    await requestSignInLink(deps, { email: input.email, returnTo: safeReturnPath(input.return) })
    return c.json({ sent: true as const }, 200)
  })
  .post('/confirm', open('proves a link of a mail'), body(tokenBodySchema), async (c) => {
    const deps = c.get('deps')
    needsLinks(deps)
    await takeLink(c)
    return goOn(c, await confirmSignInLink(deps, c.req.valid('json').token, entering(c)))
  })

/** @throws ProductError `not_enabled` */
function needsLinks({ settings }: Deps): void {
  if (!settings.EMAIL_LINK) throw new ProductError('not_enabled', { feature: 'emailLink' })
}

/** Anybody may bring a link: how often is counted. @throws ProductError `rate_limited` */
const takeLink = (c: AppContext) => takeTries(c, [{ rate: 'linkFromAddress' }])

/** Who asks, as this room knows them. */
const signed = (c: AppContext): Signed => actorOf(c)

/** The page as somebody sees it who is not signed in any more. */
async function leave(c: AppContext) {
  c.set('actor', null)
  clearSessionToken(c)
  await renewVisitor(c)
  return c.json(await pageData(c), 200)
}

/** The rest of this request, and the page, as the person who came in. */
async function goOn(c: AppContext, { person, opened }: Entered) {
  await enterSession(c, opened, person)
  return c.json(await pageData(c), 200)
}
