import { Hono } from 'hono'
import { profileStore } from './store'
import { userAuditEntry } from '../../db/audit'
import { commit } from '../../db/commit'
import { actorOf, type AppEnv } from '../../http/context'
import { signedIn } from '../../http/guard'
import { toStoredReply } from '../../http/idempotency'
import { jsonBody } from '../../http/validate'
import { ProductError } from '../../shared/errors'
import { profileSchema, type Profile, type ProfileChanges } from '../../shared/account'
import { onboardingSchema } from '../../shared/workspaces/workspaces'

function changedProfile(stored: Profile, { name, job, goals, locale, notifications = {} }: ProfileChanges): Profile {
  const given = Object.entries(notifications).filter(([, wanted]) => wanted !== undefined)
  return {
    ...stored,
    name: name ?? stored.name,
    job: job ?? stored.job,
    goals: goals ?? stored.goals,
    locale: locale === undefined ? stored.locale : locale,
    notifications: { ...stored.notifications, ...Object.fromEntries(given) },
  }
}

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
    const changes = c.req.valid('json')
    const next = changedProfile(stored, changes)
    await commit(deps, {
      change: [store.update(changes)],
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
