import { Hono } from 'hono'
import { unsubscribeByMail, unsubscribePage } from './subscriptions'
import type { AppContext, AppEnv } from '../../../http/context'
import { publicAccess } from '../../../http/guard'
import { enforceRateLimits } from '../../../http/rate-limit'
import { readBodyBytes } from '../../../http/validate'
import { ProductError } from '../../../shared/errors'
import { JSON_BODY_DEADLINE_MS } from '../../../shared/limits'

const FORM_MAX_BYTES = 4_096

/**
 * `/unsubscribe/:token`, the address in the `List-Unsubscribe` header of a mail. A mail program posts
 * `List-Unsubscribe=One-Click` (RFC 8058), with no cookie and no page of ours behind it: the token alone is the permission.
 * It lies outside `/api`, whose writes come from our pages only.
 */
export const oneClickUnsubscribeRoutes = new Hono<AppEnv>()
  .post('/unsubscribe/:token', publicAccess('ends a subscription at one click in a mail program'), async (c) => {
    await assertOneClick(c.req.raw)
    try {
      await unsubscribeByMail(c.get('deps'), c.req.param('token'))
    } catch (error) {
      // Those who post for many readers share an address: only guesses are counted.
      if (error instanceof ProductError && error.code === 'expired') await countGuess(c)
      throw error
    }
    return c.body(null, 200, { 'Cache-Control': 'no-store' })
  })
  .get('/unsubscribe/:token', publicAccess('leads to the page that asks before it unsubscribes'), async (c) => {
    c.header('Cache-Control', 'no-store')
    return c.redirect(await unsubscribePage(c.get('deps'), c.req.param('token')), 302)
  })

async function countGuess(c: AppContext): Promise<void> {
  await enforceRateLimits(c, [{ rate: 'linkFromAddress' }])
}

/** @throws ProductError `bad_request` for anything but the one form of RFC 8058, in either encoding that it allows */
async function assertOneClick(request: Request): Promise<void> {
  const limits = { maxBytes: FORM_MAX_BYTES, what: 'body' as const, deadlineMs: JSON_BODY_DEADLINE_MS }
  const bytes = await readBodyBytes(request, limits)
  const headers = { 'content-type': request.headers.get('content-type') ?? '' }
  const form = await new Response(bytes, { headers }).formData().catch(() => null)
  if (form?.get('List-Unsubscribe') !== 'One-Click')
    throw new ProductError('bad_request', {}, 'Only a one-click unsubscribe can be posted here.')
}
