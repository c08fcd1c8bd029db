import { Hono } from 'hono'
import { createComment, deleteComment, listComments, resolveComments, updateComment } from './service'
import { actorOf, type AppContext, type AppEnv } from '../../../http/context'
import { may } from '../../../http/guard'
import { enforceRateLimits } from '../../../http/rate-limit'
import { contextOf } from '../../../http/request-context'
import { jsonBody, pathId, queryString } from '../../../http/validate'
import {
  createCommentSchema,
  deleteCommentSchema,
  resolveCommentsSchema,
  updateCommentSchema,
} from '../../../shared/reports/comments'

const reportOf = (c: AppContext): string => pathId('report', c.req.param('id') ?? '')
const idOf = (c: AppContext): string => pathId('comment', c.req.param('id') ?? '')
/** Each may send mails to those it names. */
const limitWrites = (c: AppContext) => enforceRateLimits(c, [{ rate: 'writeNote', key: actorOf(c).userId }])

/** `/api/reports/:id/comments`: what people say of its blocks. */
const reportComments = new Hono<AppEnv>()
  .get('/:id/comments', may('view:report'), async (c) => c.json(await listComments(contextOf(c), reportOf(c)), 200))
  .post('/:id/comments', may('create:comment'), jsonBody(createCommentSchema), async (c) => {
    await limitWrites(c)
    return c.json(await createComment(contextOf(c, 201), { report: reportOf(c), input: c.req.valid('json') }), 201)
  })
  .put('/:id/comments', may('create:comment'), jsonBody(resolveCommentsSchema), async (c) =>
    c.json(await resolveComments(contextOf(c), { report: reportOf(c), input: c.req.valid('json') }), 200),
  )

/** `/api/comments`: one of them. Whose it is decides the call itself. */
const comments = new Hono<AppEnv>()
  .put('/:id', may('create:comment'), jsonBody(updateCommentSchema), async (c) => {
    await limitWrites(c)
    return c.json(await updateComment(contextOf(c), { id: idOf(c), input: c.req.valid('json') }), 200)
  })
  .delete('/:id', may('create:comment'), queryString(deleteCommentSchema), async (c) =>
    c.json(await deleteComment(contextOf(c), { id: idOf(c), ...c.req.valid('query') }), 200),
  )

export const reportCommentRoutes = new Hono<AppEnv>()
  .route('/api/reports', reportComments)
  .route('/api/comments', comments)
