import type { z } from 'zod'
import { curationStore } from './curation-store'
import { verificationHash, insightStore, purgeInsights } from './store'
import type { StoreContext } from './store'
import type { Actor, Membership, Scope } from '../../identity/scope'
import { overLimit } from '../../entitlements/over-limit'
import { validatePlan } from '../../semantic/query-service'
import { readMetricDefinitions } from '../../semantic/metric-definitions'
import { auditEntryFactory, commit, rethrowNameTaken } from '../../db/commit'
import type { StoredReply } from '../../db/commit'
import type { Deps } from '../../deps'
import { decodeCursor } from '../../http/pagination'
import { ProductError } from '../../shared/errors'
import type {
  InsightSettings,
  createInsightSchema,
  Insight,
  ListInsightsQuery,
  Origin,
  updateInsightSchema,
} from '../../shared/insights'
import { deleteOrphanTargetsSql } from '../../semantic/targets'
import { DELETED_RETENTION_MS } from '../../shared/limits'
import type { ListPage } from '../../shared/field-schemas'

/** Who asks, for what, and how the answer is remembered. */
export interface RequestContext {
  deps: Deps
  scope: Scope
  actor: Pick<Actor, 'userId' | 'name'>
  membership: Pick<Membership, 'entitlements'>
  reply: (body: Insight) => StoredReply | null
}
/** What reading takes. */
type ReadContext = Pick<RequestContext, 'deps' | 'scope' | 'membership'>
export const storeContextOf = ({ scope, membership }: Pick<RequestContext, 'scope' | 'membership'>): StoreContext => ({
  scope,
  max: membership.entitlements.features.customInsights,
})

export async function listInsights(ask: ReadContext, wanted: ListInsightsQuery): Promise<ListPage<Insight>> {
  const { deps } = ask
  const { q, category, limit, cursor, deleted } = wanted
  const deletedSince = deleted === '1' ? deps.clock.now() - DELETED_RETENTION_MS : null
  const after = decodeCursor(cursor, 'insight')
  return insightStore(deps.db, storeContextOf(ask)).list({ q, category, limit, after, deletedSince })
}

/** @throws ProductError `not_found` also for a deleted one */
export async function getInsight(ask: ReadContext, id: string): Promise<Insight> {
  const insight = await insightStore(ask.deps.db, storeContextOf(ask)).get(id)
  if (!insight || insight.deletedAt !== null) throw new ProductError('not_found')
  return insight
}

/** What an insight begins with beside its content. */
export interface CreateOptions {
  origin: Origin
  settings?: InsightSettings
}
const DEFAULT_SETTINGS: InsightSettings = { categoryId: null, findings: 'on' }

