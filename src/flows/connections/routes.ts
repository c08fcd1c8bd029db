import { Hono } from 'hono'
import { startConsent } from './consent'
import { connectSource } from './connect-source'
import {
  getConnection,
  listSyncs,
  renewPushToken,
  setPaused,
  syncNow,
  testStored,
  updateConnection,
} from './connection-service'
import { previewStream, testConnection } from './test-connection'
import { listConnectors } from '../../connectors/registry'
import type { SourceWriteContext } from '../../features/data-sources/sources'
import type { StoreContext } from '../../features/data-sources/store'
import { actorOf, membershipOf, scopeOf, type AppContext, type AppEnv } from '../../http/context'
import { may, within } from '../../http/guard'
import { writeContext } from '../../http/idempotency'
import { enforceRateLimits } from '../../http/rate-limit'
import { jsonBody, noBody, pathId, queryString } from '../../http/validate'
import {
  connectSourceSchema,
  listSyncsSchema,
  previewStreamSchema,
  startConsentSchema,
  startSyncSchema,
  testConnectionSchema,
  updateConnectionSchema,
  type OfferedConnector,
} from '../../shared/data-sources/connections'
import { roleMay } from '../../shared/permissions'
import { allowedHours } from '../../sync/allowed-hours'

const storeContextOf = (c: AppContext): StoreContext => ({
  scope: scopeOf(c),
  max: membershipOf(c).entitlements.features.dataSources,
})
const writeContextOf = (c: AppContext, status: number): SourceWriteContext => ({
  ...writeContext(c, status),
  ...storeContextOf(c),
})
const planHoursOf = (c: AppContext, sourceId: string | null): Promise<number> => {
  const { workspaceId } = scopeOf(c)
  return allowedHours(c.get('deps'), { workspaceId, sourceId, entitlements: membershipOf(c).entitlements })
}
const idOf = (c: AppContext): string => pathId('source', c.req.param('id') ?? '')
const commandOf = async (c: AppContext, status = 200) => ({
  ...writeContextOf(c, status),
  id: idOf(c),
  planHours: await planHoursOf(c, idOf(c)),
})
const readOf = async (c: AppContext) => ({
  ...{ id: idOf(c), planHours: await planHoursOf(c, idOf(c)) },
  mayEdit: roleMay(membershipOf(c).role, 'edit:source'),
})
/** Each asks a server that somebody named. */
const limitAsking = (c: AppContext) => enforceRateLimits(c, [{ rate: 'askSource', key: actorOf(c).userId }])

/** `/api/connectors`: kinds of sources, and what is tried before a source is there. */
const connectors = new Hono<AppEnv>()
  .get('/', may('view:source'), (c) => {
    const { settings } = c.get('deps')
    const isAdmin = roleMay(membershipOf(c).role, 'edit:workspace')
    const offered = listConnectors().map(({ connector, operatorOf }): OfferedConnector => {
      const needsKeys =
        connector.describe().fields.some(({ secret }) => secret) || connector.describe().auth === 'oauth'
      const configured = operatorOf(settings) !== null && (!needsKeys || settings.SECRETS_KEYS !== undefined)
      return { description: connector.describe(), configured }
    })
    return c.json({ items: offered.filter(({ configured }) => configured || isAdmin) }, 200)
  })
  .post('/consent', may('create:source'), jsonBody(startConsentSchema), async (c) => {
    await limitAsking(c)
    return c.json(await startConsent(c.get('deps'), storeContextOf(c), c.req.valid('json')), 200)
  })
  .post('/test', may('create:source'), jsonBody(testConnectionSchema), async (c) => {
    await limitAsking(c)
    return c.json(await testConnection(c.get('deps'), storeContextOf(c), c.req.valid('json')), 200)
  })
  .post('/preview', may('create:source'), jsonBody(previewStreamSchema), async (c) => {
    await limitAsking(c)
    return c.json(await previewStream(c.get('deps'), storeContextOf(c), c.req.valid('json')), 200)
  })
  .post('/sources', may('create:source'), within('dataSources'), jsonBody(connectSourceSchema), async (c) => {
    await limitAsking(c)
    const command = { ...writeContextOf(c, 201), input: c.req.valid('json'), planHours: await planHoursOf(c, null) }
    return c.json(await connectSource(c.get('deps'), command), 201)
  })

/** `/api/data-sources/:id/…`: a connected source. */
const connected = new Hono<AppEnv>()
  .get('/:id/connection', may('view:source'), async (c) =>
    c.json(await getConnection(c.get('deps'), storeContextOf(c), await readOf(c)), 200),
  )
  .put('/:id/connection', may('edit:source'), jsonBody(updateConnectionSchema), async (c) => {
    await limitAsking(c)
    return c.json(await updateConnection(c.get('deps'), { ...(await commandOf(c)), input: c.req.valid('json') }), 200)
  })
  .get('/:id/syncs', may('view:source'), queryString(listSyncsSchema), async (c) =>
    c.json(await listSyncs(c.get('deps'), storeContextOf(c), { id: idOf(c), ...c.req.valid('query') }), 200),
  )
  .post('/:id/test', may('edit:source'), noBody(), async (c) => {
    await limitAsking(c)
    return c.json(await testStored(c.get('deps'), storeContextOf(c), idOf(c)), 200)
  })
  .post('/:id/sync', may('edit:source'), jsonBody(startSyncSchema), async (c) => {
    await limitAsking(c)
    return c.json(await syncNow(c.get('deps'), { ...(await commandOf(c)), ...c.req.valid('json') }), 200)
  })
  .post('/:id/pause', may('edit:source'), noBody(), async (c) =>
    c.json(await setPaused(c.get('deps'), { ...(await commandOf(c)), paused: true }), 200),
  )
  .post('/:id/resume', may('edit:source'), noBody(), async (c) =>
    c.json(await setPaused(c.get('deps'), { ...(await commandOf(c)), paused: false }), 200),
  )
  .post('/:id/push-token', may('edit:source'), noBody(), async (c) =>
    c.json(await renewPushToken(c.get('deps'), await commandOf(c)), 200),
  )

export const connectionRoutes = new Hono<AppEnv>()
  .route('/api/connectors', connectors)
  .route('/api/data-sources', connected)
