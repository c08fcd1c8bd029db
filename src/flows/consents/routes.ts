import { Hono } from 'hono'
import { finishConsent, startConsent, type ReturnedConsent } from './consent-service'
import { actorOf, scopeOf, type AppEnv } from '../../http/context'
import { may, publicAccess } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { jsonBody } from '../../http/validate'
import { CONNECTOR_KINDS } from '../../shared/data-sources/connectors'
import { startConsentSchema, type StartedConsent } from '../../shared/data-sources/consents'

/** The start: a write of our own, so that no other site can send a person off. Answers where the browser goes. */
const consentStart = new Hono<AppEnv>().post(
  '/consents',
  may('create:source'),
  jsonBody(startConsentSchema),
  async (c) => {
    const { sessionHash } = actorOf(c)
    await enforceRateLimits(c, [{ rate: 'oauthFromAddress' }])
    const started: StartedConsent = await startConsent(
      c.get('deps'),
      { scope: scopeOf(c), sessionHash },
      c.req.valid('json'),
    )
    return c.json(started, 201)
  },
)

/** The return from a vendor: a page load, so problems lead to a page that says them. */
const consentReturn = new Hono<AppEnv>().get(
  '/:kind/callback',
  publicAccess('takes the return from a vendor'),
  async (c) => {
    await enforceRateLimits(c, [{ rate: 'oauthReturnFromAddress' }])
    const query = Object.fromEntries(new URL(c.req.url).searchParams)
    const returned = await finishConsent(c.get('deps'), c.get('actor'), { kind: c.req.param('kind'), query })
    return c.redirect(pathAfter(returned, c.req.param('kind')))
  },
)

/** Where the person goes on: in the wizard of the kind, or at the source whose access was renewed. */
function pathAfter({ row, problem }: ReturnedConsent, kind: string): string {
  if (!row) {
    const known = CONNECTOR_KINDS.find((name) => name === kind)
    return known ? `/data-sources/new/${known}?problem=expired` : '/data-sources/new'
  }
  const search = new URLSearchParams({ w: row.workspaceId, ...(problem ? { problem } : { consent: row.id }) })
  if (row.sourceId !== null) return `/data-sources/${row.sourceId}?${search.toString()}`
  return `/data-sources/new/${row.kind}?${search.toString()}`
}

/** The calls of this flow. */
export const consentRoutes = new Hono<AppEnv>()
  .route('/api/connectors', consentStart)
  .route('/api/data-sources/oauth', consentReturn)
