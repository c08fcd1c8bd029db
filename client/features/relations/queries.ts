import { useInvalidatingMutation } from '../../lib/queries/query-client'
import { workspaceId } from '../../lib/session'
import { jsonQuery } from '../../lib/queries/query-options'
import { readJson, api, withIdempotencyKey } from '../../lib/api'
import type { CreateRelationInput, Relation, UpdateRelationInput } from '../../../src/shared/relations'

/** Every relation of the workspace. `seen`: what the datasets looked like, so that a load makes it stale. */
export const relationsQuery = (dataVersions = '') =>
  jsonQuery<Relation[]>(['relations', workspaceId(), dataVersions], (options) =>
    api.api.relations.$get({ query: {} }, options),
  )

const createRelation = (json: CreateRelationInput) =>
  readJson<Relation>(api.api.relations.$post({ json }, withIdempotencyKey()))
const updateRelation = ({ id, ...json }: UpdateRelationInput & { id: string }) =>
  readJson<Relation>(api.api.relations[':id'].$put({ param: { id }, json }, withIdempotencyKey()))
async function confirmRelations(relations: readonly Relation[]): Promise<void> {
  for (const { id, version } of relations) await updateRelation({ id, version, state: 'confirmed' })
}
const deleteRelation = ({ id, version, force }: { id: string; version: number; force: boolean }) =>
  readJson<{ id: string }>(
    api.api.relations[':id'].$delete(
      { param: { id }, query: { version: String(version), force: force ? '1' : '0' } },
      withIdempotencyKey(),
    ),
  )

/** What plans may reach changes with every relation: figures are asked for anew. */
const RELATION_QUERY_KEYS = ['relations', 'figures']
export const useCreateRelation = () => useInvalidatingMutation(createRelation, RELATION_QUERY_KEYS)
export const useUpdateRelation = () => useInvalidatingMutation(updateRelation, RELATION_QUERY_KEYS)
export const useConfirmRelations = () => useInvalidatingMutation(confirmRelations, RELATION_QUERY_KEYS)
export const useDeleteRelation = () => useInvalidatingMutation(deleteRelation, RELATION_QUERY_KEYS)
