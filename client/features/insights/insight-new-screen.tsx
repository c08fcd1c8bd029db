import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Dataset } from '../../../src/shared/sources'
import { useHeldBack, useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { EmptyState } from '../../ui/empty-state'
import { ErrorState } from '../../ui/error-state'
import { LinkAnchor } from '../../ui/links'
import { PageHeader } from '../../ui/page-header'
import { ScreenSkeleton } from '../../ui/skeletons'
import { Builder } from './builder'
import { startData, startDraft } from './draft-starts'
import type { Start } from './draft-starts'
import { todayIn } from './history'
import { NoInsights } from './no-insights'
import { loadedDatasetsQuery } from '../../lib/loaded-datasets'
import type { SourcedDataset } from '../../lib/loaded-datasets'
import { RoomForInsight } from './room-for-insight'
import { useHistory } from './use-history'
import type { Catalogue } from '../../lib/filters/catalogue'
import { useCatalogue } from '../../lib/filters/use-catalogue'
import { useLinked } from '../../lib/filters/use-linked'

const NOTHING: Catalogue = { metrics: [], groupings: [] }

export function InsightNewScreen() {
  const { dataset: wanted, metric, grouping } = useSearch({ strict: false })
  const start: Start = { dataset: wanted, metric, grouping }
  const { catalogue, pending } = useCatalogue()
  const datasets = useQuery(loadedDatasetsQuery())
  const may = useMay('create:insight')
  const waiting = datasets.isPending || pending
  const chosen = datasets.data && !pending ? startData(start, datasets.data, catalogue ?? NOTHING) : undefined
  return (
    <>
      <PageHeader title="New insight" description="Choose what to measure; the preview follows." />
      {!may && <ReadersOnly />}
      {may && waiting && <ScreenSkeleton />}
      {may && datasets.error && <ErrorState error={datasets.error} onRetry={() => void datasets.refetch()} />}
      {may && datasets.data && !waiting && !chosen && <NoInsights />}
      {may && chosen && (
        <RoomForInsight>
          <NewInsight
            key={[chosen.id, metric, grouping].join(' ')}
            start={start}
            dataset={chosen}
            datasets={datasets.data ?? []}
          />
        </RoomForInsight>
      )}
    </>
  )
}

/** Why somebody cannot make insights: their role, or a plan without a seat for it, of which more stands above. */
function ReadersOnly() {
  const heldBack = useHeldBack() !== null
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
function NewInsight({ start, dataset, datasets }: { start: Start; dataset: Dataset; datasets: SourcedDataset[] }) {
  const navigate = useNavigate()
  const timeZone = useSession().workspace?.settings.timeZone ?? 'UTC'
  const [today] = useState(() => todayIn(timeZone, new Date()))
  const { history, pending } = useHistory(dataset)
  const { linked, pending: linking } = useLinked(dataset)
  if (pending || linking) return <ScreenSkeleton />
  return (
    <Builder
      dataset={linked}
      datasets={datasets}
      onDataset={(id) => void navigate({ to: '/insights/new', search: { dataset: id }, replace: true })}
      onElsewhere={({ id }) => void navigate({ to: '/insights/new', search: { metric: id }, replace: true })}
      history={history}
      initial={startDraft({ start, dataset: linked, history, today })}
      insight={null}
      onSaved={(saved) => void navigate({ to: '/insights/$id', params: { id: saved.id } })}
      onCancel={() => void navigate({ to: '/insights' })}
    />
  )
}
