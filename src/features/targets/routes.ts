import { Hono } from 'hono'
import { getTargets, saveTargets, resolveSubject } from './service'
import type { RequestContext } from './service'
import { calendarOf } from '../../semantic/calendar'
import { readTargetProgress } from '../../semantic/targets'
import { writeContext } from '../../http/idempotency'
import { actorOf, membershipOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { jsonBody, pathId } from '../../http/validate'
import { saveTargetsSchema } from '../../shared/targets/targets'
import type { TargetProgress } from '../../shared/targets/targets'
import type { SubjectRef } from '../../shared/monitored-metric'

const contextOf = (c: AppContext): RequestContext => ({
  ...writeContext(c, 200),
  deps: c.get('deps'),
  actor: actorOf(c),
  membership: membershipOf(c),
})
const insightSubject = (c: AppContext): SubjectRef => ({
  kind: 'insight',
  id: pathId('insight', c.req.param('id') ?? ''),
  measure: 0,
})
const metricSubject = (c: AppContext): SubjectRef => ({ kind: 'metric', id: pathId('metric', c.req.param('id') ?? '') })

/** Nothing to tell of a figure that has no date or no targets. */
async function targetProgress(c: AppContext, subjectRef: SubjectRef): Promise<TargetProgress | null> {
  const ask = contextOf(c)
  const found = await resolveSubject(ask, subjectRef)
  const table = await getTargets(ask, subjectRef)
  if (!found.ok || table.lines.length === 0) return null
  return readTargetProgress(
    { ...ask, calendar: calendarOf(ask.membership, ask.deps.clock) },
    found.monitoredMetric,
    table,
  )
}

/** `/api/insights/{id}/targets`: those of the first figure of an insight. */
export const insightTargets = new Hono<AppEnv>()
  .get('/:id/targets', may('view:insight'), async (c) => c.json(await getTargets(contextOf(c), insightSubject(c)), 200))
  .put('/:id/targets', may('edit:target'), jsonBody(saveTargetsSchema), async (c) =>
    c.json(await saveTargets(contextOf(c), insightSubject(c), c.req.valid('json')), 200),
  )
  .get('/:id/progress', may('view:insight'), async (c) =>
    c.json({ progress: await targetProgress(c, insightSubject(c)) }, 200),
  )

/** `/api/metrics/{id}/targets` */
export const metricTargets = new Hono<AppEnv>()
  .get('/:id/targets', may('view:insight'), async (c) => c.json(await getTargets(contextOf(c), metricSubject(c)), 200))
  .put('/:id/targets', may('edit:target'), jsonBody(saveTargetsSchema), async (c) =>
    c.json(await saveTargets(contextOf(c), metricSubject(c), c.req.valid('json')), 200),
  )
  .get('/:id/progress', may('view:insight'), async (c) =>
    c.json({ progress: await targetProgress(c, metricSubject(c)) }, 200),
  )
