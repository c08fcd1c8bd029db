import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { UseFormReturnType } from '@mantine/form'
import { useRoleWithoutSeat, useMay } from '../../lib/gate'
import { EmptyState } from '../../ui/empty-state'
import { ErrorState } from '../../ui/error-state'
import { LinkAnchor, LinkButton } from '../../ui/links'
import { PageHeader } from '../../ui/page-header'
import { ScreenSkeleton } from '../../ui/skeletons'
import { useForecastableMetrics } from './followable'
import type { ForecastableMetric } from './followable'
import { defaultName } from './forecast-fields'
import { ForecastForm } from './forecast-form'
import { newFormValues } from './forecast-values'
import type { ForecastFormValues } from './forecast-values'
import { useCreateForecast } from './queries'
import { ForecastLimitGate } from './room-for-forecast'

interface NewForecastProps {
  /** The editor of one-offs within the form. */
  events?: (form: UseFormReturnType<ForecastFormValues>) => ReactNode
}

/** `?metric=` or `?insight=` with `&measure=` say what it is about. */
export function ForecastNewScreen({ events }: NewForecastProps) {
  const { metric, insight, measure } = useSearch({ strict: false })
  const { all, error, retry } = useForecastableMetrics()
  const may = useMay('edit:forecast')
  const wanted = metric ?? (insight === undefined ? undefined : `${insight}:${measure ?? 0}`)
  return (
    <>
      <PageHeader
        title="New forecast"
        breadcrumb={<LinkAnchor to="/forecasts">Forecasts</LinkAnchor>}
        description="What is likely to come, how sure that is, and how good such forecasts were before."
      />
      {!may && <NoPermission />}
      {may && error !== null && <ErrorState error={error} onRetry={retry} />}
      {may && !all && error === null && <ScreenSkeleton />}
      {may && all?.length === 0 && <NothingToForecast />}
      {may && all && all.length > 0 && (
        <ForecastLimitGate>
          <NewForecastForm key={wanted} all={all} wanted={wanted} {...(events ? { events } : {})} />
        </ForecastLimitGate>
      )}
    </>
  )
}

function NewForecastForm({
  all,
  wanted,
  events,
}: NewForecastProps & { all: readonly ForecastableMetric[]; wanted: string | undefined }) {
  const navigate = useNavigate()
  const create = useCreateForecast()
  const chosen = all.find(({ key }) => key === wanted)
  return (
    <ForecastForm
      initial={newFormValues(chosen?.subject ?? null, chosen ? defaultName(chosen) : '', chosen?.grain ?? undefined)}
      forecastables={all}
      action="Make forecast"
      onCancel={() => void navigate({ to: '/forecasts' })}
      saving={{
        ...{ isPending: create.isPending, error: create.error },
        mutate: (input, after) =>
          create.mutate(input, {
            ...after,
            onSuccess: ({ id }) => void navigate({ to: '/forecasts/$id', params: { id } }),
          }),
      }}
      {...(events ? { events } : {})}
    />
  )
}

const NothingToForecast = () => (
  <EmptyState
    picture="insights"
    title="There is no figure over time yet"
    sentence="A forecast follows a metric or an insight whose rows have a date. Make one first."
    action={<LinkButton to="/insights/new">Make an insight</LinkButton>}
  />
)

/** Why somebody cannot make forecasts: their role, or a plan without a seat for it, of which more stands above. */
function NoPermission() {
  const heldBack = useRoleWithoutSeat() !== null
  return (
    <EmptyState
      picture="locked"
      title="You can read forecasts here"
      sentence={
        heldBack
          ? 'You can make your own again as soon as the plan has a seat for you.'
          : 'Ask an owner or administrator for the role of analyst to make your own.'
      }
      action={<LinkAnchor to="/forecasts">See the forecasts</LinkAnchor>}
    />
  )
}
