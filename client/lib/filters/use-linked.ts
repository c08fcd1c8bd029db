import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type { Dataset } from '../../../src/shared/sources'
import { loadedDatasetsQuery } from '../loaded-datasets'
import { relationsQuery } from './calls'
import type { SemanticCatalogue } from './catalogue'
import type { LinkedDataset } from './fields'
import { useCatalogue } from './use-catalogue'
import { linkDataset } from './linked-datasets'

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

/** One dataset with what relations join to it. */
export function useLinkedDataset(dataset: Dataset) {
  const { link, pending } = useLinkDatasets()
  return { linked: useMemo(() => link(dataset), [link, dataset]), pending }
}
