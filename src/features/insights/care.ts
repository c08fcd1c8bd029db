import { curationStore } from './care-store'
import { verificationHash } from './model/question-hash'
import { copyName } from './model/copy-name'
import { auditOf, createInsight, insightOverLimit, getInsight, storeContextOf } from './service'
import type { RequestContext } from './service'
import { insightStore } from './store'
import { readMetricDefinitions } from '../../access/metric-definitions'
import { commit } from '../../db/commit'
import { ProductError } from '../../shared/errors'
import type { InsightSettings } from '../../shared/insight-care'
import type { Insight } from '../../shared/insights'

/**
 * Vouches for the figures of the version that was looked at.
 * @throws ProductError `version_conflict` with the stored insight as `current`
 */
export async function verifyInsight(context: RequestContext, at: { id: string; version: number }): Promise<Insight> {
  const { deps, actor } = context
  const before = await getInsight(context, at.id)
  const now = deps.clock.now()
  const hash = verificationHash(before.plan, await readMetricDefinitions(deps, context.scope, before.plan.measures))
  const verified = { by: actor.userId, byName: actor.name, at: new Date(now).toISOString() }
  const next: Insight = { ...before, version: at.version, verified }
  await commit(deps, {
    change: [curationStore(deps.db, storeContextOf(context)).verify(at.id, { version: at.version, hash, now })],
    audit: [auditOf(context, { action: 'insight.verify', id: at.id, after: next })],
    reply: context.reply(next),
    expect: {
      onMissed: async () => new ProductError('version_conflict', { current: await getInsight(context, at.id) }),
    },
  })
  return next
}

export async function unverifyInsight(context: RequestContext, id: string): Promise<Insight> {
  const { deps } = context
  const before = await getInsight(context, id)
  const next: Insight = { ...before, verified: null }
  await commit(deps, {
    change: [curationStore(deps.db, storeContextOf(context)).unverify(id)],
    audit: [auditOf(context, { action: 'insight.unverify', id, before })],
    reply: context.reply(next),
    expect: { onMissed: () => new ProductError('not_found') },
  })
  return next
}

/** From now on the person hears of it: in the digest, and of what is found in it. */
export async function followInsight(context: RequestContext, id: string): Promise<Insight> {
  const { deps } = context
  const next: Insight = { ...(await getInsight(context, id)), following: true }
  await commit(deps, {
    change: [curationStore(deps.db, storeContextOf(context)).follow(id, deps.clock.now())],
    audit: [auditOf(context, { action: 'insight.follow', id })],
    reply: context.reply(next),
    expect: { onMissed: () => new ProductError('not_found') },
  })
  return next
}

export async function unfollowInsight(context: RequestContext, id: string): Promise<Insight> {
  const { deps } = context
  const before = await getInsight(context, id)
  const next: Insight = { ...before, following: false }
  if (!before.following) return next
  await commit(deps, {
    change: [curationStore(deps.db, storeContextOf(context)).unfollow(id)],
    audit: [auditOf(context, { action: 'insight.unfollow', id })],
    reply: context.reply(next),
  })
  return next
}

/**
 * Puts an insight into a category, and says whether it is searched for findings. The last one to say so holds: no version
 * is asked for, and none is made.
 * @throws ProductError `invalid_input` for a category that is gone, `read_only` when the insight is frozen
 */
export async function updateInsightSettings(
  context: RequestContext,
  change: { id: string; input: InsightSettings },
): Promise<Insight> {
  const { deps } = context
  const { id, input } = change
  const before = await getInsight(context, id)
  const next: Insight = { ...before, ...input }
  await commit(deps, {
    change: [curationStore(deps.db, storeContextOf(context)).updateSettings(id, input)],
    audit: [auditOf(context, { action: 'insight.settings', id, before, after: next })],
    reply: context.reply(next),
    expect: { onMissed: async () => settingsConflict(await getInsight(context, id)) },
  })
  return next
}

const settingsConflict = ({ frozen }: Insight): ProductError =>
  frozen
    ? insightOverLimit()
    : new ProductError('invalid_input', { fields: { categoryId: 'That category is gone. Pick another.' } })

/**
 * The same question under another name, as an insight of the person's own.
 * @throws ProductError `limit_reached`, `unknown_field` when what it reads is gone
 */
export async function duplicateInsight(context: RequestContext, id: string): Promise<Insight> {
  const { name, description, plan, viz, categoryId, findings } = await getInsight(context, id)
  const { names } = await insightStore(context.deps.db, storeContextOf(context)).takenNames()
  const input = { name: copyName(name, names), description, plan, viz }
  return createInsight(context, input, { origin: 'person', settings: { categoryId, findings } })
}
