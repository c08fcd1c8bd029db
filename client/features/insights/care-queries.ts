import { queryOptions } from '@tanstack/react-query'
import type {
  Category,
  CreateCategoryInput,
  InsightSettings,
  InsightVersion,
  UpdateCategoryInput,
} from '../../../src/shared/insight-care'
import type { Insight } from '../../../src/shared/insights'
import type { Page } from '../../../src/shared/names'
import { answer, api, idempotencyKey } from '../../lib/api'
import { queryClient } from '../../lib/query-client'
import { insightQuery } from './queries'

export const categoriesQuery = () =>
  queryOptions({
    queryKey: ['insights', 'categories'],
    queryFn: async ({ signal }) =>
      (await answer<Page<Category>>(api.api.categories.$get({}, { init: { signal } }))).items,
  })

/** What an insight was each time it was saved, the newest first. */
export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['insights', 'versions', id],
    queryFn: async ({ signal }) =>
      (
        await answer<Page<InsightVersion>>(
          api.api.insights[':id'].versions.$get({ param: { id } }, { init: { signal } }),
        )
      ).items,
  })

const once = () => ({ headers: { 'idempotency-key': idempotencyKey() } })
const insightsChanged = () => queryClient.invalidateQueries({ queryKey: ['insights'] })

/** The page shows what was answered at once; lists ask again. */
async function taken(answered: Promise<Insight>): Promise<Insight> {
  const insight = await answered
  queryClient.setQueryData(insightQuery(insight.id).queryKey, insight)
  await insightsChanged()
  return insight
}
const of = (id: string) => ({ param: { id } })

export const verifyInsight = ({ id, version }: Insight): Promise<Insight> =>
  taken(answer<Insight>(api.api.insights[':id'].verify.$post({ ...of(id), json: { version } }, once())))
export const unverifyInsight = ({ id }: Insight): Promise<Insight> =>
  taken(answer<Insight>(api.api.insights[':id'].verify.$delete(of(id), once())))
export const followInsight = ({ id }: Insight): Promise<Insight> =>
  taken(answer<Insight>(api.api.insights[':id'].follow.$post(of(id), once())))
export const unfollowInsight = ({ id }: Insight): Promise<Insight> =>
  taken(answer<Insight>(api.api.insights[':id'].follow.$delete(of(id), once())))
export const duplicateInsight = ({ id }: Insight): Promise<Insight> =>
  taken(answer<Insight>(api.api.insights[':id'].duplicate.$post(of(id), once())))
export const setInsight = (id: string, json: InsightSettings): Promise<Insight> =>
  taken(answer<Insight>(api.api.insights[':id'].settings.$put({ ...of(id), json }, once())))
export const restoreVersion = ({ id, version: now }: Insight, version: number): Promise<Insight> => {
  const param = { id, version: String(version) }
  const call = api.api.insights[':id'].versions[':version'].restore.$post({ param, json: { version: now } }, once())
  return taken(answer<Insight>(call))
}

async function changed<T>(answered: Promise<T>): Promise<T> {
  const result = await answered
  await insightsChanged()
  return result
}
export const createCategory = (json: CreateCategoryInput): Promise<Category> =>
  changed(answer<Category>(api.api.categories.$post({ json }, once())))
export const updateCategory = (id: string, json: UpdateCategoryInput): Promise<Category> =>
  changed(answer<Category>(api.api.categories[':id'].$put({ param: { id }, json }, once())))
export const orderCategories = (ids: string[]): Promise<{ ids: string[] }> =>
  changed(answer<{ ids: string[] }>(api.api.categories.$put({ json: { ids } }, once())))
export const deleteCategory = (category: Category, replacement: string | null): Promise<Category> => {
  const query = { version: String(category.version), ...(replacement === null ? {} : { replacement }) }
  return changed(answer<Category>(api.api.categories[':id'].$delete({ param: { id: category.id }, query }, once())))
}
