import { Hono } from 'hono'
import { signInMethodMail } from './service'
import { signInMethodStore } from './store'
import { commit } from '../../db/commit'
import { isProviderConfigured } from '../../env'
import { actorOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { signedIn } from '../../http/guard'
import { toStoredReply } from '../../http/idempotency'
import { noBody, pathId } from '../../http/validate'
import { IDENTITY_PROVIDERS } from '../../shared/account'
import type { SignInMethods } from '../../shared/account'
import { ProductError } from '../../shared/errors'

/** The ways into the signed-in person's own account. */
export const signIns = new Hono<AppEnv>()
  .get('/', signedIn(), async (c) => c.json(await getSignInMethods(c), 200))
  .delete('/:id', signedIn(), noBody(), async (c) => {
    const deps = c.get('deps')
    const { userId, email } = actorOf(c)
    const id = pathId('account', c.req.param('id'))
    const current = await getSignInMethods(c)
    const before = current.accounts.find((account) => account.id === id)
    if (!before) throw new ProductError('not_found')
    const remaining: SignInMethods = { ...current, accounts: current.accounts.filter((account) => account !== before) }
    await commit(deps, {
      change: [signInMethodStore(deps.db, userId).remove(id)],
      audit: [
        { workspaceId: null, actorId: userId, action: 'signIn.remove', entity: 'user', entityId: userId, before },
      ],
      outbox: signInMethodMail(email, before, { accountId: id, removed: true }),
      reply: toStoredReply(c, 200, remaining),
      expect: { onMissed: () => lastSignInMethod(current.password) },
    })
    return c.json(remaining, 200)
  })

async function getSignInMethods(c: AppContext): Promise<SignInMethods> {
  const { db, settings } = c.get('deps')
  const found = await signInMethodStore(db, actorOf(c).userId).list()
  return { ...found, offered: IDENTITY_PROVIDERS.filter((provider) => isProviderConfigured(settings, provider)) }
}

/** A password is none for people without an address: there is nothing to type beside it. */
const lastSignInMethod = (password: boolean): ProductError => {
  const first = password ? 'Add an address' : 'Set a password'
  return new ProductError('in_use', {}, `This is your only way in. ${first} or connect another sign-in first.`)
}
