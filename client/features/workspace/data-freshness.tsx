import { useQuery } from '@tanstack/react-query'
import { summarizeFreshness } from './freshness'
import { sourcesFreshnessQuery } from '../../lib/sources-freshness'
import { FreshnessBadge } from '../../ui/freshness-badge'

/** In the top bar: how current the data behind every figure is. */
export function DataFreshness() {
  const { data, dataUpdatedAt } = useQuery(sourcesFreshnessQuery())
  const freshness = data && summarizeFreshness(data.items, dataUpdatedAt)
  return freshness ? <FreshnessBadge {...freshness} /> : null
}
