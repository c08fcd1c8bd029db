import { insightPlans, metricPlans } from './store'
import { expandMetrics } from '../../semantic/metric-definitions'
import { hiddenThings, withoutHiddenNames } from '../../identity/access/hidden-things-store'
import { hasRowRule, seenInPart } from '../../identity/access/visible-dataset'
import type { Scope } from '../../scope'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import type { QueryPlan } from '../../shared/query/plan'
import { relationKeyLabel } from '../../shared/relations'
import type { Relation, CreateRelationInput, UpdateRelationInput } from '../../shared/relations'
import type { Dependent } from '../../shared/data-sources/data-sources'
import { checkPlan, type PlanSchema } from '../../warehouse/query/plan/check-plan'
import { graphOfRelations } from '../../warehouse/query/plan/relation-graph'
import { commit } from '../../db/commit'
import type { WriteContext } from '../../http/idempotency'
import { readMetricDefinitions } from '../../semantic/metric-definition-store'

/** So many dependents are named. */
const DEPENDENTS_MAX = 100

/** Live insights, and metrics, whose figures go along a relation, as plans find their way today. */
async function relationDependents(deps: Deps, scope: Scope, relation: Relation): Promise<Dependent[]> {
  if (relation.state !== 'confirmed') return []
  const warehouse = deps.warehouse(scope)
  const [relations, datasets] = await Promise.all([warehouse.relations({}), warehouse.datasets()])
  const find = (id: string) => datasets.find((dataset) => dataset.id === id) ?? null
  const planSchema: PlanSchema = { find, graph: graphOfRelations(relations, find) }
  // A plan may pass through datasets that it does not name: any insight of the workspace's datasets may be meant.
  const ids = datasets.map(({ id }) => id)
  const plans = (await Promise.all([insightPlans(deps.db, scope, ids), metricPlans(deps.db, scope, ids)])).flat()
  const definitions = await readMetricDefinitions(
    deps,
    scope,
    plans.flatMap(({ plan }) => plan.measures),
  )
  const expandedPlan = (plan: QueryPlan): QueryPlan => ({
    ...plan,
    measures: plan.measures.map((measure) => expandMetrics(measure, definitions)),
  })
  const using = plans
    .filter(({ plan }) => usesRelation(() => expandedPlan(plan), planSchema, relation.id))
    .slice(0, DEPENDENTS_MAX)
    .map(({ type, id, name }) => ({ type, id, name }))
  return withoutHiddenNames(await hiddenThings(deps.db, scope), using)
}

/** A plan that cannot be answered anyway uses nothing. */
function usesRelation(planOf: () => QueryPlan, planSchema: PlanSchema, relationId: string): boolean {
  try {
    return checkPlan(planOf(), planSchema).relations.includes(relationId)
  } catch (error) {
    if (error instanceof ProductError) return false
    throw error
  }
}

/** @throws ProductError `in_use` with the insights that would lose their way */
async function assertUnused(deps: Deps, scope: Scope, relation: Relation): Promise<void> {
  const dependents = await relationDependents(deps, scope, relation)
  if (dependents.length > 0) throw new ProductError('in_use', { dependents })
}

/**
 * Relations live in the warehouse, audit and replies beside it: the warehouse is written first, so that a call that dies
 * between is repeated on what it made.
 */
async function commitChange(
  deps: Deps,
  { scope, reply }: WriteContext,
  of: { action: string; before?: Relation; after: Relation },
): Promise<Relation> {
  const { action, before, after } = of
  const { workspaceId, actorId } = scope
  const entry = { workspaceId, actorId, action, entity: 'relation', entityId: after.id }
  const named = (relation: Relation) => ({ ...relation, name: relationName(before ?? after) })
  await commit(deps, {
    change: [],
    audit: [
      {
        ...entry,
        ...(before ? { before: named(before) } : {}),
        ...(action === 'relation.remove' ? {} : { after: named(after) }),
      },
    ],
    reply: reply(after),
  })
  return after
}

/** The tables and columns it links, as they are called now: “Orders.customer_id to Customers.id”. */
const relationName = (relation: Relation): string =>
  (['from', 'to'] as const)
    .map((side) => `${relation[side].datasetName}.${relationKeyLabel(relation, side)}`)
    .join(' to ')

async function requireRelation(deps: Deps, scope: Scope, id: string): Promise<Relation> {
  const relation = (await deps.warehouse(scope).relations({})).find((each) => each.id === id)
  if (!relation) throw new ProductError('not_found')
  return relation
}

export const listRelations = (deps: Deps, scope: Scope, of: { dataset?: string | undefined }): Promise<Relation[]> =>
  deps.warehouse(scope).relations(of)

/** A proof is by all rows: which values have a row, and which have several. */
function assertProvable(scope: Scope, { from, to }: Pick<CreateRelationInput, 'from' | 'to'>): void {
  const rights = scope.wire()
  if ([from, to].some(({ datasetId }) => hasRowRule(rights, datasetId))) throw seenInPart()
}

/**
 * By hand: proven at once, and confirmed.
 * @throws ProductError `invalid_input` when a key stands in several rows; `forbidden` where rules of access leave rows out
 */
export async function createRelation(
  deps: Deps,
  command: WriteContext & { input: CreateRelationInput },
): Promise<Relation> {
  assertProvable(command.scope, command.input)
  const after = await deps.warehouse(command.scope).createRelation({ id: deps.ids.next('relation'), ...command.input })
  return commitChange(deps, command, { action: 'relation.create', after })
}

/** @throws ProductError `in_use` when insights use what is dismissed; to confirm as {@link createRelation} */
export async function updateRelation(
  deps: Deps,
  command: WriteContext & { id: string; input: UpdateRelationInput },
): Promise<Relation> {
  const { scope, id, input } = command
  const before = await requireRelation(deps, scope, id)
  if (input.state === 'confirmed') assertProvable(scope, before)
  if (input.state === 'dismissed' && input.force !== true) await assertUnused(deps, scope, before)
  const { state, version } = input
  const after = await deps.warehouse(scope).updateRelation({ id, state, version })
  return commitChange(deps, command, { action: `relation.${state}`, before, after })
}

/** @throws ProductError `in_use` with the insights that use it, unless forced */
export async function removeRelation(
  deps: Deps,
  command: WriteContext & { id: string; version: number; force: boolean },
): Promise<Relation> {
  const { scope, id, version, force } = command
  const before = await requireRelation(deps, scope, id)
  if (!force) await assertUnused(deps, scope, before)
  const after = await deps.warehouse(scope).removeRelation({ id, version })
  return commitChange(deps, command, { action: 'relation.remove', before, after })
}
