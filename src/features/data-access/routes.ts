import { Hono } from 'hono'
import { inspectAccess } from './inspect'
import { getAccessOverview, previewImpact } from './overview'
import { getDataAccess, listAccessHistory, restoreDataAccess, saveAttributeValues, saveDataAccess } from './service'
import { suggestMasks } from './suggestions'
import { endViewAs, startViewAs } from './view-as'
import { contextOf } from '../../http/request-context'
import type { AppEnv } from '../../http/context'
import { may, needs, signedIn } from '../../http/guard'
import { jsonBody, noBody, pathId, queryString } from '../../http/validate'
import {
  accessImpactSchema,
  inspectAccessSchema,
  listSuggestionsSchema,
  restoreAccessSchema,
  saveAttributeValuesSchema,
  saveDataAccessSchema,
  viewAsSchema,
} from '../../shared/data-access/data-access'

/** Two hundred rules with their conditions as JSON writes them. */
const POLICY_MAX_BYTES = 1024 * 1024

/** Who sees what. Below the plan rules stay in force and can be read; nothing of them can be changed. */
const dataAccess = new Hono<AppEnv>()
  .get('/', may('view:access'), async (c) => c.json(await getDataAccess(contextOf(c)), 200))
  .put(
    '/',
    may('edit:access'),
    needs('dataAccessManagement'),
    jsonBody(saveDataAccessSchema, POLICY_MAX_BYTES),
    async (c) => c.json(await saveDataAccess(contextOf(c), c.req.valid('json')), 200),
  )
  .post(
    '/impact',
    may('edit:access'),
    needs('dataAccessManagement'),
    jsonBody(accessImpactSchema, POLICY_MAX_BYTES),
    async (c) => c.json(await previewImpact(contextOf(c), c.req.valid('json')), 200),
  )
  .get('/people', may('view:access'), async (c) => c.json(await getAccessOverview(contextOf(c)), 200))
  .post('/inspect', may('view:access'), jsonBody(inspectAccessSchema), async (c) =>
    c.json(await inspectAccess(contextOf(c), c.req.valid('json')), 200),
  )
  .get('/history', may('view:access'), async (c) => c.json(await listAccessHistory(contextOf(c)), 200))
  .post('/restore', may('edit:access'), needs('dataAccessManagement'), jsonBody(restoreAccessSchema), async (c) =>
    c.json(await restoreDataAccess(contextOf(c), c.req.valid('json')), 200),
  )
  .put(
    '/attributes/:id/values',
    may('edit:access'),
    needs('dataAccessManagement'),
    jsonBody(saveAttributeValuesSchema, POLICY_MAX_BYTES),
    async (c) =>
      c.json(
        await saveAttributeValues(contextOf(c), { id: pathId('attribute', c.req.param('id')), ...c.req.valid('json') }),
        200,
      ),
  )
  .get('/suggestions', may('view:access'), queryString(listSuggestionsSchema), async (c) =>
    c.json(await suggestMasks(contextOf(c), c.req.valid('query').dataset), 200),
  )
  .post('/view-as', may('view:access'), jsonBody(viewAsSchema), async (c) =>
    c.json(await startViewAs(contextOf(c), c.req.valid('json').subject), 200),
  )
  // Whoever looks as somebody else has that one's permissions, and may end it nonetheless.
  .delete('/view-as', signedIn(), noBody(), async (c) => c.json(await endViewAs(contextOf(c)), 200))

export const dataAccessRoutes = new Hono<AppEnv>().route('/api/data-access', dataAccess)
