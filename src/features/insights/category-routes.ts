import { Hono } from 'hono'
import { createCategory, deleteCategory, listCategories, orderCategories, updateCategory } from './category-service'
import { contextOf } from '../../http/request-context'
import type { AppContext, AppEnv } from '../../http/context'
import { may } from '../../http/guard'
import { jsonBody, pathId, queryString } from '../../http/validate'
import {
  createCategorySchema,
  deleteCategorySchema,
  orderCategoriesSchema,
  updateCategorySchema,
} from '../../shared/insights'

const idOf = (c: AppContext): string => pathId('category', c.req.param('id') ?? '')

/** Where insights are put together: at most fifty, in an order that everybody sees. */
export const categories = new Hono<AppEnv>()
  .get('/', may('view:insight'), async (c) =>
    c.json({ items: await listCategories(contextOf(c)), nextCursor: null }, 200),
  )
  .post('/', may('edit:insight'), jsonBody(createCategorySchema), async (c) =>
    c.json(await createCategory(contextOf(c, 201), c.req.valid('json')), 201),
  )
  .put('/', may('edit:insight'), jsonBody(orderCategoriesSchema), async (c) =>
    c.json(await orderCategories(contextOf(c), c.req.valid('json')), 200),
  )
  .put('/:id', may('edit:insight'), jsonBody(updateCategorySchema), async (c) =>
    c.json(await updateCategory(contextOf(c), { id: idOf(c), input: c.req.valid('json') }), 200),
  )
  .delete('/:id', may('edit:insight'), queryString(deleteCategorySchema), async (c) =>
    c.json(await deleteCategory(contextOf(c), { id: idOf(c), ...c.req.valid('query') }), 200),
  )
