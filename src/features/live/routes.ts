import { Hono } from 'hono'
import { sessionPrefix } from '../../identity/granted-access-store'
import { accessFingerprint } from '../../scope'
import { actorOf, membershipOf, scopeOf, type AppContext, type AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { ProductError } from '../../shared/errors'

/** How long a page waits before it asks again while a workspace has too many open ones. */
const RETRY_AFTER_SECONDS = 60

/** `/live?w=<workspace>`: the socket by which an open page learns what changed. */
const live = new Hono<AppEnv>().get('/', may('view:insight'), async (c) => {
  if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') throw new ProductError('upgrade_required')
  requireOwnOrigin(c)
  const actor = actorOf(c)
  await enforceRateLimits(c, [{ rate: 'openSocket', key: actor.userId }])
  // What a page hears is the person's own: whoever looks as somebody else asks again by themselves.
  if (membershipOf(c).viewAs) throw new ProductError('forbidden')
  const scope = scopeOf(c)
  const { status, webSocket } = await c
    .get('deps')
    .live(scope)
    .openSocket(c.req.raw, {
      userId: actor.userId,
      session: sessionPrefix(actor.sessionHash),
      epoch: scope.wire().epoch,
      role: membershipOf(c).role,
      access: accessFingerprint(scope),
    })
  if (status !== 101) throw new ProductError('busy', { retryAfter: RETRY_AFTER_SECONDS })
  return new Response(null, { status, webSocket })
})

/** Sockets know no other protection: a page of another origin would be let in with the person's cookie. */
function requireOwnOrigin(c: AppContext): void {
  const { BASE_URL } = c.get('deps').settings
  if (c.req.header('origin') !== new URL(BASE_URL).origin) throw new ProductError('forbidden')
}

/** The calls of this feature. */
export const liveRoutes = new Hono<AppEnv>().route('/live', live)
