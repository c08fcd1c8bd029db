import { useQuery } from '@tanstack/react-query'
import { MetricForm } from './metric-form'
import { metricQuery } from './queries'
import { loadedDatasetsQuery } from '../../lib/loaded-datasets'
import { EmptyState } from '../../ui/empty-state'
import { ErrorState } from '../../ui/error-state'
import { LinkButton } from '../../ui/links'
import { ScreenSkeleton } from '../../ui/skeletons'

/** A metric that is there. */
export function MetricScreen({ id }: { id: string }) {
  const metric = useQuery(metricQuery(id))
  const datasets = useQuery(loadedDatasetsQuery())
  if (metric.isPending || datasets.isPending) return <ScreenSkeleton />
  const error = metric.error ?? datasets.error
  if (!metric.data || !datasets.data)
    return <ErrorState error={error} onRetry={() => void Promise.all([metric.refetch(), datasets.refetch()])} />
  return <MetricForm key={metric.data.version} metric={metric.data} datasets={datasets.data} />
}

/** A new one. */
export function NewMetricScreen() {
  const datasets = useQuery(loadedDatasetsQuery())
  if (datasets.isPending) return <ScreenSkeleton />
  if (!datasets.data) return <ErrorState error={datasets.error} onRetry={() => void datasets.refetch()} />
  if (datasets.data.length === 0)
    return (
      <EmptyState
        picture="sources"
        title="There is nothing to measure yet"
        sentence="Bring in data first; then a figure can be given a name."
        action={<LinkButton to="/data-sources/new">Connect source</LinkButton>}
      />
    )
  return <MetricForm metric={null} datasets={datasets.data} />
}
