import { Hono } from 'hono'
import { acceptOwnership, getOffer, offerOwnership, withdrawOffer } from './service'
import type { Here } from './service'
import { limitsOf } from '../../access/seats'
import { asking } from '../../http/asking'
import { actorOf, membershipOf, scopeOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { requireProof } from '../../http/proof'
import { body, noBody } from '../../http/validate'
import { proofSchema } from '../../shared/account'
import { offerOwnershipSchema } from '../../shared/members'

const hereOf = (c: AppContext): Here => {
  const { workspaceName, role } = membershipOf(c)
  return { scope: scopeOf(c), workspaceName, role, name: actorOf(c).name }
}

/**
 * Handing a workspace over. Both sides prove that it is them; those bodies hold a password, so their answers are not kept, and
 * who repeats an offer makes it anew.
 */
export const ownership = new Hono<AppEnv>()
  .get('/', may('view:member'), async (c) => c.json(await getOffer(c.get('deps'), hereOf(c)), 200))
  .put('/', may('transfer:workspace'), body(offerOwnershipSchema), async (c) => {
    const { userId, password } = c.req.valid('json')
    await requireProof(c, password)
    return c.json(await offerOwnership(c.get('deps'), hereOf(c), userId), 200)
  })
  .delete('/', may('view:member'), noBody(), async (c) => {
    const { reply } = asking(c, 200)
    return c.json(await withdrawOffer(c.get('deps'), hereOf(c), reply), 200)
  })
  .post('/accept', may('view:member'), body(proofSchema), async (c) => {
    await requireProof(c, c.req.valid('json').password)
    const { entitlements, givenRole } = membershipOf(c)
    // Whoever was given an analyst's seat takes no other, even while the plan has no room for it.
    const here = { ...hereOf(c), role: givenRole }
    return c.json(await acceptOwnership(c.get('deps'), here, limitsOf(entitlements.features)), 200)
  })
