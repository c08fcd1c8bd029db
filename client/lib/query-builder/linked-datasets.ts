import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { shortestPaths, type FollowedPath, type FollowedRelation } from '../../../src/shared/query/relation-paths'
import { relationKeyLabel, type Relation } from '../../../src/shared/relations'
import { humanizeLabel } from '../../../src/shared/text'
import { relationsQuery, useCatalogue } from './catalogue'
import type { BuilderDataset, LinkedDataset, SemanticCatalogue } from './catalogue'
import type { Dataset } from '../../../src/shared/data-sources/data-sources'
import { loadedDatasetsQuery } from '../queries/data-source-queries'

type KnownDataset = Pick<BuilderDataset, 'id' | 'name' | 'columns'> & Partial<Pick<Dataset, 'rowCount'>>
interface JoinPath {
  to: string
  path: FollowedPath
  /** Of several equally short ways, each is named in the plan. */
  isOnly: boolean
}

/** The shortest ways from a dataset to every other, as plans find them; the nearest first. */
function joinPathsFrom(id: string, relations: readonly Relation[]): JoinPath[] {
  const edges = relations.map(toFollowed)
  const others = new Set(
    relations.flatMap(({ from, to }) => [from.datasetId, to.datasetId]).filter((each) => each !== id),
  )
  return [...others]
    .flatMap((to) => {
      const paths = shortestPaths(edges, { from: id, to, least: 1 })
      return paths.map((path): JoinPath => ({ to, path, isOnly: paths.length === 1 }))
    })
    .toSorted((a, b) => a.path.length - b.path.length)
}
const toFollowed = ({ id, from, to, further, proof }: Relation): FollowedRelation => ({
  id,
  from: { dataset: from.datasetId, key: from.key },
  to: { dataset: to.datasetId, key: to.key },
  ...(further ? { further: further.map((pair) => ({ from: pair.from.key, to: pair.to.key })) } : {}),
  ...(proof.oneToOne === true ? { oneToOne: true } : {}),
})

/** "Customers (by Customer no)": which column leads there. */
function joinHeading(name: string, { path }: JoinPath, relations: readonly Relation[]): string {
  const labels = path.flatMap(({ id }) => {
    const relation = relations.find((one) => one.id === id)
    return relation ? [keyHeading(relation)] : []
  })
  return `${name} (by ${labels.join(', ')})`
}

const keyHeading = (relation: Relation): string => relationKeyLabel(relation, 'from', humanizeLabel)

/** Several equally short ways to one dataset must be told apart in the plan. */
function joinableDatasets(
  base: string,
  known: readonly KnownDataset[],
  relations: readonly Relation[],
): LinkedDataset[] {
  return joinPathsFrom(base, relations).flatMap((way): LinkedDataset[] => {
    const dataset = known.find((one) => one.id === way.to)
    if (!dataset) return []
    const via = way.isOnly ? [] : way.path.map((one) => one.id)
    const { id, name, columns, rowCount } = dataset
    const heading = joinHeading(name, way, relations)
    const last = way.path.at(-1)
    const pointsAt = last && !last.further ? { pointsAt: last.to.key } : {}
    return [{ use: 'splits', id, name, columns, heading, via, hops: way.path.length, rowCount, ...pointsAt }]
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
    const heading = alone ? name : `${name} (by ${keyHeading(one)})`
    const pointsAt = one.further ? {} : { pointsAt: one.to.key }
    return [{ use: 'exists', id, name, columns, heading, via: alone ? [] : [one.id], ...pointsAt }]
  })
}

export function linkDataset<T extends BuilderDataset>(
  base: T,
  known: readonly KnownDataset[],
  relations: readonly Relation[],
): T & { linked: LinkedDataset[] } {
  const usable = relations.filter((one) => one.state === 'confirmed')
  const linked = [
    ...joinableDatasets(base.id, known, usable),
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
