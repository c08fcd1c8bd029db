import { Hono } from 'hono'
import { listMembers } from './list'
import { belongingsOf, removeMember, updateMember } from './service'
import type { Here } from './service'
import { limitsOf, readSeats } from '../../access/seats'
import { asking } from '../../http/asking'
import { actorOf, membershipOf, scopeOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { body, pathId, query } from '../../http/validate'
import { ProductError } from '../../shared/errors'
import { listMembersSchema, removeMemberSchema, updateMemberSchema } from '../../shared/members'
import { mayRole } from '../../shared/permissions'

const hereOf = (c: AppContext): Here => {
  const { workspaceName, role, entitlements } = membershipOf(c)
  return { workspaceName, role, limits: limitsOf(entitlements.features) }
}

/** A member named in the path: everybody may name themselves, people who edit members anybody. */
function memberIn(c: AppContext): string {
  const id = pathId('user', c.req.param('id') ?? '')
  if (id !== actorOf(c).userId && !mayRole(membershipOf(c).role, 'edit:member'))
    throw new ProductError('forbidden', { permission: 'edit:member' })
  return id
}

/** The people of the workspace. Taking somebody out, and leaving, are possible whatever the plan, for whom it has a seat. */
export const members = new Hono<AppEnv>()
  .get('/', may('view:member'), query(listMembersSchema), async (c) => {
    const looking = { scope: scopeOf(c), whole: mayRole(membershipOf(c).role, 'edit:member') }
    return c.json(await listMembers(c.get('deps'), looking, c.req.valid('query')), 200)
  })
  .get('/seats', may('edit:member'), async (c) => {
    const { db, clock } = c.get('deps')
    const { workspaceId, entitlements } = membershipOf(c)
    const of = { workspaceId, limits: limitsOf(entitlements.features), now: clock.now() }
    return c.json(await readSeats(db, of), 200)
  })
  .get('/:id/belongings', may('view:member'), async (c) =>
    c.json(await belongingsOf(c.get('deps'), scopeOf(c), memberIn(c)), 200),
  )
  .put('/:id', may('edit:member'), body(updateMemberSchema), async (c) => {
    const { version, heir = null, ...next } = c.req.valid('json')
    const ask = { ...asking(c, 200), ...hereOf(c), userId: memberIn(c), version, heir, next }
    return c.json(await updateMember(c.get('deps'), ask), 200)
  })
  .delete('/:id', may('view:member'), query(removeMemberSchema), async (c) => {
    const { version, heir = null } = c.req.valid('query')
    const ask = { ...asking(c, 200), ...hereOf(c), userId: memberIn(c), version, heir }
    return c.json(await removeMember(c.get('deps'), ask), 200)
  })
