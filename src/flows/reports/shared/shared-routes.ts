import { Hono } from 'hono'
import { outsideJson } from './shared-answers'
import { describeShared, sharedDocument, sharedTiles, sharedValues } from './shared-report'
import { followedContent, sharedContext } from './shared-view'
import { jsonLines } from '../json-lines'
import { reportDownload } from '../report-download'
import { isUnlocked, openLink, type OpenLink } from '../../../features/reports/links/open-link'
import { passcodeInput, signProof } from '../../../features/reports/links/passcode'
import { reportLinkStore } from '../../../features/reports/links/store'
import type { AppContext, AppEnv } from '../../../http/context'
import { refusalOf } from '../../../http/errors'
import { sendDownload } from '../../../http/files/table-download'
import { accessFingerprint } from '../../../scope'
import { publicAccess } from '../../../http/guard'
import { enforceRateLimits } from '../../../http/rate-limit'
import { jsonBody, noBody } from '../../../http/validate'
import { toIso } from '../../../lib/iso'
import { ProductError } from '../../../shared/errors'
import {
  LINK_PROOF_HEADER,
  LINK_TOKEN_HEADER,
  linkPasscodeSchema,
  sharedDocumentSchema,
  sharedTilesSchema,
  sharedValuesSchema,
} from '../../../shared/reports/links'

const byToken = () => publicAccess('the token of the link is the permission')

/**
 * The link that a call names.
 * @throws ProductError `not_found` for all that opens nothing; `rate_limited`
 */
async function linkOf(c: AppContext): Promise<OpenLink> {
  await enforceRateLimits(c, [{ rate: 'sharedFromAddress' }])
  const giveBack = await enforceRateLimits(c, [{ rate: 'unknownLinkFromAddress' }])
  const link = await openLink(c.get('deps'), c.req.header(LINK_TOKEN_HEADER) ?? '')
  if (!link) throw new ProductError('not_found')
  await giveBack()
  return link
}
const isOpenFor = (c: AppContext, link: OpenLink): Promise<boolean> =>
  isUnlocked(c.get('deps'), link, c.req.header(LINK_PROOF_HEADER) ?? '')

/** As {@link linkOf}. @throws ProductError `unauthenticated` without the proof that a link with a passcode asks for */
async function unlockedLink(c: AppContext): Promise<OpenLink> {
  const link = await linkOf(c)
  if (!(await isOpenFor(c, link))) throw new ProductError('unauthenticated', {}, 'Enter the passcode.')
  return link
}
/** What answering somebody outside takes. */
const askContext = (c: AppContext, link: OpenLink, signal = c.req.raw.signal) => {
  const deps = c.get('deps')
  const call = { requestId: c.get('requestId'), path: c.req.path, reporter: deps.reporter }
  const token = c.req.header(LINK_TOKEN_HEADER) ?? ''
  const stillAllowed = async (): Promise<void> => {
    const now = await openLink(deps, token)
    if (!now || accessFingerprint(now.scope) !== accessFingerprint(link.scope)) throw new ProductError('not_found')
  }
  return { ...sharedContext(deps, link), refusal: (thrown: unknown) => refusalOf(thrown, call), signal, stillAllowed }
}
const sendJson = (c: AppContext, link: OpenLink, value: unknown) =>
  c.body(outsideJson(link.id, value), 200, { 'content-type': 'application/json' })

/**
 * `/api/shared`: a report for who has a link to it. The token comes in a header, so that it is in no address of a call; no
 * cookie means anything here. A POST because opening counts; the others because filters are too long for an address.
 */
const shared = new Hono<AppEnv>()
  .post('/report', byToken(), noBody(), async (c) => {
    const link = await linkOf(c)
    const { db, clock } = c.get('deps')
    if (!(await isOpenFor(c, link))) return c.json({ state: 'passcode' }, 200)
    const context = sharedContext(c.get('deps'), link)
    const [report, shown] = await Promise.all([describeShared(context, link), followedContent(context, link)])
    await reportLinkStore(db, link.scope).countView(link.id, { now: clock.now(), shown })
    return sendJson(c, link, report)
  })
  .post('/passcode', byToken(), jsonBody(linkPasscodeSchema), async (c) => {
    const link = await linkOf(c)
    const { passwords, clock, settings } = c.get('deps')
    const { id, passcodeHash } = link
    if (passcodeHash === null) throw new ProductError('not_found')
    const back = await enforceRateLimits(c, [{ rate: 'wrongPasscodeFromAddress' }])
    const backOfLink = await triesOfLink(c, id)
    const { ok } = await passwords.verify(passcodeInput(id, c.req.valid('json').passcode), passcodeHash)
    if (!ok) throw new ProductError('invalid_input', { fields: { passcode: 'Wrong passcode.' } })
    await Promise.all([back(), backOfLink()])
    const { proof, until } = await signProof(settings.SESSION_SECRET, { link: id, passcodeHash }, clock.now())
    return c.json({ proof, expiresAt: toIso(until) }, 200)
  })
  .post('/tiles', byToken(), jsonBody(sharedTilesSchema), async (c) => {
    const link = await unlockedLink(c)
    const gone = new AbortController()
    const signal = AbortSignal.any([gone.signal, c.req.raw.signal])
    const lines = sharedTiles(askContext(c, link, signal), link, c.req.valid('json'))
    const body = await jsonLines(lines, { stop: () => gone.abort(), write: (line) => outsideJson(link.id, line) })
    return c.body(body, 200, { 'content-type': 'application/x-ndjson; charset=utf-8' })
  })
  .post('/values', byToken(), jsonBody(sharedValuesSchema), async (c) => {
    const link = await unlockedLink(c)
    const { filter } = c.req.valid('json')
    return c.json(await sharedValues(askContext(c, link), link, filter), 200)
  })
  .post('/document', byToken(), jsonBody(sharedDocumentSchema), async (c) => {
    const link = await unlockedLink(c)
    await enforceRateLimits(c, [{ rate: 'sharedDocument', key: link.id }])
    const context = askContext(c, link)
    return sendDownload(
      c,
      await reportDownload(context, await sharedDocument(context, link, c.req.valid('json')), { format: 'pdf' }),
    )
  })

/** Too many wrong passcodes of one link, from wherever: for a while it opens for nobody who has yet to enter it. */
async function triesOfLink(c: AppContext, link: string): Promise<() => Promise<void>> {
  try {
    return await enforceRateLimits(c, [{ rate: 'wrongPasscodeOfLink', key: link }])
  } catch (error) {
    if (error instanceof ProductError && error.code === 'rate_limited') throw new ProductError('not_found')
    throw error
  }
}

export const sharedReportRoutes = new Hono<AppEnv>().route('/api/shared', shared)
