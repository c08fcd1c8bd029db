import type { z } from 'zod'
import { curationStore } from './curation-store'
import { insightStore, purgeInsights } from './store'
import { verificationHash } from '../../semantic/verification-hash'
import type { Actor, Membership } from '../../scope'
import { overLimit } from '../../entitlements/limits'
import { validatePlan } from '../../semantic/query-service'
import { auditEntryFactory, commit, rethrowNameTaken } from '../../db/commit'
import type { RequestContext } from '../../http/request-context'
import { toIso } from '../../lib/iso'
import type { PlanLimit } from '../../shared/billing/plans'
import type { Deps, ReadContext } from '../../deps'
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
import { DELETED_RETENTION_MS } from '../../shared/limits'
import type { ListPage } from '../../shared/field-schemas'
import { readMetricDefinitions } from '../../semantic/metric-definition-store'

/** What reading insights takes: also how many the plan has room for. */
export type InsightReadContext = ReadContext & { membership: Pick<Membership, 'entitlements'> }
/** What changing insights takes; the sample company brings its own without a request. */
export interface InsightWriteContext extends InsightReadContext, Pick<RequestContext, 'reply'> {
  actor: Pick<Actor, 'userId' | 'name'>
}
const customInsightsMax = ({ membership }: InsightReadContext): PlanLimit =>
  membership.entitlements.features.customInsights
export const insightsOf = (context: InsightReadContext) =>
  insightStore(context.deps.db, { scope: context.scope, max: customInsightsMax(context) })
export const curationOf = (context: InsightReadContext) =>
  curationStore(context.deps.db, { scope: context.scope, max: customInsightsMax(context) })

export function listInsights(
  context: InsightReadContext,
  { cursor, deleted, ...query }: ListInsightsQuery,
): Promise<ListPage<Insight>> {
  const deletedSince = deleted === '1' ? context.deps.clock.now() - DELETED_RETENTION_MS : null
  return insightsOf(context).list({ ...query, after: decodeCursor(cursor, 'insight'), deletedSince })
}

/** @throws ProductError `not_found` also for a deleted one */
export async function getInsight(context: InsightReadContext, id: string): Promise<Insight> {
  const insight = await insightsOf(context).get(id)
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
  context: InsightWriteContext,
  input: z.output<typeof createInsightSchema>,
  { origin, settings = DEFAULT_SETTINGS }: CreateOptions = { origin: 'person' },
): Promise<Insight> {
  const { deps, actor } = context
  const read = await validatePlan(deps, context.scope, input.plan)
  const now = toIso(deps.clock.now())
  const id = deps.ids.next('insight')
  const insight: Insight = {
    ...input,
    id,
    ownerId: actor.userId,
    ownerName: actor.name,
    origin,
    ...settings,
    frozen: false,
    verified: null,
    following: false,
    version: 1,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  }
  const store = insightsOf(context)
  await rethrowNameTaken(
    'insights.workspace_id',
    commit(deps, {
      change: [store.insert(insight), ...store.saveFields(id, read), ...curationOf(context).saveVersion(id, null)],
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
  context: InsightWriteContext,
  change: { id: string; input: z.output<typeof updateInsightSchema>; restoredFrom?: number },
): Promise<Insight> {
  const { deps } = context
  const { id, input, restoredFrom = null } = change
  const before = await getInsight(context, id)
  if (before.frozen) throw insightOverLimit()
  if (before.version !== input.version) throw new ProductError('version_conflict', { current: before })
  const read = await validatePlan(deps, context.scope, input.plan)
  const updatedAt = toIso(deps.clock.now())
  const store = insightsOf(context)
  const isTheirs = before.origin === 'sample' && !(await store.readsSampleOnly(read.plan))
  const origin = isTheirs ? 'person' : before.origin
  const definitions = await readMetricDefinitions(deps, context.scope, [
    ...input.plan.measures,
    ...before.plan.measures,
  ])
  const hash = verificationHash(input.plan, definitions)
  const verified = hash === verificationHash(before.plan, definitions) ? before.verified : null
  const next: Insight = { ...before, ...input, origin, verified, version: input.version + 1, updatedAt }
  const curation = curationOf(context)
  await rethrowNameTaken(
    'insights.workspace_id',
    commit(deps, {
      change: [
        store.update(next),
        ...store.saveFields(id, read),
        curation.clearVerification(id, hash),
        ...curation.saveVersion(id, restoredFrom),
      ],
      audit: [auditOf(context, { action: 'insight.update', id, before, after: next })],
      reply: context.reply(next),
      expect: { onMissed: () => updateConflict(context, { id, version: input.version }) },
    }),
  )
  return next
}

export const insightOverLimit = (): ProductError =>
  overLimit('This insight is over your plan’s limit. You can view and delete it, but not change it.')

async function updateConflict(
  context: InsightWriteContext,
  at: { id: string; version: number },
): Promise<ProductError> {
  const current = await getInsight(context, at.id)
  if (current.frozen) return insightOverLimit()
  return current.version === at.version ? limitReached(context) : new ProductError('version_conflict', { current })
}

export const versionConflict = async (context: InsightReadContext, id: string): Promise<ProductError> =>
  new ProductError('version_conflict', { current: await getInsight(context, id) })

/** Goes to "Recently deleted" for 30 days; its name is free again at once. */
export async function deleteInsight(
  context: InsightWriteContext,
  at: { id: string; version: number },
): Promise<Insight> {
  const { deps } = context
  const before = await getInsight(context, at.id)
  if (before.version !== at.version) throw new ProductError('version_conflict', { current: before })
  const now = deps.clock.now()
  const gone: Insight = { ...before, version: at.version + 1, deletedAt: toIso(now) }
  await commit(deps, {
    change: [insightsOf(context).remove(at.id, { version: at.version, now })],
    audit: [auditOf(context, { action: 'insight.delete', id: at.id, before })],
    reply: context.reply(gone),
    expect: { onMissed: () => versionConflict(context, at.id) },
  })
  return gone
}

/** @throws ProductError `not_found` after 30 days, `name_taken` when the name has been given away, `limit_reached` */
export async function restoreInsight(context: InsightWriteContext, id: string): Promise<Insight> {
  const { deps } = context
  const store = insightsOf(context)
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

async function limitReached(context: InsightWriteContext): Promise<ProductError> {
  const used = await insightsOf(context).count()
  return new ProductError('limit_reached', { limit: 'customInsights', used, max: customInsightsMax(context) })
}

export const auditOf = auditEntryFactory('insight')

const PURGE_BATCH_MAX = 500

/** Removes insights that were deleted 30 days ago, with their targets: nobody can restore them any more. */
export async function sweepInsights({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await purgeInsights(db, { before: clock.now() - DELETED_RETENTION_MS, max: PURGE_BATCH_MAX })
}
