import { Hono } from 'hono'
import { acceptOwnership, getOffer, offerOwnership, withdrawOffer } from './service'
import type { OwnershipContext } from './service'
import { seatLimitsOf } from '../../entitlements/seats'
import { writeContext } from '../../http/idempotency'
import { actorOf, membershipOf, scopeOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { requireReauthentication } from '../../http/reauthentication'
import { jsonBody, noBody } from '../../http/validate'
import { reauthenticationSchema } from '../../shared/account'
import { offerOwnershipSchema } from '../../shared/members'

const contextOf = (c: AppContext): OwnershipContext => {
  const { workspaceName, role } = membershipOf(c)
  return { scope: scopeOf(c), workspaceName, role, name: actorOf(c).name }
}

/**
 * Handing a workspace over. Both sides prove that it is them; those bodies hold a password, so their answers are not kept, and
 * who repeats an offer makes it anew.
 */
export const ownership = new Hono<AppEnv>()
  .get('/', may('view:member'), async (c) => c.json(await getOffer(c.get('deps'), contextOf(c)), 200))
  .put('/', may('transfer:workspace'), jsonBody(offerOwnershipSchema), async (c) => {
    const { userId, password } = c.req.valid('json')
    await requireReauthentication(c, password)
    return c.json(await offerOwnership(c.get('deps'), contextOf(c), userId), 200)
  })
  .delete('/', may('view:member'), noBody(), async (c) => {
    const { reply } = writeContext(c, 200)
    return c.json(await withdrawOffer(c.get('deps'), contextOf(c), reply), 200)
  })
  .post('/accept', may('view:member'), jsonBody(reauthenticationSchema), async (c) => {
    await requireReauthentication(c, c.req.valid('json').password)
    const { entitlements, givenRole } = membershipOf(c)
    // Whoever was given an analyst's seat takes no other, even while the plan has no room for it.
    const here = { ...contextOf(c), role: givenRole }
    return c.json(await acceptOwnership(c.get('deps'), here, seatLimitsOf(entitlements.features)), 200)
  })
