import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { AccuracyLog } from '../../../src/shared/forecast-accuracy'
import type { Prepared } from '../../../src/shared/forecast-result'
import type {
  CreateForecastInput,
  Forecast,
  ForecastCard,
  ForecastRun,
  ForecastRunWithResult,
  ForecastSettingsInput,
  SaveScenarios,
  UpdateForecastInput,
} from '../../../src/shared/forecasts'
import type { Page } from '../../../src/shared/names'
import { idempotencyKey, send } from '../../lib/api'

const PAGE = '25'
const ROOT = '/api/forecasts'

async function read<T>(path: string, signal: AbortSignal): Promise<T> {
  const body: T = await (await send(`${ROOT}${path}`, { signal })).json()
  return body
}
interface Write {
  method: 'POST' | 'PUT' | 'DELETE'
  json?: unknown
}
async function write<T>(path: string, { method, json }: Write): Promise<T> {
  const headers = { 'idempotency-key': idempotencyKey() }
  const response = await send(`${ROOT}${path}`, {
    ...{ method, headers },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const body: T = await response.json()
  return body
}
const searchOf = (query: Record<string, string | undefined>): string => {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined || value === '' ? [] : [[name, value]],
    ),
  ).toString()
  return search === '' ? '' : `?${search}`
}

/** Forecasts by name, or those of one insight or metric. */
export const forecastsQuery = (of: { q?: string; insight?: string; metric?: string } = {}) =>
  infiniteQueryOptions({
    queryKey: ['forecasts', 'list', of],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      read<Page<ForecastCard>>(searchOf({ limit: PAGE, ...of, cursor: pageParam }), signal),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

export const forecastQuery = (id: string) =>
  queryOptions({
    queryKey: ['forecasts', 'one', id],
    queryFn: ({ signal }) => read<Forecast>(`/${id}`, signal),
  })

/** Its runs, the newest first. */
export const forecastRunsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['forecasts', 'runs', id],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      read<Page<ForecastRun>>(`/${id}/runs${searchOf({ limit: PAGE, cursor: pageParam })}`, signal),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

/** One run with what it found; it never changes once it has ended. */
export const forecastRunQuery = (id: string, runId: string) =>
  queryOptions({
    queryKey: ['forecasts', 'run', id, runId],
    queryFn: ({ signal }) => read<ForecastRunWithResult>(`/${id}/runs/${runId}`, signal),
  })

/** Every past forecast against what came. */
export const forecastAccuracyQuery = (id: string) =>
  queryOptions({
    queryKey: ['forecasts', 'accuracy', id],
    queryFn: ({ signal }) => read<AccuracyLog>(`/${id}/accuracy`, signal),
  })

/** The figures that a forecast with these settings is made from, with the rights of whoever looks. New rows make it stale. */
export const forecastPreviewQuery = (settings: ForecastSettingsInput) =>
  queryOptions({
    queryKey: ['figures', 'forecast-preview', settings],
    queryFn: async ({ signal }) => {
      const init = { method: 'POST', body: JSON.stringify(settings), signal }
      const prepared: Prepared = await (await send(`${ROOT}/preview`, init)).json()
      return prepared
    },
    retry: false,
  })

const createForecast = (json: CreateForecastInput) => write<Forecast>('', { method: 'POST', json })
const updateForecast = ({ id, ...json }: UpdateForecastInput & { id: string }) =>
  write<Forecast>(`/${id}`, { method: 'PUT', json })
const runForecast = (id: string) => write<ForecastRun>(`/${id}/run`, { method: 'POST', json: {} })
const saveScenarios = ({ id, ...json }: SaveScenarios & { id: string }) =>
  write<Forecast>(`/${id}/scenarios`, { method: 'PUT', json })
const deleteForecast = ({ id, version }: Pick<Forecast, 'id' | 'version'>) =>
  write<Forecast>(`/${id}?version=${version}`, { method: 'DELETE' })

/** Whatever the outcome, the server says anew what stands. */
function useForecastWrite<In, Out>(mutationFn: (input: In) => Promise<Out>) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSettled: () => client.invalidateQueries({ queryKey: ['forecasts'] }) })
}
export const useCreateForecast = () => useForecastWrite(createForecast)
export const useUpdateForecast = () => useForecastWrite(updateForecast)
/** Asks for a run; it is done in the background, and an open page is told of it. */
export const useRunForecast = () => useForecastWrite(runForecast)
export const useSaveScenarios = () => useForecastWrite(saveScenarios)

/** Its own screen stands until the list is there, and must not ask for what is gone. */
export function useDeleteForecast() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: deleteForecast,
    onSuccess: () => client.invalidateQueries({ queryKey: ['forecasts', 'list'] }),
  })
}
