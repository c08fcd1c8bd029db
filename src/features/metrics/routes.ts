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
import type { Ask } from './service'
import { suggestMetrics } from './suggestions'
import { asking } from '../../http/asking'
import { actorOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { body, pathId, query } from '../../http/validate'
import {
  createMetricSchema,
  listMetricsSchema,
  readFormulaSchema,
  removeMetricSchema,
  unverifyMetricSchema,
  updateMetricSchema,
  verifyMetricSchema,
} from '../../shared/metrics'

const askOf = (c: AppContext, status = 200): Ask => ({
  ...asking(c, status),
  deps: c.get('deps'),
  actor: actorOf(c),
})
const idOf = (c: AppContext): string => pathId('metric', c.req.param('id') ?? '')

/** Figures that the workspace gives names. */
export const metrics = new Hono<AppEnv>()
  .get('/', may('view:insight'), query(listMetricsSchema), async (c) =>
    c.json(await listMetrics(askOf(c), c.req.valid('query').dataset), 200),
  )
  .post('/', may('edit:metric'), body(createMetricSchema), async (c) =>
    c.json(await createMetric(askOf(c, 201), c.req.valid('json')), 201),
  )
  .get('/suggestions', may('view:insight'), async (c) =>
    c.json({ items: await suggestMetrics(askOf(c)), nextCursor: null }, 200),
  )
  .post('/formula', may('view:insight'), body(readFormulaSchema), async (c) =>
    c.json(await readFormula(askOf(c), c.req.valid('json')), 200),
  )
  .get('/:id', may('view:insight'), async (c) => c.json(await getMetric(askOf(c), idOf(c)), 200))
  .put('/:id', may('edit:metric'), body(updateMetricSchema), async (c) =>
    c.json(await updateMetric(askOf(c), { id: idOf(c), input: c.req.valid('json') }), 200),
  )
  .delete('/:id', may('edit:metric'), query(removeMetricSchema), async (c) => {
    const { version, force } = c.req.valid('query')
    return c.json(await deleteMetric(askOf(c), { id: idOf(c), version, force: force === '1' }), 200)
  })
  .get('/:id/dependents', may('view:insight'), async (c) =>
    c.json({ items: await dependentsOf(askOf(c), idOf(c)), nextCursor: null }, 200),
  )
  .post('/:id/verify', may('verify:insight'), body(verifyMetricSchema), async (c) =>
    c.json(await verifyMetric(askOf(c), { id: idOf(c), ...c.req.valid('json') }), 200),
  )
  .delete('/:id/verify', may('verify:insight'), query(unverifyMetricSchema), async (c) =>
    c.json(await unverifyMetric(askOf(c), { id: idOf(c), ...c.req.valid('query') }), 200),
  )
