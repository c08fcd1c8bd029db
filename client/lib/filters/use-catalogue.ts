import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { groupingsQuery, metricsQuery } from './catalogue'
import type { SemanticCatalogue } from './catalogue'

/** Metrics and groupings of the workspace; absent when they cannot be read. */
export function useCatalogue({ enabled = true }: { enabled?: boolean } = {}): {
  catalogue: SemanticCatalogue | undefined
  pending: boolean
} {
  const metrics = useQuery({ ...metricsQuery(), enabled })
  const groupings = useQuery({ ...groupingsQuery(), enabled })
  const [named, grouped] = [metrics.data, groupings.data]
  const catalogue = useMemo(
    () => (named && grouped ? { metrics: named, groupings: grouped } : undefined),
    [named, grouped],
  )
  return { catalogue, pending: metrics.isPending || groupings.isPending }
}
