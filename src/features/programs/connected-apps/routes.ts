import { Hono } from 'hono'
import { checkRequest, connectApp, listConnectedApps, revokeConnectedApp } from './service'
import { actorOf, type AppEnv } from '../../../http/context'
import { may, needs, requireWritable, signedIn } from '../../../http/guard'
import { toStoredReply } from '../../../http/idempotency'
import { enforceRateLimits } from '../../../http/rate-limit'
import { requireReauthentication } from '../../../http/reauthentication'
import { contextOf } from '../../../http/request-context'
import { jsonBody, noBody, pathId } from '../../../http/validate'
import { authorizationRequestSchema, connectAppSchema } from '../../../shared/programs/connected-apps'

/** Apps that ask in a person's name. One's own are seen and disconnected whatever the plan. */
const connectedApps = new Hono<AppEnv>()
  .get('/', signedIn(), async (c) =>
    c.json({ items: await listConnectedApps(c.get('deps'), actorOf(c).userId), nextCursor: null }, 200),
  )
  .post('/check', signedIn(), jsonBody(authorizationRequestSchema), async (c) => {
    await enforceRateLimits(c, [{ rate: 'connectApp', key: actorOf(c).userId }])
    return c.json(await checkRequest(c.get('deps'), c.req.valid('json')), 200)
  })
  .post('/', may('view:data'), needs('aiAssistant'), jsonBody(connectAppSchema), async (c) => {
    requireWritable(c)
    const { password, ...input } = c.req.valid('json')
    await requireReauthentication(c, password)
    await enforceRateLimits(c, [{ rate: 'createAccessToken', key: actorOf(c).userId }])
    return c.json(await connectApp(contextOf(c), input), 201)
  })
  .delete('/:id', signedIn(), noBody(), async (c) => {
    const id = pathId('connectedApp', c.req.param('id'))
    const reply = (ended: unknown) => toStoredReply(c, 200, ended)
    return c.json(await revokeConnectedApp(c.get('deps'), { userId: actorOf(c).userId, id, reply }), 200)
  })

export const connectedAppRoutes = new Hono<AppEnv>().route('/api/connected-apps', connectedApps)
