import { toDependents, replaceGrouping } from './dependents'
import { auditOf, getGrouping, storeOf } from './service'
import type { RequestContext } from '../../http/request-context'
import { commit } from '../../db/commit'
import { ProductError } from '../../shared/errors'
import { allGroups, type Grouping, type GroupingSummary } from '../../shared/groupings/groupings'
import { isId } from '../../shared/ids'
import { nameKey } from '../../shared/field-schemas'
import { findDependentPlans, type DependentPlan, type ReplacedPlan } from './store'

interface DeleteGroupingInput {
  id: string
  version: number
  force: '0' | '1'
  replacement?: string | undefined
}

/**
 * Goes to "Recently deleted" for 30 days. With `replacement`, insights see through that grouping from now on: a group
 * takes the place of the one of its name.
 * @throws ProductError `in_use` with the insights that use it when nothing is said about them, or with those that name a
 *   group of which the replacement has none of that name; `version_conflict`
 */
export async function deleteGrouping(context: RequestContext, at: DeleteGroupingInput): Promise<GroupingSummary> {
  const { deps, scope } = context
  const { eras: _definition, ...before } = await getGrouping(context, at.id)
  const naming = await findDependentPlans(deps.db, scope, [at.id])
  const plans = at.replacement === undefined ? [] : await replacePlans(context, at, naming)
  const answer: GroupingSummary = { ...before, version: at.version + 1 }
  const now = deps.clock.now()
  const seen = plans.map(({ id, version }): [string, number] => [id, version])
  await commit(deps, {
    change: [
      storeOf(context).remove(at.id, {
        version: at.version,
        now,
        force: at.force === '1' && at.replacement === undefined,
        seen,
      }),
      ...plans.flatMap((plan) => storeOf(context).replacePlan(plan, now)),
    ],
    audit: [
      auditOf(context, { action: 'grouping.delete', id: at.id, before: { ...before, replacement: at.replacement } }),
      ...plans.map(({ type, id, plan }) => ({
        ...auditOf(context, { action: `${type}.update`, id, after: plan }),
        entity: type,
      })),
    ],
    reply: context.reply(answer),
    expect: { onMissed: () => removalConflict(context, at) },
  })
  return answer
}

async function replacePlans(
  context: RequestContext,
  at: DeleteGroupingInput,
  naming: readonly DependentPlan[],
): Promise<ReplacedPlan[]> {
  const other = at.replacement ?? ''
  const known = isId('grouping', other) && other !== at.id ? await storeOf(context).get(other) : null
  if (!known) throw new ProductError('invalid_input', { fields: { replacement: 'Choose another grouping.' } })
  const groups = matchGroupsByName(await getGrouping(context, at.id), known)
  const plans = naming.map(({ type, id, name, plan, version }) => ({
    ...{ type, id, name, version },
    plan: replaceGrouping(plan, { from: at.id, to: other, groups }),
  }))
  const lost = plans.filter(({ plan }) => plan === null)
  if (lost.length > 0)
    throw new ProductError(
      'in_use',
      { dependents: await toDependents(context, lost) },
      'Used by groups missing in the other grouping.',
    )
  return plans.flatMap(({ plan, ...rest }) => (plan ? [{ ...rest, plan }] : []))
}

function matchGroupsByName(from: Grouping, to: Grouping): Map<string, string> {
  const names = new Map(allGroups(to).map(({ id, name }) => [nameKey(name), id]))
  return new Map(
    allGroups(from).flatMap(({ id, name }) => {
      const other = names.get(nameKey(name))
      return other === undefined ? [] : [[id, other]]
    }),
  )
}

async function removalConflict(context: RequestContext, at: DeleteGroupingInput): Promise<ProductError> {
  const current = await getGrouping(context, at.id)
  if (current.version !== at.version) return new ProductError('version_conflict', { current })
  return new ProductError('in_use', {
    dependents: await toDependents(context, await findDependentPlans(context.deps.db, context.scope, [at.id])),
  })
}
