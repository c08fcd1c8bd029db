import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Dataset } from '../../../src/shared/sources'
import { loadedDatasetsQuery } from '../loaded-datasets'
import { relationsQuery } from './calls'
import { groupingsQuery, metricsQuery } from './catalogue'
import { linkDataset } from './linked-datasets'

const NONE: never[] = []

/** A dataset with what relations join to it; by itself alone when they cannot be read. */
export function useLinked(dataset: Dataset) {
  const datasets = useQuery(loadedDatasetsQuery())
  const relations = useQuery(relationsQuery())
  const metrics = useQuery(metricsQuery())
  const groupings = useQuery(groupingsQuery())
  const [known, joins] = [datasets.data ?? NONE, relations.data ?? NONE]
  const linked = useMemo(() => linkDataset(dataset, known, joins), [dataset, known, joins])
  const { metrics: named, groupings: grouped } = { metrics: metrics.data, groupings: groupings.data }
  const whole = useMemo(
    () => (named && grouped ? { ...linked, catalogue: { metrics: named, groupings: grouped } } : linked),
    [linked, named, grouped],
  )
  const pending = [datasets, relations, metrics, groupings].some(({ isPending }) => isPending)
  return { linked: whole, pending }
}
