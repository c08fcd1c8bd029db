import { Hono } from 'hono'
import { addBookmark, listBookmarks, removeBookmark } from './bookmarks'
import { addPicture } from './pictures'
import { listPublications, publishReport, restorePublication } from './publishing'
import {
  archiveReport,
  convertReport,
  deleteReport,
  duplicateReport,
  getReport,
  listReports,
  restoreReport,
  updateReport,
} from './service'
import { actorOf, type AppContext, type AppEnv } from '../../http/context'
import { may, needs, requireWritable } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { contextOf } from '../../http/request-context'
import { jsonBody, noBody, pathId, queryString } from '../../http/validate'
import { ProductError } from '../../shared/errors'
import {
  archiveReportSchema,
  bookmarkSchema,
  deleteReportSchema,
  listReportsSchema,
  publishReportSchema,
  restorePublicationSchema,
  updateReportSchema,
} from '../../shared/reports/reports'

const idOf = (c: AppContext): string => pathId('report', c.req.param('id') ?? '')

/** A number of a publication from a path: what is none is unknown. */
function publicationParam(c: AppContext): number {
  const text = c.req.param('n') ?? ''
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new ProductError('not_found')
  return Number(text)
}

/** Pages of figures, charts and text. Analysts make them; readers see what was published. */
const reports = new Hono<AppEnv>()
  .get('/', may('view:report'), queryString(listReportsSchema), async (c) =>
    c.json(await listReports(contextOf(c), c.req.valid('query')), 200),
  )
  .get('/:id', may('view:report'), async (c) => c.json(await getReport(contextOf(c), idOf(c)), 200))
  .put('/:id', may('edit:report'), needs('reporting'), jsonBody(updateReportSchema), async (c) =>
    c.json(await updateReport(contextOf(c), { id: idOf(c), input: c.req.valid('json') }), 200),
  )
  .delete('/:id', may('edit:report'), queryString(deleteReportSchema), async (c) =>
    c.json(await deleteReport(contextOf(c), { id: idOf(c), ...c.req.valid('query') }), 200),
  )
  .post('/:id/restore', may('edit:report'), noBody(), async (c) =>
    c.json(await restoreReport(contextOf(c), idOf(c)), 200),
  )
  .post('/:id/publish', may('edit:report'), needs('reporting'), jsonBody(publishReportSchema), async (c) =>
    c.json(await publishReport(contextOf(c), { id: idOf(c), input: c.req.valid('json') }), 200),
  )
  .post('/:id/duplicate', may('edit:report'), needs('reporting'), noBody(), async (c) =>
    c.json(await duplicateReport(contextOf(c, 201), idOf(c)), 201),
  )
  .post('/:id/convert', may('edit:report'), needs('reporting'), noBody(), async (c) =>
    c.json(await convertReport(contextOf(c, 201), idOf(c)), 201),
  )
  .put('/:id/archive', may('edit:report'), jsonBody(archiveReportSchema), async (c) =>
    c.json(await archiveReport(contextOf(c), { id: idOf(c), input: c.req.valid('json') }), 200),
  )
  .get('/:id/publications', may('view:report'), async (c) =>
    c.json({ items: await listPublications(contextOf(c), idOf(c)), nextCursor: null }, 200),
  )
  .post(
    '/:id/publications/:n/restore',
    may('edit:report'),
    needs('reporting'),
    jsonBody(restorePublicationSchema),
    async (c) => {
      const at = { id: idOf(c), n: publicationParam(c), ...c.req.valid('json') }
      return c.json(await restorePublication(contextOf(c), at), 200)
    },
  )

/** Each reader's own: nobody else sees them. */
const bookmarks = new Hono<AppEnv>()
  .get('/:id/bookmarks', may('view:report'), async (c) =>
    c.json({ items: await listBookmarks(contextOf(c), idOf(c)), nextCursor: null }, 200),
  )
  .post('/:id/bookmarks', may('view:report'), jsonBody(bookmarkSchema), async (c) => {
    requireWritable(c)
    return c.json(await addBookmark(contextOf(c, 201), { report: idOf(c), input: c.req.valid('json') }), 201)
  })
  .delete('/:id/bookmarks/:bookmarkId', may('view:report'), noBody(), async (c) => {
    requireWritable(c)
    const id = pathId('bookmark', c.req.param('bookmarkId'))
    return c.json(await removeBookmark(contextOf(c), { report: idOf(c), id }), 200)
  })

/** `/files/reports`: pictures in reports. */
const files = new Hono<AppEnv>().post('/:id/pictures', may('edit:report'), needs('reporting'), async (c) => {
  await enforceRateLimits(c, [{ rate: 'changePicture', key: actorOf(c).userId }])
  return c.json(await addPicture(contextOf(c, 201), idOf(c), c.req.raw), 201)
})

export const reportRoutes = new Hono<AppEnv>()
  .route('/api/reports', reports)
  .route('/api/reports', bookmarks)
  .route('/files/reports', files)
