import { findGroupingVersions, readGroupingDefinitions } from './grouping-store'
import { filtersOfRules } from '../identity/access/visible-dataset'
import type { Scope } from '../scope'
import type { Deps } from '../deps'
import { ProductError } from '../shared/errors'
import type { GroupingContent } from '../shared/groupings/groupings'
import { groupingIdsOf } from '../shared/query/plan-fields'
import type { QueryPlan } from '../shared/query/plan'
import type { GroupingDefinition, GroupingVersion } from '../warehouse/contract'
import { canonicalJson, sha256HexSync } from '../lib/hash'

/** How often a question is asked again because somebody changed a grouping between two steps. */
const GROUPING_ATTEMPTS_MAX = 4

/** A definition that is not stored, to be seen through once. Equal ones have equal ids, and so equal answers. */
export function toDraftGrouping(definition: GroupingContent & { name: string }): GroupingDefinition {
  const id = `gpg_${sha256HexSync(canonicalJson(definition)).slice(0, 20)}`
  return { id, version: 1, draft: true, ...definition }
}

interface GroupingContext {
  deps: Pick<Deps, 'warehouse' | 'db'>
  scope: Scope
  drafts: readonly GroupingDefinition[]
}

/**
 * Asks a question that may see columns through groupings, or whose asker's rules do: their versions go along, and what
 * the warehouse does not hold yet is sent to it. A rule by a grouping that is gone lets no row through.
 * @throws ProductError `not_found` for a grouping that is not there
 */
export async function withGroupings<T>(
  context: GroupingContext,
  plan: Pick<QueryPlan, 'measures' | 'dimensions' | 'filters'>,
  execute: (groupings: GroupingVersion[]) => Promise<T>,
): Promise<T> {
  const ids = groupingIdsOf(plan)
  const filters = filtersOfRules(context.scope.wire())
  const ruled = groupingIdsOf({ measures: [], dimensions: [], filters }).filter((id) => !ids.includes(id))
  if (ids.length === 0 && ruled.length === 0) return execute([])
  for (let left = GROUPING_ATTEMPTS_MAX; ; left -= 1) {
    const versions = [
      ...(await resolveGroupingVersions(context, ids)),
      ...(ruled.length === 0 ? [] : await findGroupingVersions(context.deps.db, context.scope, ruled)),
    ]
    try {
      return await execute(versions)
    } catch (error) {
      const missing = missingGroupingIds(error)
      if (missing === null || left === 1) throw error
      await sendGroupings(context, missing)
    }
  }
}

/** @throws ProductError `not_found` for a grouping that is not there */
export async function assertGroupingsExist(
  means: Omit<GroupingContext, 'drafts'>,
  plan: Pick<QueryPlan, 'dimensions' | 'filters' | 'measures'>,
): Promise<void> {
  await resolveGroupingVersions({ ...means, drafts: [] }, groupingIdsOf(plan))
}

/** Ids of the groupings whose definition the warehouse lacks; null for every other refusal. */
function missingGroupingIds(error: unknown): string[] | null {
  if (!(error instanceof ProductError) || error.code !== 'expired' || error.details['what'] !== 'grouping') return null
  const { ids } = error.details
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : null
}

async function resolveGroupingVersions(
  { deps, scope, drafts }: GroupingContext,
  ids: readonly string[],
): Promise<GroupingVersion[]> {
  const given = drafts.filter(({ id }) => ids.includes(id)).map(({ id, version }) => ({ id, version }))
  const stored = ids.filter((id) => !given.some((draft) => draft.id === id))
  if (stored.length === 0) return given
  const found = await findGroupingVersions(deps.db, scope, stored)
  if (found.length < stored.length) throw new ProductError('not_found', {}, 'A grouping of this question is gone.')
  return [...given, ...found]
}

async function sendGroupings({ deps, scope, drafts }: GroupingContext, ids: readonly string[]): Promise<void> {
  const warehouse = deps.warehouse(scope)
  for (const draft of drafts) if (ids.includes(draft.id)) await warehouse.putGrouping(draft)
  for (const definition of await readGroupingDefinitions(deps.db, scope, ids)) await warehouse.putGrouping(definition)
}
