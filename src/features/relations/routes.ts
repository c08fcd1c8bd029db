import { Hono } from 'hono'
import { createRelation, listRelations, removeRelation, updateRelation } from './service'
import { writeContext } from '../../http/idempotency'
import { scopeOf, type AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { jsonBody, pathId, queryString } from '../../http/validate'
import {
  createRelationSchema,
  listRelationsSchema,
  removeRelationSchema,
  updateRelationSchema,
} from '../../shared/relations'

const relations = new Hono<AppEnv>()
  .get('/', may('view:source'), queryString(listRelationsSchema), async (c) =>
    c.json(await listRelations(c.get('deps'), scopeOf(c), c.req.valid('query')), 200),
  )
  .post('/', may('edit:source'), jsonBody(createRelationSchema), async (c) => {
    const command = { ...writeContext(c, 201), input: c.req.valid('json') }
    return c.json(await createRelation(c.get('deps'), command), 201)
  })
  .put('/:id', may('edit:source'), jsonBody(updateRelationSchema), async (c) => {
    const change = { ...writeContext(c, 200), id: pathId('relation', c.req.param('id')), input: c.req.valid('json') }
    return c.json(await updateRelation(c.get('deps'), change), 200)
  })
  .delete('/:id', may('edit:source'), queryString(removeRelationSchema), async (c) => {
    const { version, force } = c.req.valid('query')
    const command = {
      ...writeContext(c, 200),
      id: pathId('relation', c.req.param('id')),
      version,
      force: force === '1',
    }
    return c.json(await removeRelation(c.get('deps'), command), 200)
  })

export const relationRoutes = new Hono<AppEnv>().route('/api/relations', relations)
