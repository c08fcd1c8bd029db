import { Hono } from 'hono'
import { acceptOwnership, getOffer, offerOwnership, withdrawOffer } from './service'
import type { AppEnv } from '../../http/context'
import { contextOf } from '../../http/request-context'
import { may, provenEmail } from '../../http/guard'
import { requireReauthentication } from '../../http/reauthentication'
import { jsonBody, noBody } from '../../http/validate'
import { reauthenticationSchema } from '../../shared/account'
import { offerOwnershipSchema } from '../../shared/members'

/**
 * Handing a workspace over. Both sides prove that it is them; those bodies hold a password, so their answers are not kept, and
 * who repeats an offer makes it anew.
 */
const ownership = new Hono<AppEnv>()
  .get('/', may('view:member'), async (c) => c.json(await getOffer(contextOf(c)), 200))
  .put('/', may('transfer:workspace'), provenEmail(), jsonBody(offerOwnershipSchema), async (c) => {
    const { userId, password } = c.req.valid('json')
    await requireReauthentication(c, password)
    return c.json(await offerOwnership(contextOf(c), userId), 200)
  })
  .delete('/', may('view:member'), noBody(), async (c) => c.json(await withdrawOffer(contextOf(c)), 200))
  .post('/accept', may('view:member'), provenEmail(), jsonBody(reauthenticationSchema), async (c) => {
    await requireReauthentication(c, c.req.valid('json').password)
    return c.json(await acceptOwnership(contextOf(c)), 200)
  })

/** The calls of this feature. */
export const ownershipRoutes = new Hono<AppEnv>().route('/api/workspace/ownership', ownership)
