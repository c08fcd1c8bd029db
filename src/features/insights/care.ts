import { careStore } from './care-store'
import { questionHash } from './model/question-hash'
import { copyName } from './model/copy-name'
import { auditOf, createInsight, frozenInsight, getInsight, readingOf } from './service'
import type { Ask } from './service'
import { insightStore } from './store'
import { readDefinitions } from '../../access/metric-definitions'
import { commit } from '../../db/commit'
import { ProductError } from '../../shared/errors'
import type { InsightSettings } from '../../shared/insight-care'
import type { Insight } from '../../shared/insights'

/**
 * Vouches for the figures of the version that was looked at.
 * @throws ProductError `version_conflict` with the stored insight as `current`
 */
export async function verifyInsight(ask: Ask, at: { id: string; version: number }): Promise<Insight> {
  const { deps, actor } = ask
  const before = await getInsight(ask, at.id)
  const now = deps.clock.now()
  const hash = questionHash(before.plan, await readDefinitions(deps, ask.scope, before.plan.measures))
  const verified = { by: actor.userId, byName: actor.name, at: new Date(now).toISOString() }
  const next: Insight = { ...before, version: at.version, verified }
  await commit(deps, {
    change: [careStore(deps.db, readingOf(ask)).verify(at.id, { version: at.version, hash, now })],
    audit: [auditOf(ask, { action: 'insight.verify', id: at.id, after: next })],
    reply: ask.reply(next),
    expect: { onMissed: async () => new ProductError('version_conflict', { current: await getInsight(ask, at.id) }) },
  })
  return next
}

export async function unverifyInsight(ask: Ask, id: string): Promise<Insight> {
  const { deps } = ask
  const before = await getInsight(ask, id)
  const next: Insight = { ...before, verified: null }
  await commit(deps, {
    change: [careStore(deps.db, readingOf(ask)).unverify(id)],
    audit: [auditOf(ask, { action: 'insight.unverify', id, before })],
    reply: ask.reply(next),
    expect: { onMissed: () => new ProductError('not_found') },
  })
  return next
}

/** From now on the person hears of it: in the digest, and of what is found in it. */
export async function followInsight(ask: Ask, id: string): Promise<Insight> {
  const { deps } = ask
  const next: Insight = { ...(await getInsight(ask, id)), following: true }
  await commit(deps, {
    change: [careStore(deps.db, readingOf(ask)).follow(id, deps.clock.now())],
    audit: [auditOf(ask, { action: 'insight.follow', id })],
    reply: ask.reply(next),
    expect: { onMissed: () => new ProductError('not_found') },
  })
  return next
}

export async function unfollowInsight(ask: Ask, id: string): Promise<Insight> {
  const { deps } = ask
  const before = await getInsight(ask, id)
  const next: Insight = { ...before, following: false }
  if (!before.following) return next
  await commit(deps, {
    change: [careStore(deps.db, readingOf(ask)).unfollow(id)],
    audit: [auditOf(ask, { action: 'insight.unfollow', id })],
    reply: ask.reply(next),
  })
  return next
}

/**
 * Puts an insight into a category, and says whether it is searched for findings. The last one to say so holds: no version
 * is asked for, and none is made.
 * @throws ProductError `invalid_input` for a category that is gone, `read_only` when the insight is frozen
 */
export async function setInsight(ask: Ask, change: { id: string; input: InsightSettings }): Promise<Insight> {
  const { deps } = ask
  const { id, input } = change
  const before = await getInsight(ask, id)
  const next: Insight = { ...before, ...input }
  await commit(deps, {
    change: [careStore(deps.db, readingOf(ask)).set(id, input)],
    audit: [auditOf(ask, { action: 'insight.settings', id, before, after: next })],
    reply: ask.reply(next),
    expect: { onMissed: async () => settingsMissed(await getInsight(ask, id)) },
  })
  return next
}

const settingsMissed = ({ frozen }: Insight): ProductError =>
  frozen
    ? frozenInsight()
    : new ProductError('invalid_input', { fields: { categoryId: 'That category is gone. Pick another.' } })

/**
 * The same question under another name, as an insight of the person's own.
 * @throws ProductError `limit_reached`, `unknown_field` when what it reads is gone
 */
export async function duplicateInsight(ask: Ask, id: string): Promise<Insight> {
  const { name, description, plan, viz, categoryId, findings } = await getInsight(ask, id)
  const { names } = await insightStore(ask.deps.db, readingOf(ask)).taken()
  const input = { name: copyName(name, names), description, plan, viz }
  return createInsight(ask, input, { origin: 'person', settings: { categoryId, findings } })
}
