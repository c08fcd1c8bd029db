import { Hono } from 'hono'
import { profileStore } from './store'
import { userAuditEntry } from '../../db/audit'
import { commit } from '../../db/commit'
import { actorOf, type AppEnv } from '../../http/context'
import { signedIn } from '../../http/guard'
import { toStoredReply } from '../../http/idempotency'
import { jsonBody } from '../../http/validate'
import { ProductError } from '../../shared/errors'
import { profileSchema } from '../../shared/account'
import { onboardingSchema } from '../../shared/workspaces/workspaces'

/** The signed-in person's own profile. */
const profile = new Hono<AppEnv>()
  .get('/', signedIn(), async (c) => {
    const found = await profileStore(c.get('deps').db, actorOf(c).userId).get()
    if (!found) throw new ProductError('not_found')
    return c.json(found, 200)
  })
  .put('/', signedIn(), jsonBody(profileSchema), async (c) => {
    const deps = c.get('deps')
    const store = profileStore(deps.db, actorOf(c).userId)
    const stored = await store.get()
    if (!stored) throw new ProductError('not_found')
    const { name, job = '', goals, locale = stored.locale, notifications: asked = {} } = c.req.valid('json')
    const given = Object.fromEntries(Object.entries(asked).filter(([, wanted]) => wanted !== undefined))
    const notifications = { ...stored.notifications, ...given }
    const next = { ...stored, name, job, goals, locale, notifications }
    await commit(deps, {
      change: [store.update(next)],
      audit: [userAuditEntry(actorOf(c).userId, 'profile.update', { after: next })],
      reply: toStoredReply(c, 200, next),
    })
    return c.json(next, 200)
  })

/** Where the person is in the first steps. */
const onboarding = new Hono<AppEnv>().put('/', signedIn(), jsonBody(onboardingSchema), async (c) => {
  const deps = c.get('deps')
  const next = { onboarding: c.req.valid('json').step }
  await commit(deps, {
    change: [profileStore(deps.db, actorOf(c).userId).setOnboardingStep(next.onboarding)],
    audit: [userAuditEntry(actorOf(c).userId, 'onboarding.update', { after: next })],
    reply: toStoredReply(c, 200, next),
    expect: {
      onMissed: () => new ProductError('invalid_input', { fields: { step: 'Create a workspace first.' } }),
    },
  })
  return c.json(next, 200)
})

/** The calls of this feature. */
export const profileRoutes = new Hono<AppEnv>().route('/api/profile', profile).route('/api/onboarding', onboarding)
