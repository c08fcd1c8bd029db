import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Dataset } from '../../../src/shared/sources'
import { useRoleWithoutSeat, useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { EmptyState } from '../../ui/empty-state'
import { ErrorState } from '../../ui/error-state'
import { LinkAnchor } from '../../ui/links'
import { PageHeader } from '../../ui/page-header'
import { ScreenSkeleton } from '../../ui/skeletons'
import { InsightBuilder } from './builder'
import { startDataset, newInsightDraft } from './draft-starts'
import type { NewInsightParams } from './draft-starts'
import { todayIn } from './history'
import { InsightsEmptyState } from './no-insights'
import { loadedDatasetsQuery } from '../../lib/loaded-datasets'
import type { DatasetWithSource } from '../../lib/loaded-datasets'
import { InsightLimitGate } from './room-for-insight'
import { useDataRange } from './use-history'
import type { SemanticCatalogue } from '../../lib/filters/catalogue'
import { useCatalogue } from '../../lib/filters/use-catalogue'
import { useLinkedDataset } from '../../lib/filters/use-linked'

const EMPTY_CATALOGUE: SemanticCatalogue = { metrics: [], groupings: [] }

export function InsightNewScreen() {
  const { dataset: wanted, metric, grouping } = useSearch({ strict: false })
  const newInsightParams: NewInsightParams = { dataset: wanted, metric, grouping }
  const { catalogue, pending } = useCatalogue()
  const datasets = useQuery(loadedDatasetsQuery())
  const may = useMay('create:insight')
  const waiting = datasets.isPending || pending
  const chosen =
    datasets.data && !pending ? startDataset(newInsightParams, datasets.data, catalogue ?? EMPTY_CATALOGUE) : undefined
  return (
    <>
      <PageHeader title="New insight" description="Choose what to measure; the preview follows." />
      {!may && <ReadOnlyNotice />}
      {may && waiting && <ScreenSkeleton />}
      {may && datasets.error && <ErrorState error={datasets.error} onRetry={() => void datasets.refetch()} />}
      {may && datasets.data && !waiting && !chosen && <InsightsEmptyState />}
      {may && chosen && (
        <InsightLimitGate>
          <NewInsightBuilder
            key={[chosen.id, metric, grouping].join(' ')}
            start={newInsightParams}
            dataset={chosen}
            datasets={datasets.data ?? []}
          />
        </InsightLimitGate>
      )}
    </>
  )
}

/** Why somebody cannot make insights: their role, or a plan without a seat for it, of which more stands above. */
function ReadOnlyNotice() {
  const heldBack = useRoleWithoutSeat() !== null
  return (
    <EmptyState
      picture="locked"
      title="You can read insights here"
      sentence={
        heldBack
          ? 'You can make your own again as soon as the plan has a seat for you.'
          : 'Ask an owner or administrator for the role of analyst to make your own.'
      }
      action={<LinkAnchor to="/insights">See the insights</LinkAnchor>}
    />
  )
}

/** Waits for the history of the data, so that the first chart is of days that exist. */
function NewInsightBuilder({
  start,
  dataset,
  datasets,
}: {
  start: NewInsightParams
  dataset: Dataset
  datasets: DatasetWithSource[]
}) {
  const navigate = useNavigate()
  const timeZone = useSession().workspace?.settings.timeZone ?? 'UTC'
  const [today] = useState(() => todayIn(timeZone, new Date()))
  const { dataRange, pending } = useDataRange(dataset)
  const { linked, pending: linking } = useLinkedDataset(dataset)
  if (pending || linking) return <ScreenSkeleton />
  return (
    <InsightBuilder
      dataset={linked}
      datasets={datasets}
      onDataset={(id) => void navigate({ to: '/insights/new', search: { dataset: id }, replace: true })}
      onSwitchDataset={({ id }) => void navigate({ to: '/insights/new', search: { metric: id }, replace: true })}
      dataRange={dataRange}
      initial={newInsightDraft({ params: start, dataset: linked, dataRange, today })}
      insight={null}
      onSaved={(saved) => void navigate({ to: '/insights/$id', params: { id: saved.id } })}
      onCancel={() => void navigate({ to: '/insights' })}
    />
  )
}
