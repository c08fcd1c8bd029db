import { api, readJson, withIdempotencyKey } from '../../../lib/api'
import { itemsQuery } from '../../../lib/queries/query-options'
import { queryClient } from '../../../lib/queries/query-client'
import type { ListPage } from '../../../../src/shared/field-schemas'
import type { BlockSubscription, SaveBlockSubscriptionInput } from '../../../../src/shared/reports/block-subscriptions'

/** One's own, by report. */
export const blockSubscriptionsQuery = () =>
  itemsQuery<BlockSubscription>(['block-subscriptions'], (options) => api.api['block-subscriptions'].$get({}, options))

export async function saveBlockSubscription(report: string, json: SaveBlockSubscriptionInput): Promise<void> {
  const call = api.api.reports[':id'].subscriptions.$put({ param: { id: report }, json }, withIdempotencyKey())
  const { items } = await readJson<ListPage<BlockSubscription>>(call)
  const { queryKey } = blockSubscriptionsQuery()
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, items)
}
