import { queryOptions } from '@tanstack/react-query'
import { api, apiFetch, readJson, withIdempotencyKey } from '../../../lib/api'
import { useInvalidatingMutation } from '../../../lib/queries/query-client'
import { itemsQuery } from '../../../lib/queries/query-options'
import { workspaceId } from '../../../lib/session'
import type { ListPage } from '../../../../src/shared/field-schemas'
import type { Member } from '../../../../src/shared/members'
import type {
  CreateScheduleInput,
  ReportDelivery,
  ReportSchedule,
  ReportSubscription,
  UpdateScheduleInput,
} from '../../../../src/shared/reports/schedules'

async function call<T>(path: string, init: RequestInit = {}): Promise<T> {
  const response = await apiFetch(`/api/reports/${path}`, init)
  const answer: T = await response.json()
  return answer
}
const written = (method: string, body?: unknown): RequestInit => ({
  method,
  ...withIdempotencyKey(),
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
})

export const schedulesQuery = (report: string) =>
  queryOptions({
    queryKey: ['reports', 'schedules', report],
    queryFn: async ({ signal }) => (await call<ListPage<ReportSchedule>>(`${report}/schedules`, { signal })).items,
  })

export const deliveriesQuery = (report: string, schedule: string) =>
  queryOptions({
    queryKey: ['reports', 'deliveries', report, schedule],
    queryFn: async ({ signal }) =>
      (await call<ListPage<ReportDelivery>>(`${report}/schedules/${schedule}/deliveries`, { signal })).items,
  })

/** Who may be a recipient: people of the portal open no reports. */
export const memberRecipientsQuery = () =>
  queryOptions({
    ...itemsQuery<Member>(['members', 'for-schedules', workspaceId()], (options) =>
      api.api.members.$get({ query: { limit: '100' } }, options),
    ),
    select: (members: Member[]) => members.filter(({ role, status }) => role !== 'client' && status === 'active'),
  })
interface OfSchedule {
  report: string
  id: string
}
const createSchedule = ({ report, ...body }: CreateScheduleInput & { report: string }) =>
  call<ReportSchedule>(`${report}/schedules`, written('POST', body))
const updateSchedule = ({ report, id, ...body }: UpdateScheduleInput & OfSchedule) =>
  call<ReportSchedule>(`${report}/schedules/${id}`, written('PUT', body))
const deleteSchedule = ({ report, id, version }: OfSchedule & { version: number }) =>
  call<ReportSchedule>(`${report}/schedules/${id}?version=${version}`, written('DELETE'))
const testSchedule = ({ report, id }: OfSchedule) =>
  call<ReportDelivery>(`${report}/schedules/${id}/test`, written('POST'))
const retryDelivery = ({ report, id, delivery }: OfSchedule & { delivery: string }) =>
  call<ReportDelivery>(`${report}/schedules/${id}/deliveries/${delivery}/retry`, written('POST'))
const subscribe = ({ report, id, subscribed }: OfSchedule & { subscribed: boolean }) =>
  call<{ subscribed: boolean }>(`${report}/schedules/${id}/subscription`, written('PUT', { subscribed }))

const KEYS = ['reports']
export const useCreateSchedule = () => useInvalidatingMutation(createSchedule, KEYS)
export const useUpdateSchedule = () => useInvalidatingMutation(updateSchedule, KEYS)
export const useDeleteSchedule = () => useInvalidatingMutation(deleteSchedule, KEYS)
export const useTestSchedule = () => useInvalidatingMutation(testSchedule, KEYS)
export const useRetryDelivery = () => useInvalidatingMutation(retryDelivery, KEYS)
export const useSubscribe = () => useInvalidatingMutation(subscribe, KEYS)

/** What the link in a mail is about; reading changes nothing. */
export const subscriptionQuery = (token: string) =>
  queryOptions({
    queryKey: ['report-subscription', token],
    queryFn: () => readJson<ReportSubscription>(api.api['report-subscriptions'].check.$post({ json: { token } })),
    gcTime: 0,
    retry: false,
  })
export const changeSubscription = (json: { token: string; subscribed: boolean }) =>
  readJson<ReportSubscription>(api.api['report-subscriptions'].$post({ json }))
