import { Hono } from 'hono'
import { acceptInvite, lookAt } from './accept'
import { createInvites } from './create'
import type { Inviting } from './create'
import { listInvites, resendInvite, revokeInvite } from './service'
import { limitsOf } from '../../access/seats'
import { asking } from '../../http/asking'
import { actorOf, membershipOf, scopeOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { may, open, requireGate, signedIn, within } from '../../http/guard'
import { takeTries } from '../../http/rate-limit'
import { body, noBody, pathId, query } from '../../http/validate'
import { acceptInviteSchema, createInvitesSchema, listInvitesSchema, lookInviteSchema } from '../../shared/invites'
import { canonicalEmail } from '../../shared/session'

const inviting = (c: AppContext): Inviting => {
  const { workspaceName, entitlements } = membershipOf(c)
  return { ...asking(c, 200), workspaceName, inviter: actorOf(c).name, limits: limitsOf(entitlements.features) }
}
const idOf = (c: AppContext): string => pathId('invite', c.req.param('id') ?? '')
/** Every mail counts: whoever of the workspace sends it, and whichever workspaces somebody makes to write to one address. */
const takeMails = (c: AppContext, typed: readonly string[]) =>
  takeTries(c, [
    { rate: 'inviteOfWorkspace', of: membershipOf(c).workspaceId, count: typed.length },
    { rate: 'inviteOfPerson', of: actorOf(c).userId, count: typed.length },
    ...addressesIn(typed).map((of) => ({ rate: 'inviteToAddress', of }) as const),
  ])
const addressesIn = (typed: readonly string[]): string[] => [
  ...new Set(typed.flatMap((text) => canonicalEmail(text.trim()) ?? [])),
]

export const invites = new Hono<AppEnv>()
  .get('/', may('invite:member'), query(listInvitesSchema), async (c) =>
    c.json(await listInvites(c.get('deps'), scopeOf(c), c.req.valid('query')), 200),
  )
  .post('/', may('invite:member'), within('users'), body(createInvitesSchema), async (c) => {
    const input = c.req.valid('json')
    if (input.groupIds.length > 0) requireGate(c, 'userGrouping')
    await takeMails(c, input.emails)
    return c.json(await createInvites(c.get('deps'), { ...inviting(c), input }), 200)
  })
  .post('/look', open('says what an invitation is, to whoever holds its link'), body(lookInviteSchema), async (c) => {
    await takeTries(c, [{ rate: 'lookAtInviteFromAddress' }])
    return c.json(await lookAt(c.get('deps'), c.req.valid('json').token, c.get('actor')), 200)
  })
  // The body holds a token: the answer is not kept. The same person asking again is answered the same.
  .post('/accept', signedIn(), body(acceptInviteSchema), async (c) => {
    await takeTries(c, [{ rate: 'acceptInvite', of: actorOf(c).userId }])
    return c.json(await acceptInvite(c.get('deps'), c.req.valid('json').token, actorOf(c)), 200)
  })
  .post('/:id/resend', may('invite:member'), noBody(), async (c) => {
    const id = idOf(c)
    const ask = { ...inviting(c), id, takeTry: (email: string) => takeMails(c, [email]) }
    return c.json(await resendInvite(c.get('deps'), ask), 200)
  })
  .post('/:id/revoke', may('invite:member'), noBody(), async (c) =>
    c.json(await revokeInvite(c.get('deps'), { ...asking(c, 200), id: idOf(c) }), 200),
  )
