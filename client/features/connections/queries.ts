import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { readOnlyRequest, api, readJson, withIdempotencyKey } from '../../lib/api'
import { invalidateSources } from '../../lib/queries/query-client'
import { jsonQuery } from '../../lib/queries/query-options'
import { workspaceId } from '../../lib/session'
import type { DataSource } from '../../../src/shared/data-sources/data-sources'
import type { ListPage } from '../../../src/shared/field-schemas'
import type {
  ConnectionDetails,
  ConnectSourceInput,
  OfferedConnector,
  PreviewStreamInput,
  SourceSync,
  StreamPreview,
  TestConnectionInput,
  TestedSource,
  UpdateConnectionInput,
} from '../../../src/shared/data-sources/connections'

/** Asked again this often while a sync is under way. */
const POLL_MS = 1_500

/** Kinds of sources that can be connected here. */
export const connectorsQuery = () =>
  queryOptions({
    ...jsonQuery<{ items: OfferedConnector[] }>(['sources', 'kinds', workspaceId()], (options) =>
      api.api.connectors.$get({}, options),
    ),
    select: ({ items }) => items,
    staleTime: 60_000,
  })

const isSyncing = ({ state }: Pick<ConnectionDetails, 'state'>): boolean =>
  state === 'syncing' || state === 'connecting'

/** A connected source: settings, streams, schedule and what is wrong. */
export const connectionQuery = (id: string) =>
  queryOptions({
    ...jsonQuery<ConnectionDetails>(['sources', 'connection', workspaceId(), id], (options) =>
      api.api['data-sources'][':id'].connection.$get({ param: { id } }, options),
    ),
    refetchInterval: ({ state }) => (state.data && isSyncing(state.data) ? POLL_MS : false),
  })

/** The newest syncs of a source. */
export const syncsQuery = (id: string) =>
  queryOptions({
    ...jsonQuery<ListPage<SourceSync>>(['sources', 'syncs', workspaceId(), id], (options) =>
      api.api['data-sources'][':id'].syncs.$get({ param: { id }, query: { limit: '25' } }, options),
    ),
    refetchInterval: ({ state }) => (state.data?.items.some((sync) => sync.state === 'running') ? POLL_MS : false),
  })

/** Whether it is on its way what a source's page says of its connection: what stands below waits, and does not move when it comes. */
export function useConnectionPending(id: string, enabled: boolean): boolean {
  const connection = useQuery({ ...connectionQuery(id), enabled })
  const syncs = useQuery({ ...syncsQuery(id), enabled })
  return [connection, syncs].some(({ isLoading, failureCount }) => isLoading && failureCount === 0)
}

export const useTestConnection = () =>
  useMutation({
    mutationFn: (json: TestConnectionInput) =>
      readJson<TestedSource>(api.api.connectors.test.$post({ json }, readOnlyRequest())),
  })

/** What a stored source offers now. */
export const streamsQuery = (id: string) =>
  queryOptions({
    queryKey: ['sources', 'streams', workspaceId(), id],
    queryFn: ({ signal }) =>
      readJson<TestedSource>(api.api['data-sources'][':id'].test.$post({ param: { id } }, { init: { signal } })),
    select: ({ streams }) => streams,
    retry: false,
    gcTime: 0,
  })

export const previewQuery = (json: PreviewStreamInput) =>
  queryOptions({
    queryKey: ['sources', 'preview', workspaceId(), json],
    queryFn: ({ signal }) => readJson<StreamPreview>(api.api.connectors.preview.$post({ json }, { init: { signal } })),
    staleTime: Infinity,
    // It may hold what was entered: gone with the page.
    gcTime: 0,
    retry: false,
  })

export function useConnectSource() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (json: ConnectSourceInput) =>
      readJson<{ source: DataSource; token: string | null }>(
        api.api.connectors.sources.$post({ json }, withIdempotencyKey()),
      ),
    onSuccess: () => invalidateSources(client),
  })
}

/** A write to a connection; everything that is said of its source is stale then. */
function useConnectionMutation<In>(write: (input: In) => Promise<ConnectionDetails>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: write, onSuccess: () => invalidateSources(client) })
}

export const useSyncNow = (id: string) =>
  useConnectionMutation((acceptDrift: boolean) =>
    readJson<ConnectionDetails>(
      api.api['data-sources'][':id'].sync.$post({ param: { id }, json: { acceptDrift } }, withIdempotencyKey()),
    ),
  )

export const useSetPaused = (id: string) =>
  useConnectionMutation((paused: boolean) => {
    const source = api.api['data-sources'][':id']
    return readJson<ConnectionDetails>(
      paused
        ? source.pause.$post({ param: { id } }, withIdempotencyKey())
        : source.resume.$post({ param: { id } }, withIdempotencyKey()),
    )
  })

export const useUpdateConnection = (id: string) =>
  useConnectionMutation((json: UpdateConnectionInput) =>
    readJson<ConnectionDetails>(api.api['data-sources'][':id'].connection.$put({ param: { id }, json })),
  )

export const useRenewPushToken = (id: string) =>
  useMutation({
    mutationFn: () =>
      readJson<{ token: string }>(api.api['data-sources'][':id']['push-token'].$post({ param: { id } })),
  })
