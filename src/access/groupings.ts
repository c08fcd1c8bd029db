import type { Scope } from './scope'
import type { Database } from '../db/database'
import type { Deps } from '../deps'
import { ProductError } from '../shared/errors'
import type { Definition } from '../shared/groupings'
import { groupingsOf } from '../shared/plan-fields'
import type { QueryPlan } from '../shared/query'
import type { QueryResult } from '../shared/query-result'
import type { GroupingDefinition, GroupingVersion } from '../warehouse/contract'
import { canonical, sha256 } from '../warehouse/query/hash'

/** How often a question is asked again because somebody changed a grouping between two steps. */
const TRIES = 4

/** A definition that is not stored, to be seen through once. Equal ones have equal ids, and so equal answers. */
export function draftOf(definition: Definition & { name: string }): GroupingDefinition {
  const id = `gpg_${sha256(canonical(definition)).slice(0, 20)}`
  return { id, version: 1, draft: true, ...definition }
}

interface Means {
  deps: Pick<Deps, 'warehouse' | 'db'>
  scope: Scope
  drafts: readonly GroupingDefinition[]
}

/**
 * Asks a question that may see columns through groupings: their versions go along, and what the warehouse does not hold
 * yet is sent to it.
 * @throws ProductError `not_found` for a grouping that is not there
 */
export async function throughGroupings(
  means: Means,
  plan: QueryPlan,
  ask: (groupings: GroupingVersion[]) => Promise<QueryResult>,
): Promise<QueryResult> {
  const ids = groupingsOf(plan)
  if (ids.length === 0) return ask([])
  for (let left = TRIES; ; left -= 1) {
    const versions = await versionsOf(means, ids)
    try {
      return await ask(versions)
    } catch (error) {
      const missing = missingIn(error)
      if (missing === null || left === 1) throw error
      await send(means, missing)
    }
  }
}

/** @throws ProductError `not_found` for a grouping that is not there */
export async function refuseUnknownGroupings(
  means: Omit<Means, 'drafts'>,
  plan: Pick<QueryPlan, 'dimensions' | 'filters' | 'measures'>,
): Promise<void> {
  await versionsOf({ ...means, drafts: [] }, groupingsOf(plan))
}

/** The groupings of a workspace, each with the version that figures are seen through now. */
export async function groupingVersions(
  { d1 }: Pick<Database, 'd1'>,
  { workspaceId }: Scope,
): Promise<GroupingVersion[]> {
  const { results } = await d1
    .prepare('SELECT id, version FROM groupings WHERE workspace_id = ? AND deleted_at IS NULL ORDER BY id')
    .bind(workspaceId)
    .all<GroupingVersion>()
  return results
}

/** Ids of the groupings whose definition the warehouse lacks; null for every other refusal. */
function missingIn(error: unknown): string[] | null {
  if (!(error instanceof ProductError) || error.code !== 'expired' || error.details['what'] !== 'grouping') return null
  const { ids } = error.details
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : null
}

async function versionsOf({ deps, scope, drafts }: Means, ids: readonly string[]): Promise<GroupingVersion[]> {
  const given = drafts.filter(({ id }) => ids.includes(id)).map(({ id, version }) => ({ id, version }))
  const stored = ids.filter((id) => !given.some((draft) => draft.id === id))
  if (stored.length === 0) return given
  const { results } = await deps.db.d1
    .prepare(
      `SELECT id, version FROM groupings
       WHERE workspace_id = ?1 AND deleted_at IS NULL AND id IN (SELECT value FROM json_each(?2))`,
    )
    .bind(scope.workspaceId, JSON.stringify(stored))
    .all<GroupingVersion>()
  if (results.length < stored.length) throw new ProductError('not_found', {}, 'A grouping of this question is gone.')
  return [...given, ...results]
}

async function send({ deps, scope, drafts }: Means, ids: readonly string[]): Promise<void> {
  const warehouse = deps.warehouse(scope)
  for (const draft of drafts) if (ids.includes(draft.id)) await warehouse.putGrouping(draft)
  const { results } = await deps.db.d1
    .prepare(
      `SELECT id, version, name, fallback, eras FROM groupings
       WHERE workspace_id = ?1 AND deleted_at IS NULL AND id IN (SELECT value FROM json_each(?2))`,
    )
    .bind(scope.workspaceId, JSON.stringify(ids))
    .all<{ id: string; version: number; name: string; fallback: string; eras: string }>()
  for (const { id, version, name, fallback, eras } of results) {
    const definition: Definition = { fallback: JSON.parse(fallback), eras: JSON.parse(eras) }
    await warehouse.putGrouping({ id, version, name, draft: false, ...definition })
  }
}
