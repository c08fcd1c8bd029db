import { Hono } from 'hono'
import { getTargets, saveTargets, subjectOf } from './service'
import type { Ask } from './service'
import { calendarOf } from '../../access/calendar'
import { progress } from '../../access/target-progress'
import { asking } from '../../http/asking'
import { actorOf, membershipOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { body, pathId } from '../../http/validate'
import { saveTargetsSchema } from '../../shared/targets'
import type { TargetProgress } from '../../shared/targets'
import type { Subject } from '../../shared/tracked'

const askOf = (c: AppContext): Ask => ({
  ...asking(c, 200),
  deps: c.get('deps'),
  actor: actorOf(c),
  membership: membershipOf(c),
})
const insightOf = (c: AppContext): Subject => ({
  kind: 'insight',
  id: pathId('insight', c.req.param('id') ?? ''),
  measure: 0,
})
const metricOf = (c: AppContext): Subject => ({ kind: 'metric', id: pathId('metric', c.req.param('id') ?? '') })

/** Nothing to tell of a figure that has no date or no targets. */
async function progressOf(c: AppContext, subject: Subject): Promise<TargetProgress | null> {
  const ask = askOf(c)
  const found = await subjectOf(ask, subject)
  const table = await getTargets(ask, subject)
  if (!found.ok || table.lines.length === 0) return null
  return progress({ ...ask, calendar: calendarOf(ask.membership, ask.deps.clock) }, found.tracked, table)
}

/** `/api/insights/{id}/targets`: those of the first figure of an insight. */
export const targetsOfInsight = new Hono<AppEnv>()
  .get('/:id/targets', may('view:insight'), async (c) => c.json(await getTargets(askOf(c), insightOf(c)), 200))
  .put('/:id/targets', may('edit:target'), body(saveTargetsSchema), async (c) =>
    c.json(await saveTargets(askOf(c), insightOf(c), c.req.valid('json')), 200),
  )
  .get('/:id/progress', may('view:insight'), async (c) => c.json({ progress: await progressOf(c, insightOf(c)) }, 200))

/** `/api/metrics/{id}/targets` */
export const targetsOfMetric = new Hono<AppEnv>()
  .get('/:id/targets', may('view:insight'), async (c) => c.json(await getTargets(askOf(c), metricOf(c)), 200))
  .put('/:id/targets', may('edit:target'), body(saveTargetsSchema), async (c) =>
    c.json(await saveTargets(askOf(c), metricOf(c), c.req.valid('json')), 200),
  )
  .get('/:id/progress', may('view:insight'), async (c) => c.json({ progress: await progressOf(c, metricOf(c)) }, 200))
