import { Hono } from 'hono'
import { sessionStartStatements, type SessionUser } from '../../identity/session-store'
import { Scope } from '../../scope'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import { userStore } from '../../features/identity/store'
import { addSample } from '../../features/sample/service'
import { newWorkspaceRows, grantPermanentPlan } from '../../features/workspaces/store'
import type { AppEnv } from '../../http/context'
import { publicAccess } from '../../http/guard'
import { buildPageData } from '../../http/page-data'
import { enforceRateLimits } from '../../http/rate-limit'
import { completeSignIn, createBrowserSession } from '../../http/session'
import { noBody } from '../../http/validate'
import { markEmailProvenStatements } from '../../identity/earlier-use-store'
import { ProductError } from '../../shared/errors'
import { DEMO_EMAIL } from '../../shared/sample'
import type { Workspace } from '../../shared/workspaces/workspaces'

/** Signs in to the demo without a password: on a person's own machine only, elsewhere it does not exist. */
export const demoRoutes = new Hono<AppEnv>()
  .basePath('/api/session')
  .post('/demo', publicAccess('opens the demo, in local mode only'), noBody(), async (c) => {
    const deps = c.get('deps')
    if (!deps.settings.LOCAL_MODE) throw new ProductError('not_found')
    await enforceRateLimits(c, [{ rate: 'registerFromAddress' }])
    const person = (await findDemoPerson(deps)) ?? (await createDemo(deps))
    const opened = await createBrowserSession(c, person)
    const signedIn = { workspaceId: null, actorId: person.userId, action: 'session.demo' }
    await commit(deps, {
      change: sessionStartStatements(deps, opened, c.get('sessionHash')),
      audit: [{ ...signedIn, entity: 'user', entityId: person.userId }],
    })
    await completeSignIn(c, opened, person)
    return c.json(await buildPageData(c), 200)
  })

const findDemoPerson = (deps: Deps): Promise<SessionUser | null> => userStore(deps.db).byEmail(DEMO_EMAIL)

/** The person, a workspace that never runs out, and the sample company on its way into it. */
async function createDemo(deps: Deps): Promise<SessionUser> {
  const now = deps.clock.now()
  const userId = deps.ids.next('user')
  const { DEMO_PASSWORD } = deps.settings
  // Without a password of its own the account can be entered by this door only.
  const passwordHash = await deps.passwords.hash(DEMO_PASSWORD ?? deps.ids.token(32))
  const workspace: Workspace = {
    id: deps.ids.next('workspace'),
    name: 'Demo',
    version: 1,
    country: 'SE',
    currency: 'SEK',
    numberLocale: 'sv-SE',
    timeZone: 'Europe/Stockholm',
    fiscalYearStart: 1,
    weekStart: 'monday',
    mailDomains: [],
    reportDomains: [],
    logo: null,
  }
  const accounts = userStore(deps.db)
  await commit(deps, {
    change: [
      accounts.insert({ id: userId, email: DEMO_EMAIL, name: 'Demo person', passwordHash, now }),
      ...newWorkspaceRows(deps.db, { workspace, ownerId: userId, now, trialEndsAt: now, alwaysTrial: true }),
      grantPermanentPlan(deps.db, workspace.id),
      accounts.completeOnboarding(userId),
      ...markEmailProvenStatements(deps.db, userId, now),
    ],
    audit: [{ workspaceId: workspace.id, actorId: userId, action: 'demo.create', entity: 'user', entityId: userId }],
    expect: { onMissed: () => new ProductError('busy', { retryAfter: 1 }) },
  })
  const scope = Scope.forJob({ workspaceId: workspace.id, userId, epoch: '1.1' })
  await addSample(deps, { scope, reply: () => null })
  return { userId, epoch: 1 }
}
