import { assertUnused } from './dependents'
import type { Scope } from '../../access/scope'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import type { WriteContext } from '../../http/asking'
import { ProductError } from '../../shared/errors'
import type { CreateRelationInput, Relation, UpdateRelationInput } from '../../shared/relations'

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
  await commit(deps, {
    change: [],
    audit: [{ ...entry, before, ...(action === 'relation.remove' ? {} : { after }) }],
    reply: reply(after),
  })
  return after
}

async function requireRelation(deps: Deps, scope: Scope, id: string): Promise<Relation> {
  const relation = (await deps.warehouse(scope).relations({})).find((each) => each.id === id)
  if (!relation) throw new ProductError('not_found')
  return relation
}

export const listRelations = (deps: Deps, scope: Scope, of: { dataset?: string | undefined }): Promise<Relation[]> =>
  deps.warehouse(scope).relations(of)

/** By hand: proven at once, and confirmed. @throws ProductError `invalid_input` when a key stands in several rows */
export async function createRelation(
  deps: Deps,
  command: WriteContext & { input: CreateRelationInput },
): Promise<Relation> {
  const after = await deps.warehouse(command.scope).createRelation({ id: deps.ids.next('relation'), ...command.input })
  return commitChange(deps, command, { action: 'relation.create', after })
}

/** @throws ProductError `in_use` when insights use what is dismissed, `invalid_input` when it cannot be proven */
export async function updateRelation(
  deps: Deps,
  command: WriteContext & { id: string; input: UpdateRelationInput },
): Promise<Relation> {
  const { scope, id, input } = command
  const before = await requireRelation(deps, scope, id)
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
