import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Dataset } from '../../../src/shared/sources'
import { loadedDatasetsQuery } from '../loaded-datasets'
import { relationsQuery } from './calls'
import { useCatalogue } from './use-catalogue'
import { linkDataset } from './linked-datasets'

const NONE: never[] = []

/** A dataset with what relations join to it; by itself alone when they cannot be read. */
export function useLinked(dataset: Dataset) {
  const datasets = useQuery(loadedDatasetsQuery())
  const relations = useQuery(relationsQuery())
  const { catalogue, pending: naming } = useCatalogue()
  const [known, joins] = [datasets.data ?? NONE, relations.data ?? NONE]
  const linked = useMemo(() => linkDataset(dataset, known, joins), [dataset, known, joins])
  const whole = useMemo(() => (catalogue ? { ...linked, catalogue } : linked), [linked, catalogue])
  return { linked: whole, pending: naming || datasets.isPending || relations.isPending }
}
