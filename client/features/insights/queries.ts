import { insightQuery } from '../../lib/queries/insight-queries'
import { pagesQuery } from '../../lib/queries/query-options'
import type { CreateInsightInput, Insight, UpdateInsightInput } from '../../../src/shared/insights'
import { readJson, api, withIdempotencyKey } from '../../lib/api'
import { queryClient } from '../../lib/queries/query-client'

const PAGE_SIZE = '24'

export const insightsQuery = (search: { q: string; deleted: boolean; category?: string | undefined }) =>
  pagesQuery<Insight>(['insights', 'list', search], (cursor, options) =>
    api.api.insights.$get(
      {
        query: {
          limit: PAGE_SIZE,
          deleted: search.deleted ? '1' : '0',
          q: search.q || undefined,
          category: search.category,
          cursor,
        },
      },
      options,
    ),
  )

const invalidateInsights = () => queryClient.invalidateQueries({ queryKey: ['insights'] })

export async function createInsight(json: CreateInsightInput): Promise<Insight> {
  const made = await readJson<Insight>(api.api.insights.$post({ json }, withIdempotencyKey()))
  queryClient.setQueryData(insightQuery(made.id).queryKey, made)
  await invalidateInsights()
  return made
}

export async function updateInsight(id: string, json: UpdateInsightInput): Promise<Insight> {
  const saved = await readJson<Insight>(api.api.insights[':id'].$put({ param: { id }, json }, withIdempotencyKey()))
  queryClient.setQueryData(insightQuery(id).queryKey, saved)
  await invalidateInsights()
  return saved
}

export async function deleteInsight({ id, version }: Pick<Insight, 'id' | 'version'>): Promise<void> {
  const query = { version: String(version) }
  await readJson<Insight>(api.api.insights[':id'].$delete({ param: { id }, query }, withIdempotencyKey()))
  // Its own screen stands until the list is there, and must not ask for what is gone.
  const { queryKey } = insightQuery(id)
  await queryClient.invalidateQueries({
    queryKey: ['insights'],
    predicate: ({ queryKey: key }) => key[1] !== queryKey[1] || key[2] !== queryKey[2],
  })
}

/** Insights of these pages that count against the plan: a person's own. */
export const countLimitedInsights = (
  pages: readonly { items: readonly Pick<Insight, 'origin'>[] }[] | undefined,
): number => (pages ?? []).reduce((sum, { items }) => sum + items.filter(({ origin }) => origin === 'person').length, 0)