export async function createInsight(
  context: RequestContext,
  input: z.output<typeof createInsightSchema>,
  { origin, settings = DEFAULT_SETTINGS }: CreateOptions = { origin: 'person' },
): Promise<Insight> {
  const { deps, actor } = context
  const read = await validatePlan(deps, context.scope, input.plan)
  const now = new Date(deps.clock.now()).toISOString()
  const id = deps.ids.next('insight')
  const owner = { ownerId: actor.userId, ownerName: actor.name }
  const born = { version: 1, createdAt: now, updatedAt: now, deletedAt: null }
  const aside = { ...settings, frozen: false, verified: null, following: false }
  const insight: Insight = { ...input, id, ...owner, origin, ...aside, ...born }
  const store = insightStore(deps.db, storeContextOf(context))
  const kept = curationStore(deps.db, storeContextOf(context)).saveVersion(id, null)
  await rethrowNameTaken(
    'insights.workspace_id',
    commit(deps, {
      change: [store.insert(insight), ...store.saveFields(id, read.plan, read.joinColumns), ...kept],
      audit: [auditOf(context, { action: 'insight.create', id, after: insight })],
      reply: context.reply(insight),
      expect: { onMissed: () => limitReached(context) },
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
  context: RequestContext,
  change: { id: string; input: z.output<typeof updateInsightSchema>; restoredFrom?: number },
): Promise<Insight> {
  const { deps } = context
  const { id, input, restoredFrom = null } = change
  const before = await getInsight(context, id)
  if (before.frozen) throw insightOverLimit()
  if (before.version !== input.version) throw new ProductError('version_conflict', { current: before })
  const read = await validatePlan(deps, context.scope, input.plan)
  const updatedAt = new Date(deps.clock.now()).toISOString()
  const store = insightStore(deps.db, storeContextOf(context))
  const isTheirs = before.origin === 'sample' && !(await store.readsSampleOnly(read.plan))
  const origin = isTheirs ? 'person' : before.origin
  const definitions = await readMetricDefinitions(deps, context.scope, [
    ...input.plan.measures,
    ...before.plan.measures,
  ])
  const hash = verificationHash(input.plan, definitions)
  const verified = hash === verificationHash(before.plan, definitions) ? before.verified : null
  const next: Insight = { ...before, ...input, origin, verified, version: input.version + 1, updatedAt }
  const care = curationStore(deps.db, storeContextOf(context))
  const aside = [care.clearVerification(id, hash), ...care.saveVersion(id, restoredFrom)]
  await rethrowNameTaken(
    'insights.workspace_id',
    commit(deps, {
      change: [store.update(next), ...store.saveFields(id, read.plan, read.joinColumns), ...aside],
      audit: [auditOf(context, { action: 'insight.update', id, before, after: next })],
      reply: context.reply(next),
      expect: { onMissed: () => updateConflict(context, { id, version: input.version }) },
    }),
  )
  return next
}

export const insightOverLimit = (): ProductError =>
  overLimit('This insight is frozen: the plan has room for fewer. It still answers, and can be deleted.')

async function updateConflict(context: RequestContext, at: { id: string; version: number }): Promise<ProductError> {
  const current = await getInsight(context, at.id)
  if (current.frozen) return insightOverLimit()
  return current.version === at.version ? limitReached(context) : new ProductError('version_conflict', { current })
}

/** Goes to "Recently deleted" for 30 days; its name is free again at once. */
export async function deleteInsight(context: RequestContext, at: { id: string; version: number }): Promise<Insight> {
  const { deps } = context
  const before = await getInsight(context, at.id)
  if (before.version !== at.version) throw new ProductError('version_conflict', { current: before })
  const now = deps.clock.now()
  const gone: Insight = { ...before, version: at.version + 1, deletedAt: new Date(now).toISOString() }
  await commit(deps, {
    change: [insightStore(deps.db, storeContextOf(context)).remove(at.id, { version: at.version, now })],
    audit: [auditOf(context, { action: 'insight.delete', id: at.id, before })],
    reply: context.reply(gone),
    expect: {
      onMissed: async () => new ProductError('version_conflict', { current: await getInsight(context, at.id) }),
    },
  })
  return gone
}

/** @throws ProductError `not_found` after 30 days, `name_taken` when the name has been given away, `limit_reached` */
export async function restoreInsight(context: RequestContext, id: string): Promise<Insight> {
  const { deps } = context
  const store = insightStore(deps.db, storeContextOf(context))
  const since = deps.clock.now() - DELETED_RETENTION_MS
  const before = await store.get(id)
  if (!before) throw new ProductError('not_found')
  if (before.deletedAt === null) return before
  if (Date.parse(before.deletedAt) <= since) throw new ProductError('not_found')
  const back: Insight = { ...before, version: before.version + 1, deletedAt: null }
  await rethrowNameTaken(
    'insights.workspace_id',
    commit(deps, {
      change: [store.restore(id, { since })],
      audit: [auditOf(context, { action: 'insight.restore', id, after: back })],
      reply: context.reply(back),
      expect: { onMissed: () => limitReached(context) },
    }),
  )
  return back
}

async function limitReached(context: RequestContext): Promise<ProductError> {
  const used = await insightStore(context.deps.db, storeContextOf(context)).count()
  return new ProductError('limit_reached', { limit: 'customInsights', used, max: storeContextOf(context).max })
}

export const auditOf = auditEntryFactory('insight')

const PURGE_BATCH_MAX = 500

/** Removes insights that were deleted 30 days ago, with their targets: nobody can restore them any more. */
export async function sweepInsights({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const gone = await purgeInsights(db, { before: clock.now() - DELETED_RETENTION_MS, max: PURGE_BATCH_MAX }).run()
  if (gone.meta.changes > 0) await db.d1.prepare(deleteOrphanTargetsSql()).run()
}
