import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { api, readJson, withIdempotencyKey } from '../../lib/api'
import { jsonQuery } from '../../lib/queries/query-options'
import { useInvalidatingMutation } from '../../lib/queries/query-client'
import { session, workspaceId } from '../../lib/session'
import type {
  AccessExplanation,
  AccessHistoryItem,
  AccessImpact,
  AccessOverview,
  AccessPolicyInput,
  DataAccess,
  InspectAccessInput,
  restoreAccessSchema,
  saveAttributeValuesSchema,
  SaveDataAccessInput,
  SensitiveColumn,
  ViewAsSubject,
} from '../../../src/shared/data-access/data-access'

const access = api.api['data-access']
const keyOf = (name: string) => ['data-access', name, workspaceId()]

/** The policy, its revision and what its tests come to. */
export const dataAccessQuery = () => jsonQuery<DataAccess>(keyOf('policy'), (options) => access.$get({}, options))
export const accessOverviewQuery = () =>
  jsonQuery<AccessOverview>(keyOf('people'), (options) => access.people.$get({}, options))
export const accessHistoryQuery = () =>
  jsonQuery<AccessHistoryItem[]>(keyOf('history'), (options) => access.history.$get({}, options))
/** Of all datasets, or of one. */
export const sensitiveColumnsQuery = (dataset?: string) =>
  jsonQuery<SensitiveColumn[]>([...keyOf('suggestions'), dataset ?? null], (options) =>
    access.suggestions.$get({ query: { dataset } }, options),
  )

/** Asked again each time, and by nobody else: the answer is kept no longer than it is looked at. */
const UNKEPT = { staleTime: 0, gcTime: 0 } as const
/** What a policy would change that is not saved yet. */
export const accessImpactQuery = (policy: AccessPolicyInput) =>
  queryOptions({
    ...jsonQuery<AccessImpact>(['access-impact', workspaceId(), policy], (options) =>
      access.impact.$post({ json: { policy } }, options),
    ),
    ...UNKEPT,
  })
/** Why somebody sees a dataset, or a row of it, as they do. */
export const accessExplanationQuery = (json: InspectAccessInput) =>
  queryOptions({
    ...jsonQuery<AccessExplanation>(['access-explanation', workspaceId(), json], (options) =>
      access.inspect.$post({ json }, options),
    ),
    ...UNKEPT,
  })

/** Figures may be others for who saves: what they see themselves may have changed. */
const ACCESS_QUERY_KEYS = ['data-access', 'groups', 'sources', 'datasets', 'figures', 'metrics', 'insights']

export const useSaveDataAccess = () =>
  useInvalidatingMutation(
    (json: SaveDataAccessInput) => readJson<DataAccess>(access.$put({ json }, withIdempotencyKey())),
    ACCESS_QUERY_KEYS,
  )

type AttributeValuesInput = z.input<typeof saveAttributeValuesSchema>
export const useSaveAttributeValues = () =>
  useInvalidatingMutation(
    ({ id, ...json }: AttributeValuesInput & { id: string }) =>
      readJson<DataAccess>(access.attributes[':id'].values.$put({ param: { id }, json }, withIdempotencyKey())),
    ACCESS_QUERY_KEYS,
  )

export const useRestoreAccess = () =>
  useInvalidatingMutation(
    (json: z.input<typeof restoreAccessSchema>) =>
      readJson<DataAccess>(access.restore.$post({ json }, withIdempotencyKey())),
    ACCESS_QUERY_KEYS,
  )

/** From now on this browser shows what the subject sees; every page is read anew. */
export function useViewAs() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (subject: ViewAsSubject) =>
      readJson<null>(access['view-as'].$post({ json: { subject } }, withIdempotencyKey())),
    onSuccess: () => {
      client.clear()
      window.location.assign(`/insights?w=${session().workspace?.id ?? ''}`)
    },
  })
}
