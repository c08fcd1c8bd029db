import { retryWhenBusy, useInvalidatingMutation } from '../../lib/queries/query-client'
import { jsonQuery, pagesQuery, questionQuery } from '../../lib/queries/query-options'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { AccuracyLog } from '../../../src/shared/forecasts/accuracy'
import type { ForecastInput } from '../../../src/shared/forecasts/result'
import type {
  CreateForecastInput,
  Forecast,
  ForecastListItem,
  ForecastRun,
  ForecastRunWithResult,
  ForecastSettingsInput,
  SaveScenarios,
  UpdateForecastInput,
} from '../../../src/shared/forecasts/forecasts'
import { readJson, api, withIdempotencyKey } from '../../lib/api'

const PAGE = '25'
/** Forecasts by name, or those of one insight or metric. */
export const forecastsQuery = (of: { q?: string; insight?: string; metric?: string } = {}) =>
  pagesQuery<ForecastListItem>(['forecasts', 'list', of], (cursor, options) => {
    const { q, insight, metric } = of
    return api.api.forecasts.$get({ query: { limit: PAGE, cursor, insight, metric, q: q || undefined } }, options)
  })

export const forecastQuery = (id: string) =>
  jsonQuery<Forecast>(['forecasts', 'one', id], (options) => api.api.forecasts[':id'].$get({ param: { id } }, options))

/** Its runs, the newest first. */
export const forecastRunsQuery = (id: string) =>
  pagesQuery<ForecastRun>(['forecasts', 'runs', id], (cursor, options) =>
    api.api.forecasts[':id'].runs.$get({ param: { id }, query: { limit: PAGE, cursor } }, options),
  )

/** One run with what it found; it never changes once it has ended. */
export const forecastRunQuery = (id: string, runId: string) =>
  jsonQuery<ForecastRunWithResult>(['forecasts', 'run', id, runId], (options) =>
    api.api.forecasts[':id'].runs[':runId'].$get({ param: { id, runId } }, options),
  )

/** Every past forecast against what came. */
export const forecastAccuracyQuery = (id: string) =>
  jsonQuery<AccuracyLog>(['forecasts', 'accuracy', id], (options) =>
    api.api.forecasts[':id'].accuracy.$get({ param: { id } }, options),
  )

/** The figures that a forecast with these settings is made from, with the rights of whoever looks. New rows make it stale. */
export const forecastPreviewQuery = (settings: ForecastSettingsInput) =>
  queryOptions({
    ...questionQuery<ForecastInput>(['figures', 'forecast-preview', settings], (options) =>
      api.api.forecasts.preview.$post({ json: settings }, options),
    ),
    retry: retryWhenBusy,
  })

const createForecast = (json: CreateForecastInput) =>
  readJson<Forecast>(api.api.forecasts.$post({ json }, withIdempotencyKey()))
const updateForecast = ({ id, ...json }: UpdateForecastInput & { id: string }) =>
  readJson<Forecast>(api.api.forecasts[':id'].$put({ param: { id }, json }, withIdempotencyKey()))
const runForecast = (id: string) =>
  readJson<ForecastRun>(api.api.forecasts[':id'].run.$post({ param: { id } }, withIdempotencyKey()))
const saveScenarios = ({ id, ...json }: SaveScenarios & { id: string }) =>
  readJson<Forecast>(api.api.forecasts[':id'].scenarios.$put({ param: { id }, json }, withIdempotencyKey()))
const deleteForecast = ({ id, version }: Pick<Forecast, 'id' | 'version'>) =>
  readJson<{ id: string }>(
    api.api.forecasts[':id'].$delete({ param: { id }, query: { version: String(version) } }, withIdempotencyKey()),
  )

/** Whatever the outcome, the server says anew what stands. */
const FORECAST_QUERY_KEYS = ['forecasts']
export const useCreateForecast = () => useInvalidatingMutation(createForecast, FORECAST_QUERY_KEYS)
export const useUpdateForecast = () => useInvalidatingMutation(updateForecast, FORECAST_QUERY_KEYS)
/** Asks for a run; it is done in the background, and an open page is told of it. */
export const useRunForecast = () => useInvalidatingMutation(runForecast, FORECAST_QUERY_KEYS)
export const useSaveScenarios = () => useInvalidatingMutation(saveScenarios, FORECAST_QUERY_KEYS)

/** Its own screen stands until the list is there, and must not ask for what is gone. */
export function useDeleteForecast() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: deleteForecast,
    onSuccess: () => client.invalidateQueries({ queryKey: ['forecasts', 'list'] }),
  })
}
