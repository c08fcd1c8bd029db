import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { readJson, api, withIdempotencyKey } from '../../lib/api'
import { session } from '../../lib/session'
import type { ListPage } from '../../../src/shared/field-schemas'
import type { CreateRelationInput, Relation, UpdateRelationInput } from '../../../src/shared/relations'
import type { DataSource, Dataset } from '../../../src/shared/data-sources/data-sources'

const workspaceId = (): string | undefined => session().workspace?.id

/** Every relation of the workspace. `seen`: what the datasets looked like, so that a load makes it stale. */
export const relationsQuery = (dataVersions = '') =>
  queryOptions({
    queryKey: ['relations', workspaceId(), dataVersions],
    queryFn: ({ signal }) => readJson<Relation[]>(api.api.relations.$get({ query: {} }, { init: { signal } })),
  })

/** The loaded tables of the workspace, each with the name of its source: what can be related. */
export const relatedDatasetsQuery = () =>
  queryOptions({
    queryKey: ['sources', 'for-relations', workspaceId()],
    queryFn: async ({ signal }) => {
      const page = await readJson<ListPage<DataSource>>(
        api.api['data-sources'].$get({ query: { limit: '100' } }, { init: { signal } }),
      )
      return page.items.flatMap((source) =>
        source.datasets
          .filter(({ dataVersion }) => dataVersion > 0)
          .map((dataset) => ({ dataset, source: source.name })),
      )
    },
  })
export interface RelatedDataset {
  dataset: Dataset
  source: string
}

const createRelation = (json: CreateRelationInput) =>
  readJson<Relation>(api.api.relations.$post({ json }, withIdempotencyKey()))
const updateRelation = ({ id, ...json }: UpdateRelationInput & { id: string }) =>
  readJson<Relation>(api.api.relations[':id'].$put({ param: { id }, json }, withIdempotencyKey()))
const deleteRelation = ({ id, version, force }: { id: string; version: number; force: boolean }) =>
  readJson<{ id: string }>(
    api.api.relations[':id'].$delete(
      { param: { id }, query: { version: String(version), force: force ? '1' : '0' } },
      withIdempotencyKey(),
    ),
  )

/** What plans may reach changes with every relation: figures are asked for anew. */
function useRelationMutation<In, Out>(write: (input: In) => Promise<Out>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSettled: () =>
      Promise.all(['relations', 'figures'].map((noun) => client.invalidateQueries({ queryKey: [noun] }))),
  })
}

export const useCreateRelation = () => useRelationMutation(createRelation)
export const useUpdateRelation = () => useRelationMutation(updateRelation)
export const useConfirmRelations = () =>
  useRelationMutation(async (relations: readonly Relation[]) => {
    for (const { id, version } of relations) await updateRelation({ id, version, state: 'confirmed' })
  })
export const useDeleteRelation = () => useRelationMutation(deleteRelation)
