import { Hono } from 'hono'
import { listMembers, getOwnedItems, removeMember, updateMember } from './service'
import { seatLimitsOf, readSeatUsage } from '../../entitlements/seats'
import { contextOf } from '../../http/request-context'
import { actorOf, membershipOf, type AppContext, type AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { jsonBody, pathId, queryString } from '../../http/validate'
import { ProductError } from '../../shared/errors'
import { listMembersSchema, removeMemberSchema, updateMemberSchema } from '../../shared/members'
import { roleMay } from '../../shared/permissions'

/** A member named in the path: everybody may name themselves, people who edit members anybody. */
function targetMemberOf(c: AppContext): string {
  const id = pathId('user', c.req.param('id') ?? '')
  if (id !== actorOf(c).userId && !roleMay(membershipOf(c).role, 'edit:member'))
    throw new ProductError('forbidden', { permission: 'edit:member' })
  return id
}

/** The people of the workspace. Taking somebody out, and leaving, are possible whatever the plan, for whom it has a seat. */
const members = new Hono<AppEnv>()
  .get('/', may('view:member'), queryString(listMembersSchema), async (c) =>
    c.json(await listMembers(contextOf(c), c.req.valid('query')), 200),
  )
  .get('/seats', may('edit:member'), async (c) => {
    const { db, clock } = c.get('deps')
    const { workspaceId, entitlements } = membershipOf(c)
    const of = { workspaceId, limits: seatLimitsOf(entitlements.features), now: clock.now() }
    return c.json(await readSeatUsage(db, of), 200)
  })
  .get('/:id/belongings', may('view:member'), async (c) =>
    c.json(await getOwnedItems(contextOf(c), targetMemberOf(c)), 200),
  )
  .put('/:id', may('edit:member'), jsonBody(updateMemberSchema), async (c) => {
    const { version, heir = null, ...next } = c.req.valid('json')
    const target = { userId: targetMemberOf(c), version, heir }
    return c.json(await updateMember(contextOf(c), target, next), 200)
  })
  .delete('/:id', may('view:member'), queryString(removeMemberSchema), async (c) => {
    const { version, heir = null } = c.req.valid('query')
    return c.json(await removeMember(contextOf(c), { userId: targetMemberOf(c), version, heir }), 200)
  })

/** The calls of this feature. */
export const memberRoutes = new Hono<AppEnv>().route('/api/members', members)
