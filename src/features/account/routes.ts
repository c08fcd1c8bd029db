import { Hono } from 'hono'
import {
  confirmSignInLink,
  requestSignInLink,
  confirmPasswordReset,
  requestPasswordReset,
  changePassword,
  revokeSession,
  revokeOtherSessions,
  listSessions,
} from './credentials'
import type { SignedInUser } from './credentials'
import { deleteAccount, previewDeletion, restoreAccount } from './deletion'
import { cancelEmailChange, confirmEmailChange, getEmailStatus, requestEmailChange } from './email-change'
import { confirmEmailProof, resendEmailProof } from './email-proof'
import { answerEarlierUse, getEarlierUse } from './earlier-use'
import { checkEmailLink } from './link-check'
import { exportPersonalData } from './personal-data-export'
import type { StartedSession } from '../../identity/session-store'
import type { Deps } from '../../deps'
import { appCheck } from '../../http/app-check'
import { actorOf, type AppContext, type AppEnv } from '../../http/context'
import { attachmentHeader } from '../../http/download'
import { clearSessionToken } from '../../http/cookies'
import { renewVisitor } from '../../http/csrf'
import { publicAccess, signedIn } from '../../http/guard'
import { toStoredReply } from '../../http/idempotency'
import { buildPageData } from '../../http/page-data'
import { requireReauthentication } from '../../http/reauthentication'
import { enforceRateLimits } from '../../http/rate-limit'
import { sessionStart, completeSignIn } from '../../http/session'
import { jsonBody, noBody } from '../../http/validate'
import {
  answerEarlierUseSchema,
  changeEmailSchema,
  changePasswordSchema,
  checkLinkSchema,
  deleteAccountSchema,
  emailLinkSignInSchema,
  resetConfirmSchema,
  resetRequestSchema,
  tokenBodySchema,
} from '../../shared/account'
import { ProductError } from '../../shared/errors'
import { nameKey } from '../../shared/field-schemas'
import { safeReturnPath } from '../../shared/session'

/** What lets a person in, by themselves: password, sessions, and the way back when the password is forgotten. */
const credentialRoutes = new Hono<AppEnv>()
  .post(
    '/reset',
    publicAccess('sends a link to the address itself'),
    jsonBody(resetRequestSchema),
    appCheck(),
    async (c) => {
      const { email } = c.req.valid('json')
      await enforceRateLimits(c, [{ rate: 'mailToAddress', key: email }, { rate: 'mailsFromAddress' }])
      await requestPasswordReset(c.get('deps'), email)
      return c.json({ sent: true as const }, 200)
    },
  )
  .post('/reset/confirm', publicAccess('proves a link of a mail'), jsonBody(resetConfirmSchema), async (c) => {
    await limitLinkAttempts(c)
    return signedInPage(c, await confirmPasswordReset(c.get('deps'), c.req.valid('json'), sessionStart(c)))
  })
  .put('/password', signedIn(), jsonBody(changePasswordSchema), async (c) => {
    const { current, next } = c.req.valid('json')
    await requireReauthentication(c, current, 'current')
    await enforceRateLimits(c, [{ rate: 'changePassword', key: actorOf(c).userId }])
    return signedInPage(
      c,
      await changePassword(c.get('deps'), { me: signedInUserOf(c), password: next, entering: sessionStart(c) }),
    )
  })
  .get('/sessions', signedIn(), async (c) => c.json(await listSessions(c.get('deps'), signedInUserOf(c)), 200))
  .delete('/sessions', signedIn(), noBody(), async (c) => {
    const request = { me: signedInUserOf(c), reply: (ended: unknown) => toStoredReply(c, 200, ended) }
    return c.json(await revokeOtherSessions(c.get('deps'), request), 200)
  })
  .delete('/sessions/:id', signedIn(), noBody(), async (c) => {
    const id = c.req.param('id')
    if (!/^[0-9a-f]{32}$/.test(id)) throw new ProductError('not_found')
    const revocation = { me: signedInUserOf(c), id, reply: (ended: unknown) => toStoredReply(c, 200, ended) }
    const ended = await revokeSession(c.get('deps'), revocation)
    if (ended.current) {
      clearSessionToken(c)
      await renewVisitor(c)
    }
    return c.json(ended, 200)
  })

/** What a link of a mail is worth, before its page asks for anything. */
const emailLinks = new Hono<AppEnv>().post(
  '/check',
  publicAccess('says whether a link of a mail still works, to its holder'),
  jsonBody(checkLinkSchema),
  async (c) => {
    await enforceRateLimits(c, [{ rate: 'checkLinkFromAddress' }])
    return c.json(await checkEmailLink(c.get('deps'), c.req.valid('json'), c.get('actor')?.userId ?? null), 200)
  },
)

/** The end of an account, and the way back for 30 days. */
const accountDeletion = new Hono<AppEnv>()
  .get('/deletion', signedIn(), async (c) =>
    c.json(await previewDeletion(c.get('deps'), signedInUserOf(c).userId), 200),
  )
  .post('/delete', signedIn(), jsonBody(deleteAccountSchema), async (c) => {
    const { confirm, password } = c.req.valid('json')
    const { email: address, name } = actorOf(c)
    if (nameKey(confirm) !== nameKey(address ?? name))
      throw new ProductError('invalid_input', {
        fields: { confirm: address === null ? 'Enter your name.' : 'Enter your email address.' },
      })
    await requireReauthentication(c, password)
    if (address !== null) await enforceRateLimits(c, [{ rate: 'mailToAddress', key: address }])
    await deleteAccount(c.get('deps'), signedInUserOf(c))
    return signedOutPage(c)
  })
  .post('/undelete', publicAccess('proves a link of a mail'), jsonBody(tokenBodySchema), async (c) => {
    await limitLinkAttempts(c)
    return c.json(await restoreAccount(c.get('deps'), c.req.valid('json').token), 200)
  })

