import { Hono } from 'hono'
import {
  createMetric,
  deleteMetric,
  dependentsOf,
  getMetric,
  listMetrics,
  readFormula,
  unverifyMetric,
  updateMetric,
  verifyMetric,
} from './service'
import { suggestMetrics } from './suggestions'
import { contextOf } from '../../http/request-context'
import type { AppContext, AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { jsonBody, pathId, queryString } from '../../http/validate'
import {
  createMetricSchema,
  listMetricsSchema,
  readFormulaSchema,
  removeMetricSchema,
  unverifyMetricSchema,
  updateMetricSchema,
  verifyMetricSchema,
} from '../../shared/metrics'

const idOf = (c: AppContext): string => pathId('metric', c.req.param('id') ?? '')

/** Figures that the workspace gives names. */
const metrics = new Hono<AppEnv>()
  .get('/', may('view:insight'), queryString(listMetricsSchema), async (c) =>
    c.json(await listMetrics(contextOf(c), c.req.valid('query').dataset), 200),
  )
  .post('/', may('edit:metric'), jsonBody(createMetricSchema), async (c) =>
    c.json(await createMetric(contextOf(c, 201), c.req.valid('json')), 201),
  )
  .get('/suggestions', may('view:insight'), async (c) =>
    c.json({ items: await suggestMetrics(contextOf(c)), nextCursor: null }, 200),
  )
  .post('/formula', may('view:insight'), jsonBody(readFormulaSchema), async (c) =>
    c.json(await readFormula(contextOf(c), c.req.valid('json')), 200),
  )
  .get('/:id', may('view:insight'), async (c) => c.json(await getMetric(contextOf(c), idOf(c)), 200))
  .put('/:id', may('edit:metric'), jsonBody(updateMetricSchema), async (c) =>
    c.json(await updateMetric(contextOf(c), { id: idOf(c), input: c.req.valid('json') }), 200),
  )
  .delete('/:id', may('edit:metric'), queryString(removeMetricSchema), async (c) => {
    const { version, force } = c.req.valid('query')
    return c.json(await deleteMetric(contextOf(c), { id: idOf(c), version, force: force === '1' }), 200)
  })
  .get('/:id/dependents', may('view:insight'), async (c) =>
    c.json({ items: await dependentsOf(contextOf(c), idOf(c)), nextCursor: null }, 200),
  )
  .post('/:id/verify', may('verify:insight'), jsonBody(verifyMetricSchema), async (c) =>
    c.json(await verifyMetric(contextOf(c), { id: idOf(c), ...c.req.valid('json') }), 200),
  )
  .delete('/:id/verify', may('verify:insight'), queryString(unverifyMetricSchema), async (c) =>
    c.json(await unverifyMetric(contextOf(c), { id: idOf(c), ...c.req.valid('query') }), 200),
  )

export const metricRoutes = new Hono<AppEnv>().route('/api/metrics', metrics)
