import type { RelationEdge, RelationGraph } from './graph'
import type { Relation } from '../../shared/relations'
import type { CatalogueDataset } from '../contract'

/** The relations that plans may use. */
export const confirmedEdges = (relations: readonly Relation[]): RelationEdge[] =>
  relations
    .filter(({ state }) => state === 'confirmed')
    .map(({ id, from, to }) => ({
      id,
      from: { dataset: from.datasetId, key: from.key },
      to: { dataset: to.datasetId, key: to.key },
    }))

/** Relations between datasets, with names for sentences. */
export const relationGraph = (catalogue: {
  edges: RelationGraph['edges']
  find(datasetId: string): Pick<CatalogueDataset, 'name' | 'columns'> | null
}): RelationGraph => ({
  get edges() {
    return catalogue.edges
  },
  datasetName: (id) => catalogue.find(id)?.name ?? 'other data',
  columnLabel: ({ dataset, key }) =>
    catalogue.find(dataset)?.columns.find((column) => column.key === key)?.label ?? 'a column',
})
