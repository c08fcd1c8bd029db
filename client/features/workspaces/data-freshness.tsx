import { useQuery } from '@tanstack/react-query'
import { FreshnessBadge, useHasFreshnessStrip, type Freshness } from '../../ui/freshness'
import { formatRelativeTime } from '../../../src/shared/figures/formatter'
import type { DataSource } from '../../../src/shared/data-sources/data-sources'
import { loadTimes, sourcesFreshnessQuery } from '../../lib/queries/data-source-queries'
import { STALE_AFTER_MS } from '../../../src/shared/limits'

export interface FreshnessSummary {
  state: Freshness
  words: string
  detail: string
}

const formatSourceCount = (sources: readonly unknown[]): string =>
  sources.length === 1 ? '1 source' : `${sources.length} sources`

/** How current the workspace's data is as a whole; null without any source. `now` in epoch ms. */
export function summarizeFreshness(
  sources: readonly Pick<DataSource, 'name' | 'state' | 'datasets'>[],
  now: number,
): FreshnessSummary | null {
  if (sources.length === 0) return null
  const names = (some: readonly { name: string }[]): string => some.map(({ name }) => name).join(', ')
  const failed = sources.filter(({ state }) => state === 'failed' || state === 'degraded')
  if (failed.length > 0)
    return {
      state: 'failed',
      words: `${formatSourceCount(failed)} failed`,
      detail: `${names(failed)}: showing earlier data`,
    }
  const working = sources.filter(({ state }) => state === 'syncing' || state === 'connecting')
  if (working.length > 0) return { state: 'working', words: 'Importing data', detail: names(working) }
  const times = loadTimes(sources)
  const [oldest] = times
  const newest = times.at(-1)
  if (oldest === undefined || newest === undefined) return null
  const stale = now - Date.parse(oldest) > STALE_AFTER_MS
  return {
    state: stale ? 'stale' : 'fresh',
    words: `Updated ${formatRelativeTime(newest, now)}`,
    detail: stale ? `Oldest import ${formatRelativeTime(oldest, now)}` : `${formatSourceCount(sources)} up to date`,
  }
}

/** In the top bar: how current the workspace's data is, on pages that do not say so of their own figures. */
export function DataFreshness() {
  const { data, dataUpdatedAt } = useQuery(sourcesFreshnessQuery())
  const freshness = data && summarizeFreshness(data.items, dataUpdatedAt)
  const said = useHasFreshnessStrip()
  return freshness && !said ? <FreshnessBadge {...freshness} /> : null
}
