import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { answer, api, idempotencyKey } from '../../lib/api'
import { session } from '../../lib/session'
import type { Page } from '../../../src/shared/names'
import type { CreateRelationInput, Relation, UpdateRelationInput } from '../../../src/shared/relations'
import type { DataSource, Dataset } from '../../../src/shared/sources'

const here = (): string | undefined => session().workspace?.id
const once = () => ({ headers: { 'idempotency-key': idempotencyKey() } })

/** Every relation of the workspace. `seen`: what the datasets looked like, so that a load makes it stale. */
export const relationsQuery = (seen = '') =>
  queryOptions({
    queryKey: ['relations', here(), seen],
    queryFn: ({ signal }) => answer<Relation[]>(api.api.relations.$get({ query: {} }, { init: { signal } })),
  })

/** The loaded tables of the workspace, each with the name of its source: what can be related. */
export const relatedDatasetsQuery = () =>
  queryOptions({
    queryKey: ['sources', 'for-relations', here()],
    queryFn: async ({ signal }) => {
      const page = await answer<Page<DataSource>>(
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

const createRelation = (json: CreateRelationInput) => answer<Relation>(api.api.relations.$post({ json }, once()))
const decideRelation = ({ id, ...json }: UpdateRelationInput & { id: string }) =>
  answer<Relation>(api.api.relations[':id'].$put({ param: { id }, json }, once()))
const removeRelation = ({ id, version, force }: { id: string; version: number; force: boolean }) =>
  answer<{ id: string }>(
    api.api.relations[':id'].$delete(
      { param: { id }, query: { version: String(version), force: force ? '1' : '0' } },
      once(),
    ),
  )

/** What plans may reach changes with every relation: figures are asked for anew. */
function useRelationWrite<In, Out>(write: (input: In) => Promise<Out>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSettled: () =>
      Promise.all(['relations', 'figures'].map((noun) => client.invalidateQueries({ queryKey: [noun] }))),
  })
}

export const useCreateRelation = () => useRelationWrite(createRelation)
export const useDecideRelation = () => useRelationWrite(decideRelation)
export const useDecideAll = () =>
  useRelationWrite(async (relations: readonly Relation[]) => {
    for (const { id, version } of relations) await decideRelation({ id, version, state: 'confirmed' })
  })
export const useRemoveRelation = () => useRelationWrite(removeRelation)
