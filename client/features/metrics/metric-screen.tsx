import { QueryError } from '../../ui/query-view'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Metric } from '../../../src/shared/metrics'
import { useLinkDatasets } from '../../lib/query-builder/linked-datasets'
import { MetricForm } from './metric-form'
import { metricQuery } from './queries'
import { loadedDatasetsQuery } from '../../lib/queries/data-source-queries'
import { EmptyState } from '../../ui/empty-state'
import { ErrorState } from '../../ui/error-state'
import { LinkButton } from '../../ui/buttons/links'
import { ScreenSkeleton } from '../../ui/skeletons'

export interface MetricScreenProps {
  id: string
  renderMonitoring?: (metric: Metric) => ReactNode
}

export function MetricScreen({ id, renderMonitoring }: MetricScreenProps) {
  const metric = useQuery(metricQuery(id))
  const datasets = useQuery(loadedDatasetsQuery())
  const { link, pending } = useLinkDatasets()
  if (metric.isPending || datasets.isPending || pending) return <ScreenSkeleton />
  const error = metric.error ?? datasets.error
  if (!metric.data || !datasets.data)
    return <ErrorState error={error} onRetry={() => void Promise.all([metric.refetch(), datasets.refetch()])} isPage />
  return (
    <MetricForm
      key={id}
      metric={metric.data}
      datasets={datasets.data}
      link={link}
      monitoring={renderMonitoring?.(metric.data)}
    />
  )
}

export function NewMetricScreen() {
  const { dataset, formula } = useSearch({ strict: false })
  const datasets = useQuery(loadedDatasetsQuery())
  const { link, pending } = useLinkDatasets()
  if (datasets.isPending || pending) return <ScreenSkeleton />
  if (!datasets.data) return <QueryError query={datasets} />
  if (datasets.data.length === 0)
    return (
      <EmptyState
        picture="sources"
        title="No data yet"
        sentence="Import data to define metrics."
        action={<LinkButton to="/data-sources/new">Connect source</LinkButton>}
      />
    )
  return <MetricForm metric={null} datasets={datasets.data} link={link} defaults={{ dataset, formula }} />
}
