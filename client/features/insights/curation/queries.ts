import { itemsQuery } from '../../../lib/queries/query-options'
import type {
  Category,
  CreateCategoryInput,
  InsightSettings,
  InsightVersion,
  UpdateCategoryInput,
  Insight,
} from '../../../../src/shared/insights'
import { readJson, api, withIdempotencyKey } from '../../../lib/api'
import { queryClient } from '../../../lib/queries/query-client'
import { insightQuery } from '../../../lib/queries/insight-queries'

/** What an insight was each time it was saved, the newest first. */
export const versionsQuery = (id: string) =>
  itemsQuery<InsightVersion>(['insights', 'versions', id], (options) =>
    api.api.insights[':id'].versions.$get({ param: { id } }, options),
  )

const invalidateInsights = () => queryClient.invalidateQueries({ queryKey: ['insights'] })

/** The page shows what was answered at once; lists ask again. */
async function storeReturnedInsight(answered: Promise<Insight>): Promise<Insight> {
  const insight = await answered
  queryClient.setQueryData(insightQuery(insight.id).queryKey, insight)
  await invalidateInsights()
  return insight
}
const idParam = (id: string) => ({ param: { id } })

export const verifyInsight = ({ id, version }: Insight): Promise<Insight> =>
  storeReturnedInsight(
    readJson<Insight>(
      api.api.insights[':id'].verify.$post({ ...idParam(id), json: { version } }, withIdempotencyKey()),
    ),
  )
export const unverifyInsight = ({ id }: Insight): Promise<Insight> =>
  storeReturnedInsight(readJson<Insight>(api.api.insights[':id'].verify.$delete(idParam(id), withIdempotencyKey())))
export const followInsight = ({ id }: Insight): Promise<Insight> =>
  storeReturnedInsight(readJson<Insight>(api.api.insights[':id'].follow.$post(idParam(id), withIdempotencyKey())))
export const unfollowInsight = ({ id }: Insight): Promise<Insight> =>
  storeReturnedInsight(readJson<Insight>(api.api.insights[':id'].follow.$delete(idParam(id), withIdempotencyKey())))
export const duplicateInsight = ({ id }: Insight): Promise<Insight> =>
  storeReturnedInsight(readJson<Insight>(api.api.insights[':id'].duplicate.$post(idParam(id), withIdempotencyKey())))
export const updateInsightSettings = (id: string, json: InsightSettings): Promise<Insight> =>
  storeReturnedInsight(
    readJson<Insight>(api.api.insights[':id'].settings.$put({ ...idParam(id), json }, withIdempotencyKey())),
  )
export const restoreVersion = ({ id, version: now }: Insight, version: number): Promise<Insight> => {
  const param = { id, version: String(version) }
  const call = api.api.insights[':id'].versions[':version'].restore.$post(
    { param, json: { version: now } },
    withIdempotencyKey(),
  )
  return storeReturnedInsight(readJson<Insight>(call))
}

async function thenInvalidateInsights<T>(answered: Promise<T>): Promise<T> {
  const result = await answered
  await invalidateInsights()
  return result
}
export const createCategory = (json: CreateCategoryInput): Promise<Category> =>
  thenInvalidateInsights(readJson<Category>(api.api.categories.$post({ json }, withIdempotencyKey())))
export const updateCategory = (id: string, json: UpdateCategoryInput): Promise<Category> =>
  thenInvalidateInsights(
    readJson<Category>(api.api.categories[':id'].$put({ param: { id }, json }, withIdempotencyKey())),
  )
export const orderCategories = (ids: string[]): Promise<{ ids: string[] }> =>
  thenInvalidateInsights(readJson<{ ids: string[] }>(api.api.categories.$put({ json: { ids } }, withIdempotencyKey())))
export const deleteCategory = (category: Category, replacement: string | null): Promise<Category> => {
  const query = { version: String(category.version), replacement: replacement ?? undefined }
  return thenInvalidateInsights(
    readJson<Category>(api.api.categories[':id'].$delete({ param: { id: category.id }, query }, withIdempotencyKey())),
  )
}
