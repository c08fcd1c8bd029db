import type { Membership } from '../../scope'
import type { z } from 'zod'
import { copyName } from '../../shared/field-schemas'
import { verificationHash } from '../../semantic/verification-hash'
import {
  auditOf,
  createInsight,
  curationOf,
  insightOverLimit,
  getInsight,
  insightsOf,
  updateInsight,
  versionConflict,
} from './service'
import type { InsightReadContext, InsightWriteContext } from './service'
import { expandMetrics, type MetricDefinitions } from '../../semantic/metric-definitions'
import { toIso } from '../../lib/iso'
import { commit } from '../../db/commit'
import { ProductError } from '../../shared/errors'
import type {
  InsightSettings,
  Insight,
  InsightVersion,
  PlanDescription,
  restoreVersionSchema,
} from '../../shared/insights'
import { datasetIdsOf } from '../../shared/query/plan-fields'
import type { QueryPlan } from '../../shared/query/plan'
import type { CatalogueDataset } from '../../warehouse/contract'
import { graphOfRelations } from '../../warehouse/query/plan/relation-graph'
import { describePlanParts, planNaming } from '../../warehouse/query/plan/describe-plan'
import { readMetricDefinitions } from '../../semantic/metric-definition-store'

/**
 * Vouches for the figures of the version that was looked at.
 * @throws ProductError `version_conflict` with the stored insight as `current`
 */
export async function verifyInsight(
  context: InsightWriteContext,
  at: { id: string; version: number },
): Promise<Insight> {
  const { deps, actor } = context
  const before = await getInsight(context, at.id)
  const now = deps.clock.now()
  const hash = verificationHash(before.plan, await readMetricDefinitions(deps, context.scope, before.plan.measures))
  const verified = { by: actor.userId, byName: actor.name, at: toIso(now) }
  const next: Insight = { ...before, version: at.version, verified }
  await commit(deps, {
    change: [curationOf(context).verify(at.id, { version: at.version, hash, now })],
    audit: [auditOf(context, { action: 'insight.verify', id: at.id, after: next })],
    reply: context.reply(next),
    expect: { onMissed: () => versionConflict(context, at.id) },
  })
  return next
}

export async function unverifyInsight(context: InsightWriteContext, id: string): Promise<Insight> {
  const { deps } = context
  const before = await getInsight(context, id)
  const next: Insight = { ...before, verified: null }
  await commit(deps, {
    change: [curationOf(context).unverify(id)],
    audit: [auditOf(context, { action: 'insight.unverify', id, before })],
    reply: context.reply(next),
    expect: { onMissed: () => new ProductError('not_found') },
  })
  return next
}

/** From now on the person hears of it: in the digest, and of what is found in it. */
export async function followInsight(context: InsightWriteContext, id: string): Promise<Insight> {
  const { deps } = context
  const next: Insight = { ...(await getInsight(context, id)), following: true }
  await commit(deps, {
    change: [curationOf(context).follow(id, deps.clock.now())],
    audit: [auditOf(context, { action: 'insight.follow', id })],
    reply: context.reply(next),
    expect: { onMissed: () => new ProductError('not_found') },
  })
  return next
}

