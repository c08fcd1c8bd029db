import { Hono } from 'hono'
import { createWorkspace, currentWorkspace, updateWorkspace } from './service'
import { actorOf, scopeOf } from '../../http/context'
import type { AppEnv } from '../../http/context'
import { may, signedIn } from '../../http/guard'
import { replyFor } from '../../http/idempotency'
import { takeTries } from '../../http/rate-limit'
import { body } from '../../http/validate'
import { createWorkspaceSchema, updateWorkspaceSchema } from '../../shared/workspaces'

/** The workspaces of the signed-in person. */
export const workspaces = new Hono<AppEnv>()
  .get('/', signedIn(), (c) => c.json({ items: actorOf(c).workspaces, nextCursor: null }, 200))
  .post('/', signedIn(), body(createWorkspaceSchema), async (c) => {
    await takeTries(c, [{ rate: 'createWorkspace', of: actorOf(c).userId }])
    const made = { userId: actorOf(c).userId, input: c.req.valid('json') }
    return c.json(await createWorkspace(c.get('deps'), made, (answer) => replyFor(c, 201, answer)), 201)
  })

/** The workspace this request names. */
export const workspace = new Hono<AppEnv>()
  .get('/', may('view:workspace'), async (c) => c.json(await currentWorkspace(c.get('deps'), scopeOf(c)), 200))
  .put('/', may('edit:workspace'), body(updateWorkspaceSchema), async (c) => {
    const change = { scope: scopeOf(c), input: c.req.valid('json') }
    return c.json(await updateWorkspace(c.get('deps'), change, (answer) => replyFor(c, 200, answer)), 200)
  })
