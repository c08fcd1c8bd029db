import { QueryError } from '../../../ui/query-view'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { countLimitedInsights, insightsQuery } from '../queries'
import { useFormat } from '../../../lib/format'
import { newestDraftBase } from '../../../lib/writes/kept-draft'
import { useMayWrite, useRoleWithoutSeat, useMay } from '../../../lib/gate'
import { useSession } from '../../../lib/session'
import { LinkButton, LinkAnchor } from '../../../ui/buttons/links'
import { UpgradePrompt } from '../../../ui/upgrade-prompt'
import type { Dataset } from '../../../../src/shared/data-sources/data-sources'
import { EmptyState } from '../../../ui/empty-state'
import { PageHeader } from '../../../ui/page-header'
import { ScreenSkeleton } from '../../../ui/skeletons'
import { InsightBuilder } from './insight-builder'
import { startDataset, newInsightDraft, type NewInsightParams } from './new-insight-draft'
import { todayIn, useDataRange } from '../data-range'
import { InsightsEmptyState } from '../list/insights-empty-state'
import { loadedDatasetsQuery, type DatasetWithSource } from '../../../lib/queries/data-source-queries'
import { useCatalogue, type SemanticCatalogue } from '../../../lib/query-builder/catalogue'
import { useLinkedDataset } from '../../../lib/query-builder/linked-datasets'

/** Shows its children while the plan has room for another insight; says so before one is built, not after. */
export function InsightLimitGate({ children }: { children: ReactNode }) {
  const format = useFormat()
  const may = useMayWrite('create:insight')
  const max = useSession().workspace?.entitlements.features.customInsights ?? null
  const list = useInfiniteQuery({ ...insightsQuery({ q: '', deleted: false }), enabled: may && max !== null })
  const used = countLimitedInsights(list.data?.pages)
  if (!may || max === null || used < max) return children
  return (
    <UpgradePrompt
      need={{ kind: 'limit', limit: 'customInsights', count: used + 1 }}
      title={`All ${format.count(max)} custom insights are in use`}
      sentence="Edit or delete one. Sample insights and kept suggestions don’t count."
      secondaryAction={
        <LinkButton to="/insights" variant="default">
          View insights
        </LinkButton>
      }
    />
  )
}

/** What a new insight begins from, as text and back: unsaved work on it is found by this. */
const toStartKey = ({ metric, grouping }: NewInsightParams, { id }: Dataset): string =>
  JSON.stringify({ dataset: id, metric, grouping })
function parseStartKey(text: string | null): NewInsightParams | null {
  const parsed: NewInsightParams | null = JSON.parse(text ?? 'null')
  return parsed
}

const EMPTY_CATALOGUE: SemanticCatalogue = { metrics: [], groupings: [] }

export function InsightNewScreen() {
  const { dataset: wanted, metric, grouping } = useSearch({ strict: false })
  const wantsNothing = wanted === undefined && metric === undefined && grouping === undefined
  const [unsaved] = useState(() => parseStartKey(newestDraftBase('insight:new:')))
  const params: NewInsightParams = wantsNothing && unsaved ? unsaved : { dataset: wanted, metric, grouping }
  const { catalogue, pending } = useCatalogue()
  const datasets = useQuery(loadedDatasetsQuery())
  const may = useMay('create:insight')
  const waiting = datasets.isPending || pending
  const chosen =
    datasets.data && !pending ? startDataset(params, datasets.data, catalogue ?? EMPTY_CATALOGUE) : undefined
  return (
    <>
      <PageHeader title="New insight" />
      {!may && <ReadOnlyNotice />}
      {may && waiting && <ScreenSkeleton />}
      {may && datasets.error && <QueryError query={datasets} />}
      {may && datasets.data && !waiting && !chosen && <InsightsEmptyState />}
      {may && chosen && (
        <InsightLimitGate>
          <NewInsightBuilder
            key={toStartKey(params, chosen)}
            start={params}
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
      title="You can view insights"
      sentence={
        heldBack
          ? 'Create your own when the plan has a seat for you.'
          : 'Ask an owner or admin for the analyst role to create your own.'
      }
      action={<LinkAnchor to="/insights">View insights</LinkAnchor>}
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
      startKey={toStartKey(start, dataset)}
      onSaved={({ id }, isUnfinished) =>
        void navigate({ to: '/insights/$id', params: { id }, search: isUnfinished ? { tab: 'edit' } : {} })
      }
      onCancel={() => void navigate({ to: '/insights' })}
    />
  )
}
