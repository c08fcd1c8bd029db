import { Hono } from 'hono'
import { reportDownload } from './report-download'
import { exportReport, filtersOf } from './export-report'
import { documentProblems, readDocument } from './report-document'
import {
  compareEditions,
  keepEdition,
  listEditions,
  openEdition,
  signEdition,
} from '../../features/reports/editions/service'
import { contentOf, readReport } from '../../features/reports/service'
import { actorOf, type AppContext, type AppEnv } from '../../http/context'
import { refusalOf } from '../../http/errors'
import { sendDownload } from '../../http/files/table-download'
import { may, needs, requireWritable } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { contextOf } from '../../http/request-context'
import { jsonBody, noBody, pathId, queryString } from '../../http/validate'
import { withCalendar } from '../../semantic/calendar'
import { ProductError } from '../../shared/errors'
import { roleMay } from '../../shared/permissions'
import { differencesSchema, editionFileSchema, publishEditionSchema } from '../../shared/reports/editions'
import { exportReportSchema } from '../../shared/reports/tiles'

/** A number of an edition from a path: what is none is unknown. */
function numberParam(c: AppContext): number {
  const text = c.req.param('n') ?? ''
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new ProductError('not_found')
  return Number(text)
}
const reportOf = (c: AppContext): string => pathId('report', c.req.param('id') ?? '')
const editionOf = (c: AppContext) => ({ report: reportOf(c), n: numberParam(c) })
/** What reading every page of a report takes. */
const documentContext = (c: AppContext, status?: 201) => {
  const context = withCalendar(contextOf(c, status))
  const call = { requestId: c.get('requestId'), path: c.req.path, reporter: context.deps.reporter }
  return { ...context, refusal: (thrown: unknown) => refusalOf(thrown, call), signal: c.req.raw.signal }
}

/** `/api/reports/:id/editions`: what was published with its figures, for good. */
const editions = new Hono<AppEnv>()
  .get('/:id/editions', may('view:report'), async (c) =>
    c.json({ items: await listEditions(contextOf(c), reportOf(c)), nextCursor: null }, 200),
  )
  .post('/:id/editions', may('edit:report'), needs('reporting'), jsonBody(publishEditionSchema), async (c) => {
    await enforceRateLimits(c, [{ rate: 'publishEdition', key: actorOf(c).userId }])
    const { publication, period, note, audience } = c.req.valid('json')
    const context = documentContext(c, 201)
    // To show figures that rules hide is for those who make the rules.
    if (audience === 'everyone' && !roleMay(context.membership.role, 'edit:access'))
      throw new ProductError('forbidden', { permission: 'edit:access' })
    const report = await readReport(context, reportOf(c))
    if (report.publication !== publication || !report.published) throw new ProductError('version_conflict', {})
    const content = await contentOf(context, { id: report.id, of: 'published' })
    const document = await readDocument(context, { report, content, period, filters: filtersOf(content), note })
    const problems = documentProblems(document)
    const [first] = problems
    if (first) throw new ProductError('invalid_input', { fields: { content: first.message }, problems })
    return c.json(await keepEdition(context, { report: report.id, publication, audience, note, document }), 201)
  })
  .get('/:id/editions/:n', may('view:report'), async (c) => c.json(await openEdition(contextOf(c), editionOf(c)), 200))
  .get('/:id/editions/:n/differences', may('view:report'), queryString(differencesSchema), async (c) => {
    const items = await compareEditions(contextOf(c), { ...editionOf(c), ...c.req.valid('query') })
    return c.json({ items, nextCursor: null }, 200)
  })
  .post('/:id/editions/:n/sign', may('view:report'), noBody(), async (c) => {
    requireWritable(c)
    return c.json(await signEdition(contextOf(c), editionOf(c)), 200)
  })
  .post('/:id/export', may('export:data'), jsonBody(exportReportSchema), async (c) => {
    await enforceRateLimits(c, [{ rate: 'exportAnswer', key: actorOf(c).userId }])
    return sendDownload(c, await exportReport(documentContext(c), reportOf(c), c.req.valid('json')))
  })

/** `/files/reports/:id/editions/:n`: an edition as a file. */
const editionFiles = new Hono<AppEnv>().get(
  '/:id/editions/:n',
  may('export:data'),
  queryString(editionFileSchema),
  async (c) => {
    await enforceRateLimits(c, [{ rate: 'exportAnswer', key: actorOf(c).userId }])
    const context = contextOf(c)
    const { document } = await openEdition(context, editionOf(c))
    return sendDownload(c, await reportDownload(context, document, c.req.valid('query')))
  },
)

export const reportEditionRoutes = new Hono<AppEnv>()
  .route('/api/reports', editions)
  .route('/files/reports', editionFiles)
