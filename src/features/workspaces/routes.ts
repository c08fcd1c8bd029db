import { Hono } from 'hono'
import { deletedWorkspaces, deleteWorkspace, restoreWorkspace } from './deletion'
import { putLogo, removeLogo } from './logo'
import { createWorkspace, currentWorkspace, updateWorkspace } from './service'
import { asking } from '../../http/asking'
import { actorOf, scopeOf } from '../../http/context'
import type { AppEnv } from '../../http/context'
import { may, signedIn } from '../../http/guard'
import { replyFor } from '../../http/idempotency'
import { takeTries } from '../../http/rate-limit'
import { body, noBody, pathId, query } from '../../http/validate'
import { createWorkspaceSchema, deleteWorkspaceSchema, updateWorkspaceSchema } from '../../shared/workspaces'

/** The workspaces of the signed-in person. */
export const workspaces = new Hono<AppEnv>()
  .get('/', signedIn(), (c) => c.json({ items: actorOf(c).workspaces, nextCursor: null }, 200))
  .post('/', signedIn(), body(createWorkspaceSchema), async (c) => {
    await takeTries(c, [{ rate: 'createWorkspace', of: actorOf(c).userId }])
    const made = { userId: actorOf(c).userId, input: c.req.valid('json') }
    return c.json(await createWorkspace(c.get('deps'), made, (answer) => replyFor(c, 201, answer)), 201)
  })
  .get('/deleted', signedIn(), async (c) =>
    c.json({ items: await deletedWorkspaces(c.get('deps'), actorOf(c)), nextCursor: null }, 200),
  )
  .post('/:id/restore', signedIn(), noBody(), async (c) => {
    const ask = { actor: actorOf(c), id: pathId('workspace', c.req.param('id')) }
    return c.json(await restoreWorkspace(c.get('deps'), { ...ask, reply: (answer) => replyFor(c, 200, answer) }), 200)
  })

/** The workspace this request names. */
export const workspace = new Hono<AppEnv>()
  .get('/', may('view:workspace'), async (c) => c.json(await currentWorkspace(c.get('deps'), scopeOf(c)), 200))
  .put('/', may('edit:workspace'), body(updateWorkspaceSchema), async (c) => {
    const change = { scope: scopeOf(c), input: c.req.valid('json') }
    return c.json(await updateWorkspace(c.get('deps'), change, (answer) => replyFor(c, 200, answer)), 200)
  })
  .delete('/', may('delete:workspace'), query(deleteWorkspaceSchema), async (c) => {
    const ask = { ...asking(c, 200), actor: actorOf(c), input: c.req.valid('query') }
    return c.json(await deleteWorkspace(c.get('deps'), ask), 200)
  })

/** `/files/workspace`: the workspace's logo. */
export const workspaceFiles = new Hono<AppEnv>()
  .put('/logo', may('edit:workspace'), async (c) => {
    await takeTries(c, [{ rate: 'changePicture', of: actorOf(c).userId }])
    return c.json(await putLogo(c.get('deps'), scopeOf(c), c.req.raw), 200)
  })
  .delete('/logo', may('edit:workspace'), noBody(), async (c) =>
    c.json(await removeLogo(c.get('deps'), asking(c, 200)), 200),
  )
