import type { z } from 'zod'
import { careStore } from './care-store'
import { questionHash } from './model/question-hash'
import { insightStore, purgeInsights } from './store'
import type { Reading } from './store'
import type { Actor, Membership } from '../../access/actor'
import { frozen } from '../../access/frozen'
import { checkAgainstCatalogue } from '../../access/plan-check'
import { readDefinitions } from '../../access/metric-definitions'
import type { Scope } from '../../access/scope'
import { auditOfKind } from '../../db/audit-of'
import { commit } from '../../db/commit'
import type { StoredReply } from '../../db/commit'
import { orNameTaken } from '../../db/name-taken'
import type { Deps } from '../../deps'
import { positionOf } from '../../http/cursor'
import { ProductError } from '../../shared/errors'
import type { InsightSettings } from '../../shared/insight-care'
import type {
  createInsightSchema,
  Insight,
  ListInsightsQuery,
  Origin,
  updateInsightSchema,
} from '../../shared/insights'
import { dropStrayTargets } from '../../access/target-tables'
import { DELETED_KEPT_MS } from '../../shared/limits'
import type { Page } from '../../shared/names'

/** Who asks, for what, and how the answer is remembered. */
export interface Ask {
  deps: Deps
  scope: Scope
  actor: Pick<Actor, 'userId' | 'name'>
  membership: Pick<Membership, 'entitlements'>
  reply: (body: Insight) => StoredReply | null
}
/** What reading takes. */
type Looking = Pick<Ask, 'deps' | 'scope' | 'membership'>
export const readingOf = ({ scope, membership }: Pick<Ask, 'scope' | 'membership'>): Reading => ({
  scope,
  max: membership.entitlements.features.customInsights,
})

export async function listInsights(ask: Looking, wanted: ListInsightsQuery): Promise<Page<Insight>> {
  const { deps } = ask
  const { q, category, limit, cursor, deleted } = wanted
  const deletedSince = deleted === '1' ? deps.clock.now() - DELETED_KEPT_MS : null
  const after = positionOf(cursor, 'insight')
  return insightStore(deps.db, readingOf(ask)).list({ q, category, limit, after, deletedSince })
}

/** @throws ProductError `not_found` also for a deleted one */
export async function getInsight(ask: Looking, id: string): Promise<Insight> {
  const insight = await insightStore(ask.deps.db, readingOf(ask)).get(id)
  if (!insight || insight.deletedAt !== null) throw new ProductError('not_found')
  return insight
}

/** What an insight begins with beside its content. */
export interface Beginning {
  origin: Origin
  settings?: InsightSettings
}
const PLAIN: InsightSettings = { categoryId: null, findings: 'on' }

export async function createInsight(
  ask: Ask,
  input: z.output<typeof createInsightSchema>,
  { origin, settings = PLAIN }: Beginning = { origin: 'person' },
): Promise<Insight> {
  const { deps, actor } = ask
  const read = await checkAgainstCatalogue(deps, ask.scope, input.plan)
  const now = new Date(deps.clock.now()).toISOString()
  const id = deps.ids.next('insight')
  const owner = { ownerId: actor.userId, ownerName: actor.name }
  const born = { version: 1, createdAt: now, updatedAt: now, deletedAt: null }
  const aside = { ...settings, frozen: false, verified: null, following: false }
  const insight: Insight = { ...input, id, ...owner, origin, ...aside, ...born }
  const store = insightStore(deps.db, readingOf(ask))
  const kept = careStore(deps.db, readingOf(ask)).keep(id, null)
  await orNameTaken(
    'insights.workspace_id',
    commit(deps, {
      change: [store.insert(insight), ...store.fields(id, read.plan, read.along), ...kept],
      audit: [auditOf(ask, { action: 'insight.create', id, after: insight })],
      reply: ask.reply(insight),
      expect: { onMissed: () => limitReached(ask) },
    }),
  )
  return insight
}

/**
 * An insight of the sample company that is turned to a person's own data is theirs from then on, and counts. Nobody vouches
 * for another question than the one that was looked at. `restoredFrom`: the version that this brings back.
 * @throws ProductError `version_conflict` with the stored insight as `current`, `limit_reached`, `read_only` when it is frozen
 */
