import { Hono } from 'hono'
import { getTargets, saveTargets, resolveSubject } from './service'
import { withCalendar } from '../../semantic/calendar'
import { readTargetProgress } from '../../semantic/targets'
import { contextOf } from '../../http/request-context'
import type { AppContext, AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { jsonBody, pathId } from '../../http/validate'
import { saveTargetsSchema, type TargetProgress } from '../../shared/targets/targets'
import type { SubjectRef } from '../../shared/monitored-metric'

const insightSubject = (c: AppContext): SubjectRef => ({
  kind: 'insight',
  id: pathId('insight', c.req.param('id') ?? ''),
  measure: 0,
})
const metricSubject = (c: AppContext): SubjectRef => ({ kind: 'metric', id: pathId('metric', c.req.param('id') ?? '') })

/** Nothing to tell of a figure that has no date or no targets. */
async function targetProgress(c: AppContext, subjectRef: SubjectRef): Promise<TargetProgress | null> {
  const context = withCalendar(contextOf(c))
  const found = await resolveSubject(context, subjectRef)
  const table = await getTargets(context, subjectRef)
  if (!found.ok || table.lines.length === 0) return null
  return readTargetProgress(context, found.monitoredMetric, table)
}

/** The targets of one kind of figure: of an insight those of its first figure. */
const targetsOf = (subjectOf: (c: AppContext) => SubjectRef) =>
  new Hono<AppEnv>()
    .get('/:id/targets', may('view:insight'), async (c) => c.json(await getTargets(contextOf(c), subjectOf(c)), 200))
    .put('/:id/targets', may('edit:target'), jsonBody(saveTargetsSchema), async (c) =>
      c.json(await saveTargets(contextOf(c), subjectOf(c), c.req.valid('json')), 200),
    )
    .get('/:id/progress', may('view:insight'), async (c) =>
      c.json({ progress: await targetProgress(c, subjectOf(c)) }, 200),
    )

const insightTargets = targetsOf(insightSubject)
const metricTargets = targetsOf(metricSubject)

export const targetRoutes = new Hono<AppEnv>()
  .route('/api/insights', insightTargets)
  .route('/api/metrics', metricTargets)
