import { Hono } from 'hono'
import { answerPage } from './answer-page'
import { jsonLines } from './json-lines'
import { fillTemplate, NO_PARTS } from './model/templates'
import { previewObservation } from './observation-preview'
import { readTemplateParts } from './template-parts'
import { contentOf, createReport } from '../../features/reports/service'
import type { AppEnv } from '../../http/context'
import { refusalOf } from '../../http/errors'
import { may, needs } from '../../http/guard'
import { contextOf } from '../../http/request-context'
import { jsonBody, pathId } from '../../http/validate'
import { withCalendar } from '../../semantic/calendar'
import { createReportSchema } from '../../shared/reports/reports'
import { previewObservationSchema } from '../../shared/reports/observation-preview'
import { tilesSchema } from '../../shared/reports/tiles'

/** The figures of a report's page, for who reads it. A POST because filters are too long for an address; it changes nothing. */
const tiles = new Hono<AppEnv>().post('/:id/tiles', may('view:report'), jsonBody(tilesSchema), async (c) => {
  const context = withCalendar(contextOf(c))
  const request = c.req.valid('json')
  const content = await contentOf(context, { id: pathId('report', c.req.param('id')), of: request.of })
  const { reporter } = context.deps
  const call = { requestId: c.get('requestId'), path: c.req.path, reporter }
  const gone = new AbortController()
  const signal = AbortSignal.any([gone.signal, c.req.raw.signal])
  const refusal = (thrown: unknown) => refusalOf(thrown, call)
  const answers = answerPage({ ...context, refusal, signal }, content, request)
  return c.body(await jsonLines<unknown>(answers, { stop: () => gone.abort() }), 200, {
    'content-type': 'application/x-ndjson; charset=utf-8',
    'cache-control': 'private, no-store',
  })
})

/** What an observation would have said in the last periods, for whoever writes it; it changes nothing. */
const previews = new Hono<AppEnv>().post(
  '/:id/observation-preview',
  may('edit:report'),
  jsonBody(previewObservationSchema),
  async (c) => {
    const context = withCalendar(contextOf(c))
    const content = await contentOf(context, { id: pathId('report', c.req.param('id')), of: 'draft' })
    const call = { requestId: c.get('requestId'), path: c.req.path, reporter: context.deps.reporter }
    const refusal = (thrown: unknown) => refusalOf(thrown, call)
    const asked = { ...context, refusal, signal: c.req.raw.signal }
    return c.json({ items: await previewObservation(asked, content, c.req.valid('json').block), nextCursor: null }, 200)
  },
)

/** A report begins as its template, filled from what other features hold. */
const creation = new Hono<AppEnv>().post(
  '/',
  may('edit:report'),
  needs('reporting'),
  jsonBody(createReportSchema),
  async (c) => {
    const { kind, name, template } = c.req.valid('json')
    const context = withCalendar(contextOf(c, 201))
    const content = fillTemplate(template, template === 'blank' ? NO_PARTS : await readTemplateParts(context))
    return c.json(await createReport(context, { kind, name, content }), 201)
  },
)

export const reportFlowRoutes = new Hono<AppEnv>()
  .route('/api/reports', creation)
  .route('/api/reports', tiles)
  .route('/api/reports', previews)
