import { Hono } from 'hono'
import { endedMemberships, listDeletedWorkspaces, deleteWorkspace, restoreWorkspace } from './deletion'
import { putLogo, removeLogo, createWorkspace, getWorkspace, updateWorkspace } from './service'
import { toStoredReply } from '../../http/idempotency'
import { contextOf } from '../../http/request-context'
import { actorOf, scopeOf, type AppEnv } from '../../http/context'
import { may, signedIn } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { requireReauthentication } from '../../http/reauthentication'
import { jsonBody, noBody, pathId } from '../../http/validate'
import { deleteWorkspaceSchema } from '../../shared/workspaces/deletion'
import { createWorkspaceSchema, updateWorkspaceSchema } from '../../shared/workspaces/workspaces'

/** The workspaces of the signed-in person. */
const workspaces = new Hono<AppEnv>()
  .get('/', signedIn(), (c) => c.json({ items: actorOf(c).workspaces, nextCursor: null }, 200))
  .post('/', signedIn(), jsonBody(createWorkspaceSchema), async (c) => {
    await enforceRateLimits(c, [{ rate: 'createWorkspace', key: actorOf(c).userId }])
    const creation = { userId: actorOf(c).userId, input: c.req.valid('json') }
    return c.json(await createWorkspace(c.get('deps'), creation, (answer) => toStoredReply(c, 201, answer)), 201)
  })
  .get('/deleted', signedIn(), async (c) =>
    c.json({ items: await listDeletedWorkspaces(c.get('deps'), actorOf(c)), nextCursor: null }, 200),
  )
  .get('/ended', signedIn(), async (c) =>
    c.json({ items: await endedMemberships(c.get('deps'), actorOf(c)), nextCursor: null }, 200),
  )
  .post('/:id/restore', signedIn(), noBody(), async (c) => {
    const restoration = { actor: actorOf(c), id: pathId('workspace', c.req.param('id')) }
    return c.json(
      await restoreWorkspace(c.get('deps'), { ...restoration, reply: (answer) => toStoredReply(c, 200, answer) }),
      200,
    )
  })

/** The workspace this request names. */
const workspace = new Hono<AppEnv>()
  .get('/', may('view:workspace'), async (c) => c.json(await getWorkspace(c.get('deps'), scopeOf(c)), 200))
  .put('/', may('edit:workspace'), jsonBody(updateWorkspaceSchema), async (c) =>
    c.json(await updateWorkspace(contextOf(c), c.req.valid('json')), 200),
  )
  .post('/delete', may('delete:workspace'), jsonBody(deleteWorkspaceSchema), async (c) => {
    const { password, ...input } = c.req.valid('json')
    await requireReauthentication(c, password)
    return c.json(await deleteWorkspace(contextOf(c), input), 200)
  })

/** `/files/workspace`: the workspace's logo. */
const workspaceFiles = new Hono<AppEnv>()
  .put('/logo', may('edit:workspace'), async (c) => {
    await enforceRateLimits(c, [{ rate: 'changePicture', key: actorOf(c).userId }])
    return c.json(await putLogo(contextOf(c), c.req.raw), 200)
  })
  .delete('/logo', may('edit:workspace'), noBody(), async (c) => c.json(await removeLogo(contextOf(c)), 200))

/** The calls of this feature. */
export const workspaceRoutes = new Hono<AppEnv>()
  .route('/api/workspaces', workspaces)
  .route('/api/workspace', workspace)
  .route('/files/workspace', workspaceFiles)
