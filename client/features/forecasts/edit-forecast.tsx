import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import type { UseFormReturnType } from '@mantine/form'
import type { Forecast } from '../../../src/shared/forecasts'
import { ErrorState } from '../../ui/error-state'
import { LinkAnchor } from '../../ui/links'
import { PageHeader } from '../../ui/page-header'
import { ScreenSkeleton } from '../../ui/skeletons'
import { useFollowables } from './followable'
import { ForecastForm } from './forecast-form'
import { forecastValuesOf } from './forecast-values'
import type { ForecastValues } from './forecast-values'
import { useUpdateForecast } from './queries'

interface EditForecastProps {
  forecast: Forecast
  onDone: () => void
  /** The editor of one-offs within the form. */
  events?: (form: UseFormReturnType<ForecastValues>) => ReactNode
}

/** The settings of a forecast; saving them computes it anew. */
export function EditForecast({ forecast, onDone, events }: EditForecastProps) {
  const { all, error, retry } = useFollowables()
  const update = useUpdateForecast()
  const { id, version } = forecast
  return (
    <>
      <PageHeader
        title={`Edit ${forecast.name}`}
        above={
          <LinkAnchor to="/forecasts/$id" params={{ id }}>
            {forecast.name}
          </LinkAnchor>
        }
      />
      {error !== null && <ErrorState error={error} onRetry={retry} />}
      {!all && error === null && <ScreenSkeleton />}
      {all && (
        <ForecastForm
          initial={forecastValuesOf(forecast)}
          followables={all}
          action="Save forecast"
          onCancel={onDone}
          saving={{
            ...{ isPending: update.isPending, error: update.error },
            mutate: (input, after) =>
              update.mutate(
                { ...input, id, version },
                {
                  ...after,
                  onSuccess: (saved) => {
                    notifications.show({ color: 'green', message: `${saved.name} saved. It is computed anew.` })
                    onDone()
                  },
                },
              ),
          }}
          {...(events ? { events } : {})}
        />
      )}
    </>
  )
}