export async function updateInsight(
  ask: Ask,
  change: { id: string; input: z.output<typeof updateInsightSchema>; restoredFrom?: number },
): Promise<Insight> {
  const { deps } = ask
  const { id, input, restoredFrom = null } = change
  const before = await getInsight(ask, id)
  if (before.frozen) throw frozenInsight()
  if (before.version !== input.version) throw new ProductError('version_conflict', { current: before })
  const read = await checkAgainstCatalogue(deps, ask.scope, input.plan)
  const updatedAt = new Date(deps.clock.now()).toISOString()
  const store = insightStore(deps.db, readingOf(ask))
  const isTheirs = before.origin === 'sample' && !(await store.readsSampleOnly(read.plan))
  const origin = isTheirs ? 'person' : before.origin
  const definitions = await readDefinitions(deps, ask.scope, [...input.plan.measures, ...before.plan.measures])
  const hash = questionHash(input.plan, definitions)
  const verified = hash === questionHash(before.plan, definitions) ? before.verified : null
  const next: Insight = { ...before, ...input, origin, verified, version: input.version + 1, updatedAt }
  const care = careStore(deps.db, readingOf(ask))
  const aside = [care.dropVerified(id, hash), ...care.keep(id, restoredFrom)]
  await orNameTaken(
    'insights.workspace_id',
    commit(deps, {
      change: [store.update(next), ...store.fields(id, read.plan, read.along), ...aside],
      audit: [auditOf(ask, { action: 'insight.update', id, before, after: next })],
      reply: ask.reply(next),
      expect: { onMissed: () => updateMissed(ask, { id, version: input.version }) },
    }),
  )
  return next
}

export const frozenInsight = (): ProductError =>
  frozen('This insight is frozen: the plan has room for fewer. It still answers, and can be deleted.')

async function updateMissed(ask: Ask, at: { id: string; version: number }): Promise<ProductError> {
  const current = await getInsight(ask, at.id)
  if (current.frozen) return frozenInsight()
  return current.version === at.version ? limitReached(ask) : new ProductError('version_conflict', { current })
}

/** Goes to "Recently deleted" for 30 days; its name is free again at once. */
export async function deleteInsight(ask: Ask, at: { id: string; version: number }): Promise<Insight> {
  const { deps } = ask
  const before = await getInsight(ask, at.id)
  if (before.version !== at.version) throw new ProductError('version_conflict', { current: before })
  const now = deps.clock.now()
  const gone: Insight = { ...before, version: at.version + 1, deletedAt: new Date(now).toISOString() }
  await commit(deps, {
    change: [insightStore(deps.db, readingOf(ask)).remove(at.id, { version: at.version, now })],
    audit: [auditOf(ask, { action: 'insight.delete', id: at.id, before })],
    reply: ask.reply(gone),
    expect: { onMissed: async () => new ProductError('version_conflict', { current: await getInsight(ask, at.id) }) },
  })
  return gone
}

/** @throws ProductError `not_found` after 30 days, `name_taken` when the name has been given away, `limit_reached` */
export async function restoreInsight(ask: Ask, id: string): Promise<Insight> {
  const { deps } = ask
  const store = insightStore(deps.db, readingOf(ask))
  const since = deps.clock.now() - DELETED_KEPT_MS
  const before = await store.get(id)
  if (!before) throw new ProductError('not_found')
  if (before.deletedAt === null) return before
  if (Date.parse(before.deletedAt) <= since) throw new ProductError('not_found')
  const back: Insight = { ...before, version: before.version + 1, deletedAt: null }
  await orNameTaken(
    'insights.workspace_id',
    commit(deps, {
      change: [store.restore(id, { since })],
      audit: [auditOf(ask, { action: 'insight.restore', id, after: back })],
      reply: ask.reply(back),
      expect: { onMissed: () => limitReached(ask) },
    }),
  )
  return back
}

async function limitReached(ask: Ask): Promise<ProductError> {
  const used = await insightStore(ask.deps.db, readingOf(ask)).count()
  return new ProductError('limit_reached', { limit: 'customInsights', used, max: readingOf(ask).max })
}

export const auditOf = auditOfKind('insight')

const SWEEP_MAX = 500

/** Removes insights that were deleted 30 days ago, with their targets: nobody can restore them any more. */
export async function sweepInsights({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const gone = await purgeInsights(db, { before: clock.now() - DELETED_KEPT_MS, max: SWEEP_MAX }).run()
  if (gone.meta.changes > 0) await db.d1.prepare(dropStrayTargets()).run()
}
