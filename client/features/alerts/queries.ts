import { retryWhenBusy, useInvalidatingMutation } from '../../lib/queries/query-client'
import { pagesQuery, jsonQuery, itemsQuery, questionQuery } from '../../lib/queries/query-options'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Alert, AlertEvent, AlertRulesInput, CreateAlertInput, AlertTestRun } from '../../../src/shared/alerts'
import type { DigestCadence, DigestSetting } from '../../../src/shared/digest'
import type { ForecastListItem } from '../../../src/shared/forecasts/forecasts'
import type { Insight } from '../../../src/shared/insights'
import type { Member } from '../../../src/shared/members'
import { readJson, api, withIdempotencyKey } from '../../lib/api'

const PAGE_SIZE = '25'

export const alertsQuery = (subjectFilter: { insight?: string; metric?: string } = {}) =>
  pagesQuery<Alert>(['alerts', 'list', subjectFilter], (cursor, options) =>
    api.api.alerts.$get({ query: { limit: PAGE_SIZE, ...subjectFilter, cursor } }, options),
  )

export const alertQuery = (id: string) =>
  jsonQuery<Alert>(['alerts', 'one', id], (options) => api.api.alerts[':id'].$get({ param: { id } }, options))

export const alertEventsQuery = (id: string) =>
  pagesQuery<AlertEvent>(['alerts', 'events', id], (cursor, options) =>
    api.api.alerts[':id'].events.$get({ param: { id }, query: { limit: PAGE_SIZE, cursor } }, options),
  )

/** When it would have triggered. The earlier answer stands until the next one is there. */
export const testRunQuery = (rules: AlertRulesInput) =>
  queryOptions({
    ...questionQuery<AlertTestRun>(['figures', 'alert-test', rules], (options) =>
      api.api.alerts.test.$post({ json: rules }, options),
    ),
    placeholderData: keepPreviousData,
    retry: retryWhenBusy,
  })

export const alertableInsightsQuery = () =>
  itemsQuery<Insight>(['insights', 'for-alerts'], (options) =>
    api.api.insights.$get({ query: { limit: '100' } }, options),
  )

export const alertableForecastsQuery = () =>
  itemsQuery<ForecastListItem>(['forecasts', 'for-alerts'], (options) =>
    api.api.forecasts.$get({ query: { limit: '100' } }, options),
  )

const withoutClients = (members: Member[]): Member[] => members.filter(({ role }) => role !== 'client')
export const alertRecipientsQuery = () =>
  queryOptions({
    ...itemsQuery<Member>(['members', 'for-alerts'], (options) =>
      api.api.members.$get({ query: { limit: '100' } }, options),
    ),
    select: withoutClients,
  })

export const digestQuery = () => jsonQuery<DigestSetting>(['digest'], (options) => api.api.digest.$get({}, options))

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

/** Whatever the outcome, the server says again what is so. */
const ALERT_QUERY_KEYS = ['alerts']
export const useCreateAlert = () => useInvalidatingMutation(createAlert, ALERT_QUERY_KEYS)
export const useUpdateAlert = () => useInvalidatingMutation(updateAlert, ALERT_QUERY_KEYS)
export const useAcknowledge = () => useInvalidatingMutation(acknowledge, ALERT_QUERY_KEYS)
export const useMute = () => useInvalidatingMutation(mute, ALERT_QUERY_KEYS)

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
