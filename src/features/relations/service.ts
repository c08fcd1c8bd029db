import { refuseWhileUsed } from './dependents'
import type { Scope } from '../../access/scope'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import type { Asking } from '../../http/asking'
import { ProductError } from '../../shared/errors'
import type { CreateRelationInput, Relation, UpdateRelationInput } from '../../shared/relations'

/**
 * Relations live in the warehouse, audit and replies beside it: the warehouse is written first, so that a call that dies
 * between is repeated on what it made.
 */
async function recorded(
  deps: Deps,
  { scope, reply }: Asking,
  of: { action: string; before?: Relation; after: Relation },
): Promise<Relation> {
  const { action, before, after } = of
  const { workspaceId, actorId } = scope
  const entry = { workspaceId, actorId, action, entity: 'relation', entityId: after.id }
  await commit(deps, {
    change: [],
    audit: [{ ...entry, before, ...(action === 'relation.remove' ? {} : { after }) }],
    reply: reply(after),
  })
  return after
}

async function relationOf(deps: Deps, scope: Scope, id: string): Promise<Relation> {
  const relation = (await deps.warehouse(scope).relations({})).find((each) => each.id === id)
  if (!relation) throw new ProductError('not_found')
  return relation
}

export const listRelations = (deps: Deps, scope: Scope, of: { dataset?: string | undefined }): Promise<Relation[]> =>
  deps.warehouse(scope).relations(of)

/** By hand: proven at once, and confirmed. @throws ProductError `invalid_input` when a key stands in several rows */
export async function createRelation(deps: Deps, ask: Asking & { input: CreateRelationInput }): Promise<Relation> {
  const after = await deps.warehouse(ask.scope).createRelation({ id: deps.ids.next('relation'), ...ask.input })
  return recorded(deps, ask, { action: 'relation.create', after })
}

/** @throws ProductError `in_use` when insights use what is dismissed, `invalid_input` when it cannot be proven */
export async function updateRelation(
  deps: Deps,
  ask: Asking & { id: string; input: UpdateRelationInput },
): Promise<Relation> {
  const { scope, id, input } = ask
  const before = await relationOf(deps, scope, id)
  if (input.state === 'dismissed' && input.force !== true) await refuseWhileUsed(deps, scope, before)
  const { state, version } = input
  const after = await deps.warehouse(scope).updateRelation({ id, state, version })
  return recorded(deps, ask, { action: `relation.${state}`, before, after })
}

/** @throws ProductError `in_use` with the insights that use it, unless forced */
export async function removeRelation(
  deps: Deps,
  ask: Asking & { id: string; version: number; force: boolean },
): Promise<Relation> {
  const { scope, id, version, force } = ask
  const before = await relationOf(deps, scope, id)
  if (!force) await refuseWhileUsed(deps, scope, before)
  const after = await deps.warehouse(scope).removeRelation({ id, version })
  return recorded(deps, ask, { action: 'relation.remove', before, after })
}
