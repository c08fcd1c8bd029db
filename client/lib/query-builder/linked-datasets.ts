import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { Relation } from '../../../src/shared/relations'
import { humanizeLabel, relationsQuery, useCatalogue } from './catalogue'
import type { BuilderDataset, LinkedDataset, SemanticCatalogue } from './catalogue'
import type { Dataset } from '../../../src/shared/data-sources/data-sources'
import { loadedDatasetsQuery } from '../queries/data-source-queries'

type KnownDataset = Pick<BuilderDataset, 'id' | 'name' | 'columns'> & Partial<Pick<Dataset, 'rowCount'>>
interface JoinPath {
  to: string
  path: Relation[]
}

const JOIN_HOPS_MAX = 4

/** Every way from a dataset along confirmed relations, the shortest first; never twice through one dataset. */
function joinPathsFrom(id: string, relations: readonly Relation[]): JoinPath[] {
  const found: JoinPath[] = []
  let level: JoinPath[] = [{ to: id, path: [] }]
  for (let hops = 1; hops <= JOIN_HOPS_MAX && level.length > 0; hops++) {
    level = level.flatMap((way) =>
      relations
        .filter((one) => one.from.datasetId === way.to && !visitsDataset(way, one.to.datasetId, id))
        .map((one) => ({ to: one.to.datasetId, path: [...way.path, one] })),
    )
    found.push(...level)
  }
  return found
}
const visitsDataset = ({ path }: JoinPath, dataset: string, start: string): boolean =>
  dataset === start || path.some((one) => one.to.datasetId === dataset)

/** "Customers (by Customer no)": which column leads there. */
const joinHeading = (name: string, { path }: JoinPath): string =>
  `${name} (by ${path.map((one) => humanizeLabel(one.from.label)).join(', ')})`

/** Of the ways to one dataset only the shortest; several of these must be told apart in the plan. */
function joinableDatasets(ways: readonly JoinPath[], known: readonly KnownDataset[]): LinkedDataset[] {
  return ways.flatMap((way): LinkedDataset[] => {
    const dataset = known.find((one) => one.id === way.to)
    const rivals = ways.filter((one) => one.to === way.to)
    const shortest = Math.min(...rivals.map((one) => one.path.length))
    if (!dataset || way.path.length > shortest) return []
    const alone = rivals.filter((one) => one.path.length === shortest).length === 1
    const via = alone ? [] : way.path.map((one) => one.id)
    const { id, name, columns, rowCount } = dataset
    const last = way.path.at(-1)
    const pointsAt = last ? { pointsAt: last.to.key } : {}
    const heading = joinHeading(name, way)
    return [{ use: 'splits', id, name, columns, heading, via, hops: shortest, rowCount, ...pointsAt }]
  })
}

/** Datasets with rows of their own to measure: those that share something to split by. */
function measurableDatasets(
  base: KnownDataset,
  known: readonly KnownDataset[],
  relations: readonly Relation[],
): LinkedDataset[] {
  const reached = (id: string): string[] => [id, ...joinPathsFrom(id, relations).map((way) => way.to)]
  const mine = new Set(reached(base.id))
  return known
    .filter((one) => one.id !== base.id && reached(one.id).some((id) => mine.has(id)))
    .map(({ id, name, columns }) => ({ use: 'measures', id, name, columns, heading: name, via: [] }))
}

/** Datasets whose rows point here: what "has rows in" can ask of. */
function referencingDatasets(
  base: KnownDataset,
  known: readonly KnownDataset[],
  relations: readonly Relation[],
): LinkedDataset[] {
  const direct = relations.filter((one) => one.to.datasetId === base.id)
  return direct.flatMap((one): LinkedDataset[] => {
    const dataset = known.find(({ id }) => id === one.from.datasetId)
    if (!dataset) return []
    const alone = direct.filter(({ from }) => from.datasetId === one.from.datasetId).length === 1
    const { id, name, columns } = dataset
    const heading = alone ? name : `${name} (by ${humanizeLabel(one.from.label)})`
    return [{ use: 'exists', id, name, columns, heading, via: alone ? [] : [one.id], pointsAt: one.to.key }]
  })
}

export function linkDataset<T extends BuilderDataset>(
  base: T,
  known: readonly KnownDataset[],
  relations: readonly Relation[],
): T & { linked: LinkedDataset[] } {
  const usable = relations.filter((one) => one.state === 'confirmed')
  const linked = [
    ...joinableDatasets(joinPathsFrom(base.id, usable), known),
    ...measurableDatasets(base, known, usable),
    ...referencingDatasets(base, known, usable),
  ]
  return { ...base, linked }
}

const NO_ITEMS: never[] = []
export type WithLinkedDatasets<T> = T & { linked: LinkedDataset[]; catalogue?: SemanticCatalogue }

/** Gives datasets what relations join to them, and the names of the workspace; alone when these cannot be read. */
export function useLinkDatasets() {
  const datasets = useQuery(loadedDatasetsQuery())
  const relations = useQuery(relationsQuery())
  const { catalogue, pending } = useCatalogue()
  const [known, joins] = [datasets.data ?? NO_ITEMS, relations.data ?? NO_ITEMS]
  const link = useCallback(
    <T extends Dataset>(dataset: T): WithLinkedDatasets<T> => ({
      ...linkDataset(dataset, known, joins),
      ...(catalogue ? { catalogue } : {}),
    }),
    [known, joins, catalogue],
  )
  return { link, pending: pending || datasets.isPending || relations.isPending }
}

export function useLinkedDataset(dataset: Dataset) {
  const { link, pending } = useLinkDatasets()
  return { linked: useMemo(() => link(dataset), [link, dataset]), pending }
}
