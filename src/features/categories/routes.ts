import { Hono } from 'hono'
import { createCategory, deleteCategory, listCategories, orderCategories, updateCategory } from './service'
import type { Ask } from './service'
import { asking } from '../../http/asking'
import type { AppContext, AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { body, pathId, query } from '../../http/validate'
import {
  createCategorySchema,
  deleteCategorySchema,
  orderCategoriesSchema,
  updateCategorySchema,
} from '../../shared/insight-care'

const askOf = (c: AppContext, status = 200): Ask => ({ ...asking(c, status), deps: c.get('deps') })
const idOf = (c: AppContext): string => pathId('category', c.req.param('id') ?? '')

/** Where insights are put together: at most fifty, in an order that everybody sees. */
export const categories = new Hono<AppEnv>()
  .get('/', may('view:insight'), async (c) => c.json({ items: await listCategories(askOf(c)), nextCursor: null }, 200))
  .post('/', may('edit:insight'), body(createCategorySchema), async (c) =>
    c.json(await createCategory(askOf(c, 201), c.req.valid('json')), 201),
  )
  .put('/', may('edit:insight'), body(orderCategoriesSchema), async (c) =>
    c.json(await orderCategories(askOf(c), c.req.valid('json')), 200),
  )
  .put('/:id', may('edit:insight'), body(updateCategorySchema), async (c) =>
    c.json(await updateCategory(askOf(c), { id: idOf(c), input: c.req.valid('json') }), 200),
  )
  .delete('/:id', may('edit:insight'), query(deleteCategorySchema), async (c) =>
    c.json(await deleteCategory(askOf(c), { id: idOf(c), ...c.req.valid('query') }), 200),
  )
