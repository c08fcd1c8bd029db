import type { z } from 'zod'
import { blockSubscriptionStore } from './store'
import { readReport } from '../service'
import { blocksInSight } from '../visible-content'
import { auditEntryFactory, commit } from '../../../db/commit'
import type { ReadContext } from '../../../deps'
import type { RequestContext } from '../../../http/request-context'
import { assertProvenEmail } from '../../../identity/email-proof'
import { ProductError } from '../../../shared/errors'
import {
  BLOCK_SUBSCRIPTIONS_MAX,
  isSubscribable,
  type BlockSubscription,
  type saveBlockSubscriptionSchema,
} from '../../../shared/reports/block-subscriptions'
import { blocksOf } from '../../../shared/reports/report-items'

const auditOf = auditEntryFactory('blockSubscription')

/** One's own, by report. */
export const listBlockSubscriptions = ({ deps, scope }: ReadContext): Promise<BlockSubscription[]> =>
  blockSubscriptionStore(deps.db, scope).list()

/**
 * Hears of a block from its next slot on, or no more. Whoever sees the block no longer can still end it.
 * @throws ProductError `not_found`; `forbidden` without a proven address; `limit_reached`
 */
export async function saveBlockSubscription(
  context: RequestContext,
  { report: id, input: { block, cadence } }: { report: string; input: z.output<typeof saveBlockSubscriptionSchema> },
): Promise<{ items: BlockSubscription[]; nextCursor: null }> {
  const { deps, scope, actor } = context
  const store = blockSubscriptionStore(deps.db, scope)
  const report = await readReport(context, id)
  const { name } = report
  if (cadence === 'off') {
    await commit(deps, {
      change: [store.remove(id, block)],
      audit: [auditOf(context, { action: 'blockSubscription.remove', id, before: { id, name } })],
    })
    return { items: await store.list(), nextCursor: null }
  }
  assertProvenEmail(actor)
  const shown = report.published && blocksOf(report.published).find((one) => one.id === block)
  const inSight = report.published ? await blocksInSight(context, report.published) : new Set()
  if (!shown || !isSubscribable(shown) || !inSight.has(block)) throw new ProductError('not_found')
  const subscription = { id: deps.ids.next('subscription'), report: id, block, cadence }
  await commit(deps, {
    change: [store.save(subscription, deps.clock.now())],
    audit: [auditOf(context, { action: 'blockSubscription.save', id, after: { id, name } })],
    expect: { onMissed: limitReached },
  })
  return { items: await store.list(), nextCursor: null }
}

const limitReached = (): ProductError =>
  new ProductError(
    'limit_reached',
    { limit: 'subscriptions', used: BLOCK_SUBSCRIPTIONS_MAX, max: BLOCK_SUBSCRIPTIONS_MAX },
    `You have up to ${BLOCK_SUBSCRIPTIONS_MAX} subscriptions. End one that is not needed.`,
  )
