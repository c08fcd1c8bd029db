import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type { Alert, AlertEvent, AlertRulesInput, CreateAlertInput, AlertTestRun } from '../../../src/shared/alerts'
import type { DigestCadence, DigestSetting } from '../../../src/shared/digest'
import type { ForecastListItem } from '../../../src/shared/forecasts/forecasts'
import type { Insight } from '../../../src/shared/insights'
import type { Member } from '../../../src/shared/members'
import type { ListPage } from '../../../src/shared/field-schemas'
import { readJson, api, withIdempotencyKey } from '../../lib/api'

const PAGE_SIZE = '25'

export const alertsQuery = (subjectFilter: { insight?: string; metric?: string } = {}) =>
  infiniteQueryOptions({
    queryKey: ['alerts', 'list', subjectFilter],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      readJson<ListPage<Alert>>(
        api.api.alerts.$get(
          { query: { limit: PAGE_SIZE, ...subjectFilter, ...(pageParam === '' ? {} : { cursor: pageParam }) } },
          { init: { signal } },
        ),
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

export const alertQuery = (id: string) =>
  queryOptions({
    queryKey: ['alerts', 'one', id],
    queryFn: ({ signal }) => readJson<Alert>(api.api.alerts[':id'].$get({ param: { id } }, { init: { signal } })),
  })

export const alertEventsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['alerts', 'events', id],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      readJson<ListPage<AlertEvent>>(
        api.api.alerts[':id'].events.$get(
          { param: { id }, query: { limit: PAGE_SIZE, ...(pageParam === '' ? {} : { cursor: pageParam }) } },
          { init: { signal } },
        ),
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

/** When it would have gone off. The earlier answer stands until the next one is there. */
export const testRunQuery = (rules: AlertRulesInput) =>
  queryOptions({
    queryKey: ['figures', 'alert-test', rules],
    queryFn: ({ signal }) => readJson<AlertTestRun>(api.api.alerts.test.$post({ json: rules }, { init: { signal } })),
    placeholderData: keepPreviousData,
    retry: false,
  })

export const alertableInsightsQuery = () =>
  queryOptions({
    queryKey: ['insights', 'for-alerts'],
    queryFn: async ({ signal }) =>
      (await readJson<ListPage<Insight>>(api.api.insights.$get({ query: { limit: '100' } }, { init: { signal } })))
        .items,
  })

export const alertableForecastsQuery = () =>
  queryOptions({
    queryKey: ['forecasts', 'for-alerts'],
    queryFn: async ({ signal }) =>
      (
        await readJson<ListPage<ForecastListItem>>(
          api.api.forecasts.$get({ query: { limit: '100' } }, { init: { signal } }),
        )
      ).items,
  })

export const alertRecipientsQuery = () =>
  queryOptions({
    queryKey: ['members', 'for-alerts'],
    queryFn: async ({ signal }) => {
      const page = await readJson<ListPage<Member>>(
        api.api.members.$get({ query: { limit: '100' } }, { init: { signal } }),
      )
      return page.items.filter(({ role }) => role !== 'client')
    },
  })

export const digestQuery = () =>
  queryOptions({
    queryKey: ['digest'],
    queryFn: ({ signal }) => readJson<DigestSetting>(api.api.digest.$get({}, { init: { signal } })),
  })

const createAlert = (json: CreateAlertInput) => readJson<Alert>(api.api.alerts.$post({ json }, withIdempotencyKey()))
const updateAlert = ({ id, ...json }: CreateAlertInput & { id: string; version: number }) =>
  readJson<Alert>(api.api.alerts[':id'].$put({ param: { id }, json }, withIdempotencyKey()))
const deleteAlert = ({ id, version }: Pick<Alert, 'id' | 'version'>) =>
  readJson<Alert>(
    api.api.alerts[':id'].$delete({ param: { id }, query: { version: String(version) } }, withIdempotencyKey()),
  )
const acknowledge = (id: string) =>
  readJson<Alert>(api.api.alerts[':id'].acknowledge.$post({ param: { id } }, withIdempotencyKey()))
const mute = ({ id, days }: { id: string; days: number | null }) =>
  readJson<Alert>(api.api.alerts[':id'].mute.$post({ param: { id }, json: { days } }, withIdempotencyKey()))

/** Whatever the outcome, the server says anew what stands. */
function useAlertWrite<In, Out>(write: (input: In) => Promise<Out>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSettled: () => client.invalidateQueries({ queryKey: ['alerts'] }),
  })
}
export const useCreateAlert = () => useAlertWrite(createAlert)
export const useUpdateAlert = () => useAlertWrite(updateAlert)
export const useAcknowledge = () => useAlertWrite(acknowledge)
export const useMute = () => useAlertWrite(mute)

/** Its own screen stands until the list is there, and must not ask for what is gone. */
export function useDeleteAlert() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: deleteAlert,
    onSuccess: () => client.invalidateQueries({ queryKey: ['alerts', 'list'] }),
  })
}

export function useSaveDigest() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (digestCadence: DigestCadence) =>
      readJson<DigestSetting>(api.api.digest.$put({ json: { cadence: digestCadence } }, withIdempotencyKey())),
    onSuccess: (saved) => client.setQueryData(digestQuery().queryKey, saved),
  })
}
