import { z } from 'zod'
import { localIdSchema, type BlockKind } from './blocks'
import type { ReportKind } from './report-kinds'

/** How often a member hears of the figure of a block; `data`: when its data changed, at most once a day. */
export const SUBSCRIPTION_CADENCES = ['daily', 'weekly', 'data'] as const
export type SubscriptionCadence = (typeof SUBSCRIPTION_CADENCES)[number]
/** Subscriptions that a member has in a workspace at most. */
export const BLOCK_SUBSCRIPTIONS_MAX = 50

const FIGURES_OF_THEIR_OWN: readonly BlockKind[] = ['kpis', 'insight', 'metric', 'forecast', 'observation']
/** Blocks that a mail can tell in a few lines. */
export const isSubscribable = ({ kind }: { kind: BlockKind }): boolean => FIGURES_OF_THEIR_OWN.includes(kind)

/** `PUT /api/reports/{id}/subscriptions`: one's own. */
export const saveBlockSubscriptionSchema = z.strictObject({
  block: localIdSchema,
  cadence: z.enum([...SUBSCRIPTION_CADENCES, 'off']),
})
export type SaveBlockSubscriptionInput = z.input<typeof saveBlockSubscriptionSchema>
/** `GET /api/block-subscriptions`: one's own, by report. */
export interface BlockSubscription {
  reportId: string
  report: string
  kind: ReportKind
  block: string
  cadence: SubscriptionCadence
}
