import { Hono } from 'hono'
import { createNote, deleteNote, listNotes, updateNote } from './service'
import { contextOf } from '../../http/request-context'
import { actorOf, type AppContext, type AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { jsonBody, pathId, queryString } from '../../http/validate'
import { createNoteSchema, deleteNoteSchema, updateNoteSchema } from '../../shared/notes'

const idOf = (c: AppContext): string => pathId('note', c.req.param('id') ?? '')
/** Each may send mails to those it names. */
const limitWrites = (c: AppContext) => enforceRateLimits(c, [{ rate: 'writeNote', key: actorOf(c).userId }])

/** `/api/insights/:id/notes`: notes on the chart and comments. */
const insightNotes = new Hono<AppEnv>()
  .get('/:id/notes', may('view:insight'), async (c) => {
    const items = await listNotes(contextOf(c), pathId('insight', c.req.param('id')))
    return c.json({ items, nextCursor: null }, 200)
  })
  .post('/:id/notes', may('create:comment'), jsonBody(createNoteSchema), async (c) => {
    await limitWrites(c)
    const insightId = pathId('insight', c.req.param('id'))
    return c.json(await createNote(contextOf(c, 201), { insightId, input: c.req.valid('json') }), 201)
  })

/** `/api/notes`: one of them. Whose it is decides the call itself. */
const notes = new Hono<AppEnv>()
  .put('/:id', may('create:comment'), jsonBody(updateNoteSchema), async (c) => {
    await limitWrites(c)
    return c.json(await updateNote(contextOf(c), { id: idOf(c), input: c.req.valid('json') }), 200)
  })
  .delete('/:id', may('create:comment'), queryString(deleteNoteSchema), async (c) =>
    c.json(await deleteNote(contextOf(c), { id: idOf(c), ...c.req.valid('query') }), 200),
  )

export const noteRoutes = new Hono<AppEnv>().route('/api/insights', insightNotes).route('/api/notes', notes)
