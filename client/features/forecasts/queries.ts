import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
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
import type { ListPage } from '../../../src/shared/field-schemas'
import { readJson, api, withIdempotencyKey } from '../../lib/api'

const PAGE = '25'
const pageOf = (cursor: string) => ({ limit: PAGE, ...(cursor === '' ? {} : { cursor }) })

/** Absent rather than empty: nothing is looked for by an empty name. */
const nonEmptySearch = ({ q, ...of }: { q?: string; insight?: string; metric?: string }) => ({
  ...of,
  ...(q === undefined || q === '' ? {} : { q }),
})
/** Forecasts by name, or those of one insight or metric. */
export const forecastsQuery = (of: { q?: string; insight?: string; metric?: string } = {}) =>
  infiniteQueryOptions({
    queryKey: ['forecasts', 'list', of],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      readJson<ListPage<ForecastListItem>>(
        api.api.forecasts.$get({ query: { ...pageOf(pageParam), ...nonEmptySearch(of) } }, { init: { signal } }),
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

export const forecastQuery = (id: string) =>
  queryOptions({
    queryKey: ['forecasts', 'one', id],
    queryFn: ({ signal }) => readJson<Forecast>(api.api.forecasts[':id'].$get({ param: { id } }, { init: { signal } })),
  })

/** Its runs, the newest first. */
export const forecastRunsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['forecasts', 'runs', id],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      readJson<ListPage<ForecastRun>>(
        api.api.forecasts[':id'].runs.$get({ param: { id }, query: pageOf(pageParam) }, { init: { signal } }),
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

/** One run with what it found; it never changes once it has ended. */
export const forecastRunQuery = (id: string, runId: string) =>
  queryOptions({
    queryKey: ['forecasts', 'run', id, runId],
    queryFn: ({ signal }) =>
      readJson<ForecastRunWithResult>(
        api.api.forecasts[':id'].runs[':runId'].$get({ param: { id, runId } }, { init: { signal } }),
      ),
  })

/** Every past forecast against what came. */
export const forecastAccuracyQuery = (id: string) =>
  queryOptions({
    queryKey: ['forecasts', 'accuracy', id],
    queryFn: ({ signal }) =>
      readJson<AccuracyLog>(api.api.forecasts[':id'].accuracy.$get({ param: { id } }, { init: { signal } })),
  })

/** The figures that a forecast with these settings is made from, with the rights of whoever looks. New rows make it stale. */
export const forecastPreviewQuery = (settings: ForecastSettingsInput) =>
  queryOptions({
    queryKey: ['figures', 'forecast-preview', settings],
    queryFn: ({ signal }) =>
      readJson<ForecastInput>(api.api.forecasts.preview.$post({ json: settings }, { init: { signal } })),
    retry: false,
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
function useForecastMutation<In, Out>(mutationFn: (input: In) => Promise<Out>) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: ['forecasts'] }) })
}
export const useCreateForecast = () => useForecastMutation(createForecast)
export const useUpdateForecast = () => useForecastMutation(updateForecast)
/** Asks for a run; it is done in the background, and an open page is told of it. */
export const useRunForecast = () => useForecastMutation(runForecast)
export const useSaveScenarios = () => useForecastMutation(saveScenarios)

/** Its own screen stands until the list is there, and must not ask for what is gone. */
export function useDeleteForecast() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: deleteForecast,
    onSuccess: () => client.invalidateQueries({ queryKey: ['forecasts', 'list'] }),
  })
}
