import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { UseFormReturnType } from '@mantine/form'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRoleWithoutSeat, useMay, useMayWrite } from '../../lib/gate'
import { EmptyState } from '../../ui/empty-state'
import { ErrorState } from '../../ui/error-state'
import { LinkAnchor, LinkButton } from '../../ui/buttons/links'
import { PageHeader } from '../../ui/page-header'
import { ScreenSkeleton } from '../../ui/skeletons'
import { useForecastableMetrics, type ForecastableMetric } from './form/forecastable-metrics'
import { defaultName } from './form/forecast-fields'
import { ForecastForm } from './form/forecast-form'
import { newFormValues, type ForecastFormValues } from './form/form-values'
import { useCreateForecast, forecastsQuery } from './queries'
import { useFormat } from '../../lib/format'
import { useSession } from '../../lib/session'
import { UpgradePrompt } from '../../ui/upgrade-prompt'

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
      <PageHeader title="New forecast" breadcrumb={<LinkAnchor to="/forecasts">Forecasts</LinkAnchor>} />
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
      draftOf={{ name: `forecast:new:${wanted ?? ''}`, base: null }}
      action="Create forecast"
      onCancel={() => void navigate({ to: '/forecasts' })}
      saving={{
        ...{ isPending: create.isPending, error: create.error },
        mutate: (input, after) =>
          create.mutate(input, {
            ...after,
            onSuccess: ({ id }) => {
              after.onSaved()
              void navigate({ to: '/forecasts/$id', params: { id } })
            },
          }),
      }}
      {...(events ? { events } : {})}
    />
  )
}

const NothingToForecast = () => (
  <EmptyState
    picture="insights"
    title="Nothing to forecast yet"
    sentence="Forecasts need a metric or insight with a date column."
    action={<LinkButton to="/insights/new">Create insight</LinkButton>}
  />
)

/** Why somebody cannot make forecasts: their role, or a plan without a seat for it, of which more stands above. */
function NoPermission() {
  const heldBack = useRoleWithoutSeat() !== null
  return (
    <EmptyState
      picture="locked"
      title="You can view forecasts"
      sentence={
        heldBack
          ? 'You can create forecasts when the plan has a seat for you.'
          : 'Ask an owner or administrator for the analyst role.'
      }
      action={<LinkAnchor to="/forecasts">View forecasts</LinkAnchor>}
    />
  )
}

/** Shows its children while the plan has room for another forecast; says so before one is set up, not after. */
function ForecastLimitGate({ children }: { children: ReactNode }) {
  const format = useFormat()
  const may = useMayWrite('edit:forecast')
  const max = useSession().workspace?.entitlements.features.activeForecasts ?? null
  const list = useInfiniteQuery({ ...forecastsQuery(), enabled: may && max !== null })
  const used = list.data?.pages.flatMap(({ items }) => items).length ?? 0
  if (!may || max === null || used < max) return children
  return (
    <UpgradePrompt
      need={{ kind: 'limit', limit: 'activeForecasts', count: used + 1 }}
      title={`Limit of ${format.count(max)} active forecasts reached`}
      sentence="Upgrade, or delete a forecast."
      secondaryAction={
        <LinkButton to="/forecasts" variant="default">
          View forecasts
        </LinkButton>
      }
    />
  )
}
