import { api } from '../api'
import { jsonQuery } from './query-options'
import type { Insight } from '../../../src/shared/insights'

export const insightQuery = (id: string) =>
  jsonQuery<Insight>(['insights', 'one', id], (options) => api.api.insights[':id'].$get({ param: { id } }, options))
