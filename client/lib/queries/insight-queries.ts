import { api } from '../api'
import { itemsQuery, jsonQuery } from './query-options'
import type { Category, Insight } from '../../../src/shared/insights'

export const insightQuery = (id: string) =>
  jsonQuery<Insight>(['insights', 'one', id], (options) => api.api.insights[':id'].$get({ param: { id } }, options))

export const categoriesQuery = () =>
  itemsQuery<Category>(['insights', 'categories'], (options) => api.api.categories.$get({}, options))
