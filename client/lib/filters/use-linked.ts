import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Dataset } from '../../../src/shared/sources'
import { loadedDatasetsQuery } from '../loaded-datasets'
import { relationsQuery } from './calls'
import { linkDataset } from './linked-datasets'

const NONE: never[] = []

/** A dataset with what relations join to it; by itself alone when they cannot be read. */
export function useLinked(dataset: Dataset) {
  const datasets = useQuery(loadedDatasetsQuery())
  const relations = useQuery(relationsQuery())
  const [known, joins] = [datasets.data ?? NONE, relations.data ?? NONE]
  const linked = useMemo(() => linkDataset(dataset, known, joins), [dataset, known, joins])
  return { linked, pending: datasets.isPending || relations.isPending }
}
