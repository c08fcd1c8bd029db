import { Hono } from 'hono'
import { connectedMail } from './service'
import { signInsStore } from './store'
import { commit } from '../../db/commit'
import { offers } from '../../env'
import { actorOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { signedIn } from '../../http/guard'
import { replyFor } from '../../http/idempotency'
import { noBody, pathId } from '../../http/validate'
import { PROVIDERS } from '../../shared/account'
import type { SignIns } from '../../shared/account'
import { ProductError } from '../../shared/errors'

/** The ways into the signed-in person's own account. */
export const signIns = new Hono<AppEnv>()
  .get('/', signedIn(), async (c) => c.json(await waysIn(c), 200))
  .delete('/:id', signedIn(), noBody(), async (c) => {
    const deps = c.get('deps')
    const { userId, email } = actorOf(c)
    const id = pathId('account', c.req.param('id'))
    const current = await waysIn(c)
    const before = current.accounts.find((account) => account.id === id)
    if (!before) throw new ProductError('not_found')
    const left: SignIns = { ...current, accounts: current.accounts.filter((account) => account !== before) }
    await commit(deps, {
      change: [signInsStore(deps.db, userId).remove(id)],
      audit: [
        { workspaceId: null, actorId: userId, action: 'signIn.remove', entity: 'user', entityId: userId, before },
      ],
      outbox: connectedMail(email, before, { accountId: id, removed: true }),
      reply: replyFor(c, 200, left),
      expect: { onMissed: () => lastWayIn(current.password) },
    })
    return c.json(left, 200)
  })

async function waysIn(c: AppContext): Promise<SignIns> {
  const { db, settings } = c.get('deps')
  const found = await signInsStore(db, actorOf(c).userId).list()
  return { ...found, offered: PROVIDERS.filter((provider) => offers(settings, provider)) }
}

/** A password is none for people without an address: there is nothing to type beside it. */
const lastWayIn = (password: boolean): ProductError => {
  const first = password ? 'Add an address' : 'Set a password'
  return new ProductError('in_use', {}, `This is your only way in. ${first} or connect another sign-in first.`)
}
