import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { Dataset } from '../../../src/shared/sources'
import { loadedDatasetsQuery } from '../loaded-datasets'
import { relationsQuery } from './calls'
import type { Catalogue } from './catalogue'
import type { LinkedDataset } from './fields'
import { useCatalogue } from './use-catalogue'
import { linkDataset } from './linked-datasets'

const NONE: never[] = []
export type Linked<T> = T & { linked: LinkedDataset[]; catalogue?: Catalogue }

/** Gives datasets what relations join to them, and the names of the workspace; alone when these cannot be read. */
export function useLinks() {
  const datasets = useQuery(loadedDatasetsQuery())
  const relations = useQuery(relationsQuery())
  const { catalogue, pending } = useCatalogue()
  const [known, joins] = [datasets.data ?? NONE, relations.data ?? NONE]
  const link = useCallback(
    <T extends Dataset>(dataset: T): Linked<T> => ({
      ...linkDataset(dataset, known, joins),
      ...(catalogue ? { catalogue } : {}),
    }),
    [known, joins, catalogue],
  )
  return { link, pending: pending || datasets.isPending || relations.isPending }
}

/** One dataset with what relations join to it. */
export function useLinked(dataset: Dataset) {
  const { link, pending } = useLinks()
  return { linked: useMemo(() => link(dataset), [link, dataset]), pending }
}
