import { Hono } from 'hono'
import { createRelation, listRelations, removeRelation, updateRelation } from './service'
import { asking } from '../../http/asking'
import { scopeOf } from '../../http/context'
import type { AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { body, pathId, query } from '../../http/validate'
import {
  createRelationSchema,
  listRelationsSchema,
  removeRelationSchema,
  updateRelationSchema,
} from '../../shared/relations'

export const relations = new Hono<AppEnv>()
  .get('/', may('view:source'), query(listRelationsSchema), async (c) =>
    c.json(await listRelations(c.get('deps'), scopeOf(c), c.req.valid('query')), 200),
  )
  .post('/', may('edit:source'), body(createRelationSchema), async (c) => {
    const made = { ...asking(c, 201), input: c.req.valid('json') }
    return c.json(await createRelation(c.get('deps'), made), 201)
  })
  .put('/:id', may('edit:source'), body(updateRelationSchema), async (c) => {
    const change = { ...asking(c, 200), id: pathId('relation', c.req.param('id')), input: c.req.valid('json') }
    return c.json(await updateRelation(c.get('deps'), change), 200)
  })
  .delete('/:id', may('edit:source'), query(removeRelationSchema), async (c) => {
    const { version, force } = c.req.valid('query')
    const ask = { ...asking(c, 200), id: pathId('relation', c.req.param('id')), version, force: force === '1' }
    return c.json(await removeRelation(c.get('deps'), ask), 200)
  })
