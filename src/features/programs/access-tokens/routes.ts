import { Hono } from 'hono'
import { createAccessToken, listAccessTokens, revokeAccessToken } from './service'
import { actorOf, type AppEnv } from '../../../http/context'
import { may, needs, requireWritable, signedIn } from '../../../http/guard'
import { toStoredReply } from '../../../http/idempotency'
import { enforceRateLimits } from '../../../http/rate-limit'
import { requireReauthentication } from '../../../http/reauthentication'
import { contextOf } from '../../../http/request-context'
import { jsonBody, noBody, pathId } from '../../../http/validate'
import { createAccessTokenSchema } from '../../../shared/programs/access-tokens'

/** Tokens by which programs ask in a person's name. One's own are seen and revoked whatever the plan. */
const accessTokens = new Hono<AppEnv>()
  .get('/', signedIn(), async (c) =>
    c.json({ items: await listAccessTokens(c.get('deps'), actorOf(c).userId), nextCursor: null }, 200),
  )
  .post('/', may('view:data'), needs('aiAssistant'), jsonBody(createAccessTokenSchema), async (c) => {
    requireWritable(c)
    const { password, ...input } = c.req.valid('json')
    await requireReauthentication(c, password)
    await enforceRateLimits(c, [{ rate: 'createAccessToken', key: actorOf(c).userId }])
    return c.json(await createAccessToken(contextOf(c), input), 201)
  })
  .delete('/:id', signedIn(), noBody(), async (c) => {
    const id = pathId('accessToken', c.req.param('id'))
    const reply = (ended: unknown) => toStoredReply(c, 200, ended)
    return c.json(await revokeAccessToken(c.get('deps'), { userId: actorOf(c).userId, id, reply }), 200)
  })

export const accessTokenRoutes = new Hono<AppEnv>().route('/api/access-tokens', accessTokens)