/** Everything about the person who asks, as a file. */
const accountFiles = new Hono<AppEnv>().get('/export', signedIn(), async (c) => {
  const { userId } = signedInUserOf(c)
  await enforceRateLimits(c, [{ rate: 'exportAccount', key: userId }])
  return new Response(exportPersonalData(c.get('deps'), userId), {
    headers: { 'content-type': 'application/json', 'content-disposition': attachmentHeader('my-account.json') },
  })
})

/** The address of an account: it changes when both the old and the new one have said yes. */
const emailChange = new Hono<AppEnv>()
  .get('/', signedIn(), async (c) => c.json(await getEmailStatus(c.get('deps'), signedInUserOf(c)), 200))
  .put('/', signedIn(), jsonBody(changeEmailSchema), async (c) => {
    const input = c.req.valid('json')
    await requireReauthentication(c, input.password)
    const me = signedInUserOf(c)
    await enforceRateLimits(c, [
      { rate: 'changeEmail', key: me.userId },
      { rate: 'mailToAddress', key: input.email },
    ])
    return c.json(await requestEmailChange(c.get('deps'), { me, email: input.email }), 200)
  })
  .delete('/', signedIn(), noBody(), async (c) => {
    const cancellation = { me: signedInUserOf(c), reply: (answer: unknown) => toStoredReply(c, 200, answer) }
    return c.json(await cancelEmailChange(c.get('deps'), cancellation), 200)
  })
  .post('/proof', signedIn(), noBody(), async (c) => {
    const me = signedInUserOf(c)
    await enforceRateLimits(c, [{ rate: 'mailToAddress', key: me.email ?? me.userId }, { rate: 'mailsFromAddress' }])
    await resendEmailProof(c.get('deps'), me)
    return c.json({ sent: true as const }, 200)
  })
  .post('/proof/confirm', signedIn(), jsonBody(tokenBodySchema), async (c) => {
    await limitLinkAttempts(c)
    await confirmEmailProof(c.get('deps'), c.req.valid('json').token, signedInUserOf(c))
    c.set('actor', { ...actorOf(c), emailProven: true })
    return c.json(await buildPageData(c), 200)
  })
  .post('/confirm', publicAccess('proves a link of a mail'), jsonBody(tokenBodySchema), async (c) => {
    await limitLinkAttempts(c)
    return c.json(
      await confirmEmailChange(c.get('deps'), c.req.valid('json').token, c.get('actor')?.userId ?? null),
      200,
    )
  })

/** What an account held before its address was proven, and which of it is the person's. */
const earlierUse = new Hono<AppEnv>()
  .get('/', signedIn(), async (c) => c.json(await getEarlierUse(c.get('deps'), signedInUserOf(c)), 200))
  .post('/', signedIn(), jsonBody(answerEarlierUseSchema), async (c) => {
    const { password, ...keep } = c.req.valid('json')
    const reauthenticate = () => requireReauthentication(c, password)
    return c.json(await answerEarlierUse(c.get('deps'), { me: actorOf(c), keep, reauthenticate }), 200)
  })

/** Sign-in by a link in a mail, where the installation has it. */
const signInLinks = new Hono<AppEnv>()
  .post(
    '/',
    publicAccess('sends a link to the address itself'),
    jsonBody(emailLinkSignInSchema),
    appCheck(),
    async (c) => {
      const deps = c.get('deps')
      requireSignInLinks(deps)
      const input = c.req.valid('json')
      await enforceRateLimits(c, [{ rate: 'mailToAddress', key: input.email }, { rate: 'mailsFromAddress' }])
      await requestSignInLink(deps, { email: input.email, returnTo: safeReturnPath(input.return) })
      return c.json({ sent: true as const }, 200)
    },
  )
  .post('/confirm', publicAccess('proves a link of a mail'), jsonBody(tokenBodySchema), async (c) => {
    const deps = c.get('deps')
    requireSignInLinks(deps)
    await limitLinkAttempts(c)
    return signedInPage(c, await confirmSignInLink(deps, c.req.valid('json').token, sessionStart(c)))
  })

/** @throws ProductError `not_enabled` */
function requireSignInLinks({ settings }: Deps): void {
  if (!settings.EMAIL_LINK) throw new ProductError('not_enabled', { feature: 'emailLink' })
}

/** Anybody may bring a link: how often is counted. @throws ProductError `rate_limited` */
const limitLinkAttempts = (c: AppContext) => enforceRateLimits(c, [{ rate: 'linkFromAddress' }])

/** Who asks, as this room knows them. */
const signedInUserOf = (c: AppContext): SignedInUser & { emailProven: boolean } => actorOf(c)

/** The page as somebody sees it who is not signed in any more. */
async function signedOutPage(c: AppContext) {
  c.set('actor', null)
  clearSessionToken(c)
  await renewVisitor(c)
  return c.json(await buildPageData(c), 200)
}

/** The rest of this request, and the page, as the person who came in. */
async function signedInPage(c: AppContext, { person, opened }: StartedSession) {
  await completeSignIn(c, opened, person)
  return c.json(await buildPageData(c), 200)
}

/** The calls of this feature. */
export const accountRoutes = new Hono<AppEnv>()
  .route('/api/account', credentialRoutes)
  .route('/api/account/links', emailLinks)
  .route('/api/account', accountDeletion)
  .route('/files/account', accountFiles)
  .route('/api/account/email', emailChange)
  .route('/api/account/earlier-use', earlierUse)
  .route('/api/session/link', signInLinks)
