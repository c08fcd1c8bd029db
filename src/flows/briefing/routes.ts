import { Hono } from 'hono'
import { markStory, noteVisit, readBriefing } from './read-briefing'
import { membershipOf, type AppEnv } from '../../http/context'
import { may, needs, requireWritable } from '../../http/guard'
import { contextOf } from '../../http/request-context'
import { jsonBody, pathId, queryString } from '../../http/validate'
import { withCalendar } from '../../semantic/calendar'
import { briefingQuerySchema, markStorySchema } from '../../shared/briefing/briefing'

/** What changed since the asker's last visit. What they mark is their own. */
const briefing = new Hono<AppEnv>()
  .get('/', may('view:insight'), needs('aiAssistant'), queryString(briefingQuerySchema), async (c) => {
    const { role, entitlements } = membershipOf(c)
    const reader = { ...withCalendar(contextOf(c)), role, entitlements }
    const since = await noteVisit(reader)
    return c.json(await readBriefing(reader, { query: c.req.valid('query'), since }), 200)
  })
  .put('/:id', may('view:insight'), needs('aiAssistant'), jsonBody(markStorySchema), async (c) => {
    requireWritable(c)
    const findingId = pathId('finding', c.req.param('id'))
    return c.json(await markStory(contextOf(c), { findingId, input: c.req.valid('json') }), 200)
  })

export const briefingRoutes = new Hono<AppEnv>().route('/api/pilot/briefing', briefing)
