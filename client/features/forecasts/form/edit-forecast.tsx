import { VersionConflictAlert } from '../../../ui/forms/version-conflict-dialog'
import { conflictingVersion } from '../../../lib/error-details'
import { notifications } from '@mantine/notifications'
import { useState, type ReactNode } from 'react'
import type { UseFormReturnType } from '@mantine/form'
import type { Forecast, UpdateForecastInput } from '../../../../src/shared/forecasts/forecasts'
import { ErrorState } from '../../../ui/error-state'
import { LinkAnchor } from '../../../ui/buttons/links'
import { PageHeader } from '../../../ui/page-header'
import { ScreenSkeleton } from '../../../ui/skeletons'
import { useForecastableMetrics } from './forecastable-metrics'
import { ForecastForm } from './forecast-form'
import { toFormValues, type ForecastFormValues } from './form-values'
import { horizonLabel } from '../view/forecast-labels'
import { useUpdateForecast } from '../queries'

interface EditForecastProps {
  forecast: Forecast
  onDone: () => void
  /** The editor of one-offs within the form. */
  events?: (form: UseFormReturnType<ForecastFormValues>) => ReactNode
}

/** The settings of a forecast; saving them runs it again. */
export function EditForecast({ forecast, onDone, events }: EditForecastProps) {
  const { all, error, retry } = useForecastableMetrics()
  // What the form began with: somebody else's version that comes meanwhile is not saved over unseen.
  const [from, setFrom] = useState(forecast)
  const saving = useForecastSave(from, onDone)
  const { id } = from
  return (
    <>
      <PageHeader
        title={`Edit ${forecast.name}`}
        breadcrumb={
          <LinkAnchor to="/forecasts/$id" params={{ id }}>
            {forecast.name}
          </LinkAnchor>
        }
      />
      {error !== null && <ErrorState error={error} onRetry={retry} />}
      {!all && error === null && <ScreenSkeleton />}
      <VersionConflict
        theirs={saving.theirs}
        onKeep={saving.keepMine}
        onTake={(theirs) => {
          saving.reset()
          setFrom(theirs)
        }}
      />
      {all && (
        <ForecastForm
          key={from.version}
          initial={toFormValues(from)}
          forecastables={all}
          draftOf={{ name: `forecast:${id}`, base: String(from.version) }}
          action="Save forecast"
          onCancel={onDone}
          saving={saving}
          {...(events ? { events } : {})}
        />
      )}
    </>
  )
}

function useForecastSave({ id, version }: Forecast, onDone: () => void) {
  const update = useUpdateForecast()
  const theirs = conflictingVersion(update.error, isForecast)
  const save = (
    input: UpdateForecastInput & { id: string },
    after: { onError?: (error: unknown) => void; onSaved?: () => void } = {},
  ): void =>
    update.mutate(input, {
      ...after,
      onSuccess: () => {
        notifications.show({ color: 'green', message: 'Forecast saved' })
        after.onSaved?.()
        onDone()
      },
    })
  return {
    ...{ theirs, isPending: update.isPending, reset: update.reset, error: theirs ? null : update.error },
    mutate: (input: Omit<UpdateForecastInput, 'version'>, after: { onError: (error: unknown) => void }) =>
      save({ ...input, id, version }, after),
    keepMine: (over: Forecast) => {
      if (update.variables) save({ ...update.variables, version: over.version })
    },
  }
}

const isForecast = (value: object): value is Forecast => 'horizon' in value && 'version' in value

interface VersionConflictProps {
  theirs: Forecast | null
  onKeep: (theirs: Forecast) => void
  onTake: (theirs: Forecast) => void
}
/** Somebody else saved first: which version stays. */
function VersionConflict({ theirs, onKeep, onTake }: VersionConflictProps) {
  if (!theirs) return null
  return (
    <VersionConflictAlert mb="md" onKeepMine={() => onKeep(theirs)} onTakeTheirs={() => onTake(theirs)}>
      Theirs: {theirs.name}, {horizonLabel(theirs)}.
    </VersionConflictAlert>
  )
}
