import { Hono } from 'hono'
import { createNote, deleteNote, listNotes, updateNote } from './service'
import type { Ask } from './service'
import { asking } from '../../http/asking'
import { actorOf, membershipOf } from '../../http/context'
import type { AppContext, AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { takeTries } from '../../http/rate-limit'
import { body, pathId, query } from '../../http/validate'
import { createNoteSchema, deleteNoteSchema, updateNoteSchema } from '../../shared/notes'

const askOf = (c: AppContext, status = 200): Ask => ({
  ...asking(c, status),
  deps: c.get('deps'),
  actor: actorOf(c),
  membership: membershipOf(c),
})
const idOf = (c: AppContext): string => pathId('note', c.req.param('id') ?? '')
/** Each may send mails to those it names. */
const paced = (c: AppContext) => takeTries(c, [{ rate: 'writeNote', of: actorOf(c).userId }])

/** `/api/insights/:id/notes`: notes on the chart and comments. */
export const insightNotes = new Hono<AppEnv>()
  .get('/:id/notes', may('view:insight'), async (c) => {
    const items = await listNotes(askOf(c), pathId('insight', c.req.param('id')))
    return c.json({ items, nextCursor: null }, 200)
  })
  .post('/:id/notes', may('create:comment'), body(createNoteSchema), async (c) => {
    await paced(c)
    const insightId = pathId('insight', c.req.param('id'))
    return c.json(await createNote(askOf(c, 201), { insightId, input: c.req.valid('json') }), 201)
  })

/** `/api/notes`: one of them. Whose it is decides the call itself. */
export const notes = new Hono<AppEnv>()
  .put('/:id', may('create:comment'), body(updateNoteSchema), async (c) => {
    await paced(c)
    return c.json(await updateNote(askOf(c), { id: idOf(c), input: c.req.valid('json') }), 200)
  })
  .delete('/:id', may('create:comment'), query(deleteNoteSchema), async (c) =>
    c.json(await deleteNote(askOf(c), { id: idOf(c), ...c.req.valid('query') }), 200),
  )