export async function unfollowInsight(context: InsightWriteContext, id: string): Promise<Insight> {
  const { deps } = context
  const before = await getInsight(context, id)
  const next: Insight = { ...before, following: false }
  if (!before.following) return next
  await commit(deps, {
    change: [curationOf(context).unfollow(id)],
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
  context: InsightWriteContext,
  change: { id: string; input: InsightSettings },
): Promise<Insight> {
  const { deps } = context
  const { id, input } = change
  const before = await getInsight(context, id)
  const next: Insight = { ...before, ...input }
  await commit(deps, {
    change: [curationOf(context).updateSettings(id, input)],
    audit: [auditOf(context, { action: 'insight.settings', id, before, after: next })],
    reply: context.reply(next),
    expect: { onMissed: async () => settingsConflict(await getInsight(context, id)) },
  })
  return next
}

const settingsConflict = ({ frozen }: Insight): ProductError =>
  frozen
    ? insightOverLimit()
    : new ProductError('invalid_input', { fields: { categoryId: 'Category not found. Choose another.' } })

/**
 * The same question under another name, as an insight of the person's own.
 * @throws ProductError `limit_reached`, `unknown_field` when what it reads is gone
 */
export async function duplicateInsight(context: InsightWriteContext, id: string): Promise<Insight> {
  const { name, description, plan, viz, categoryId, findings } = await getInsight(context, id)
  const { names } = await insightsOf(context).takenNames()
  const input = { name: copyName(name, names), description, plan, viz }
  return createInsight(context, input, { origin: 'person', settings: { categoryId, findings } })
}

/** Whose words the versions are told in. */
type VersionsContext = InsightReadContext & { membership: Pick<Membership, 'settings'> }

/** Every version that is kept, the newest first, with its question in words. */
export async function listVersions(context: VersionsContext, id: string): Promise<InsightVersion[]> {
  await getInsight(context, id)
  const stored = await curationOf(context).versions(id)
  const definitions = await readMetricDefinitions(
    context.deps,
    context.scope,
    stored.flatMap(({ plan }) => plan.measures),
  )
  const plans = stored.map(({ plan }) => orNullIfRefused(() => withMetricsExpanded(plan, definitions)))
  const partsOf = await planDescriber(context, [...new Set(plans.flatMap((plan) => (plan ? datasetIdsOf(plan) : [])))])
  return stored.map((version, at) => {
    const plan = plans[at] ?? null
    return { ...version, parts: plan && partsOf(plan) }
  })
}

/** A plan with what its metrics stand for, called by their names. */
const withMetricsExpanded = (plan: QueryPlan, definitions: MetricDefinitions): QueryPlan => ({
  ...plan,
  measures: plan.measures.map((measure) => expandMetrics(measure, definitions)),
})

/** Null where something that is named was taken away since. */
function orNullIfRefused<T>(tell: () => T): T | null {
  try {
    return tell()
  } catch (error) {
    if (error instanceof ProductError) return null
    throw error
  }
}

/** How questions over these datasets are told; null for one that reads what is there no longer. */
async function planDescriber(
  { deps, scope, membership }: VersionsContext,
  datasetIds: readonly string[],
): Promise<(plan: QueryPlan) => PlanDescription | null> {
  const warehouse = deps.warehouse(scope)
  const gone = (error: unknown): null => {
    if (error instanceof ProductError && error.code === 'not_found') return null
    throw error
  }
  const [relations, ...found] = await Promise.all([
    warehouse.relations({}),
    ...datasetIds.map((id): Promise<CatalogueDataset | null> => warehouse.dataset(id).catch(gone)),
  ])
  const find = (id: string): CatalogueDataset | null => found.find((dataset) => dataset?.id === id) ?? null
  const graph = graphOfRelations(relations, find)
  const { numberLocale: locale } = membership.settings
  return (plan) => {
    const datasets = datasetIdsOf(plan)
    if (datasets.some((id) => find(id) === null)) return null
    return orNullIfRefused(() =>
      describePlanParts(
        plan,
        planNaming(graph, { home: datasets.length === 1 ? (datasets[0] ?? null) : null, find, locale }),
      ),
    )
  }
}

/**
 * Saves what an insight was once as its newest version: nothing that came since is lost.
 * @throws ProductError `not_found` for a version that is not kept, `version_conflict`, `name_taken`, `unknown_field` when
 * its columns are gone
 */
export async function restoreVersion(
  context: InsightWriteContext,
  at: { id: string; version: number; input: z.output<typeof restoreVersionSchema> },
): Promise<Insight> {
  await getInsight(context, at.id)
  const old = await curationOf(context).version(at.id, at.version)
  if (!old) throw new ProductError('not_found')
  const { name, description, plan, viz } = old
  const input = { name, description, plan, viz, version: at.input.version }
  return updateInsight(context, { id: at.id, input, restoredFrom: at.version })
}
