import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../../../lib/api'
import { pagesQuery } from '../../../lib/queries/query-options'
import { sourcesFreshnessQuery } from '../../../lib/queries/data-source-queries'
import { metricsQuery } from '../../../lib/query-builder/catalogue'
import type { Forecast } from '../../../../src/shared/forecasts/forecasts'
import type { Insight } from '../../../../src/shared/insights'
import type { Metric } from '../../../../src/shared/metrics'
import { findLedgerTables } from '../../../../src/shared/statements/ledger-tables'

const PAGE = '100'

const insightsQuery = (q: string) =>
  pagesQuery<Insight>(['insights', 'for-reports', q], (cursor, options) =>
    api.api.insights.$get({ query: { limit: PAGE, deleted: '0', q: q || undefined, cursor } }, options),
  )
const forecastsQuery = (q: string) =>
  pagesQuery<Pick<Forecast, 'id' | 'name'>>(['forecasts', 'for-reports', q], (cursor, options) =>
    api.api.forecasts.$get({ query: { limit: PAGE, cursor, q: q || undefined } }, options),
  )

/** Insights whose name has these letters, as far as a list shows them. */
export function usePickableInsights(q = ''): { items: Insight[]; isPending: boolean } {
  const list = useInfiniteQuery(insightsQuery(q))
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data])
  return { items, isPending: list.isPending }
}
export function usePickableForecasts(q = ''): { items: Pick<Forecast, 'id' | 'name'>[]; isPending: boolean } {
  const list = useInfiniteQuery(forecastsQuery(q))
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data])
  return { items, isPending: list.isPending }
}
export function usePickableMetrics(): { items: readonly Metric[]; isPending: boolean } {
  const list = useQuery(metricsQuery())
  return { items: list.data ?? [], isPending: list.isPending }
}
/** Sources that hold a ledger. */
export function useLedgers(): { items: { id: string; name: string }[]; isPending: boolean } {
  const sources = useQuery(sourcesFreshnessQuery())
  const items = useMemo(
    () => (sources.data?.items ?? []).filter(({ datasets }) => findLedgerTables(datasets) !== null),
    [sources.data],
  )
  return { items, isPending: sources.isPending }
}
