import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { answer, api, idempotencyKey } from '../../lib/api'
import { session } from '../../lib/session'
import { sourcesChanged } from '../../lib/query-client'
import type { CsvSettings, FileInspection } from '../../../src/shared/files'
import type { Page } from '../../../src/shared/names'
import type { QueryResult } from '../../../src/shared/query-result'
import { isActive } from './run-words'
import type {
  AddDatasetsInput,
  CreateLoadInput,
  CreateSourceInput,
  DataSource,
  Dataset,
  DatasetVersion,
  SyncRun,
  UpdateDatasetInput,
} from '../../../src/shared/sources'

/** Asked again this often while a load is under way. */
const POLL_MS = 800
const LIST_POLL_MS = 2500
/** More sources than any plan on sale has. */
const LIST_LIMIT = '100'

const here = (): string | undefined => session().workspace?.id
const once = () => ({ headers: { 'idempotency-key': idempotencyKey() } })
const isLoading = (source: DataSource): boolean => source.lastRuns.some(({ state }) => isActive(state))

export const sourcesQuery = (ask: { search: string; deleted: boolean }) =>
  queryOptions({
    queryKey: ['sources', 'list', here(), ask],
    queryFn: ({ signal }) => {
      const query = {
        limit: LIST_LIMIT,
        ...(ask.search === '' ? {} : { search: ask.search.slice(0, 80) }),
        ...(ask.deleted ? { deleted: '1' as const } : {}),
      }
      return answer<Page<DataSource>>(api.api['data-sources'].$get({ query }, { init: { signal } }))
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isLoading) ? LIST_POLL_MS : false),
  })

export const sourceQuery = (id: string) =>
  queryOptions({
    queryKey: ['sources', 'one', here(), id],
    queryFn: ({ signal }) =>
      answer<DataSource>(api.api['data-sources'][':id'].$get({ param: { id } }, { init: { signal } })),
    refetchInterval: ({ state }) => (state.data && isLoading(state.data) ? POLL_MS : false),
  })

export const runsQuery = ({ id: sourceId, lastRuns }: Pick<DataSource, 'id' | 'lastRuns'>) =>
  queryOptions({
    queryKey: ['runs', 'list', here(), sourceId, lastRuns.map(({ id, state }) => `${id} ${state}`).join()],
    queryFn: ({ signal }) =>
      answer<Page<SyncRun>>(
        api.api['data-sources'][':id'].runs.$get(
          { param: { id: sourceId }, query: { limit: '50' } },
          { init: { signal } },
        ),
      ),
    placeholderData: keepPreviousData,
  })

type Seen = Pick<Dataset, 'id' | 'dataVersion' | 'version'>

export const datasetQuery = (id: string) =>
  queryOptions({
    queryKey: ['datasets', 'one', here(), id],
    queryFn: ({ signal }) => answer<Dataset>(api.api.datasets[':id'].$get({ param: { id } }, { init: { signal } })),
  })

export const previewQuery = ({ id, dataVersion, version }: Seen) =>
  queryOptions({
    queryKey: ['datasets', 'preview', here(), id, dataVersion, version],
    queryFn: ({ signal }) =>
      answer<QueryResult>(api.api.datasets[':id'].preview.$get({ param: { id } }, { init: { signal } })),
    placeholderData: keepPreviousData,
  })

export const versionsQuery = ({ id, dataVersion }: Seen) =>
  queryOptions({
    queryKey: ['datasets', 'versions', here(), id, dataVersion],
    queryFn: ({ signal }) =>
      answer<DatasetVersion[]>(api.api.datasets[':id'].versions.$get({ param: { id } }, { init: { signal } })),
  })

/** What a complete upload holds. The answer to settings that were changed meanwhile is kept under their own key. */
export const inspectionQuery = (uploadId: string, settings: Partial<CsvSettings>) =>
  queryOptions({
    queryKey: ['uploads', 'inspection', here(), uploadId, settings],
    queryFn: ({ signal }) =>
      answer<FileInspection>(
        api.api.uploads[':id'].inspect.$post({ param: { id: uploadId }, json: { settings } }, { init: { signal } }),
      ),
    staleTime: Infinity,
  })

/** One source as it stands now. */
export const readSource = (id: string) => answer<DataSource>(api.api['data-sources'][':id'].$get({ param: { id } }))
const createSource = (json: CreateSourceInput) => answer<DataSource>(api.api['data-sources'].$post({ json }, once()))
const renameSource = ({ id, name, version }: Pick<DataSource, 'id' | 'name' | 'version'>) =>
  answer<DataSource>(api.api['data-sources'][':id'].$put({ param: { id }, json: { name, version } }, once()))
const removeSource = ({ id, version, force }: { id: string; version: number; force: boolean }) =>
  answer<{ id: string }>(
    api.api['data-sources'][':id'].$delete(
      { param: { id }, query: { version: String(version), force: force ? '1' : '0' } },
      once(),
    ),
  )
/** More tables for a source that is there. */
export const addDatasets = ({ id, input }: { id: string; input: AddDatasetsInput }) =>
  answer<DataSource>(api.api['data-sources'][':id'].datasets.$post({ param: { id }, json: input }, once()))
/** Another file into a dataset that is there. */
export const createLoad = ({ datasetId, input }: { datasetId: string; input: CreateLoadInput }) =>
  answer<SyncRun>(api.api.datasets[':id'].loads.$post({ param: { id: datasetId }, json: input }, once()))
const describeDataset = ({ id, input }: { id: string; input: UpdateDatasetInput }) =>
  answer<Dataset>(api.api.datasets[':id'].$put({ param: { id }, json: input }, once()))
const rollback = ({ id, dataVersion }: { id: string; dataVersion: number }) =>
  answer<SyncRun>(api.api.datasets[':id'].rollback.$post({ param: { id }, json: { dataVersion } }, once()))
const cancelRun = (id: string) => answer<SyncRun>(api.api.runs[':id'].cancel.$post({ param: { id } }, once()))
const retryRun = (id: string) => answer<SyncRun>(api.api.runs[':id'].retry.$post({ param: { id } }, once()))

/** A source, its dataset and its loads are seen together, so a write to one makes all of them stale. */
function useSourceWrite<In, Out>(write: (input: In) => Promise<Out>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSuccess: () => sourcesChanged(client),
  })
}

export const useCreateSource = () => useSourceWrite(createSource)
export const useRenameSource = () => useSourceWrite(renameSource)
/** What was deleted is not asked for again: only the lists are. */
export function useRemoveSource() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: removeSource,
    onSuccess: () =>
      client.invalidateQueries({ predicate: ({ queryKey: [noun, kind] }) => noun === 'sources' && kind !== 'one' }),
  })
}
export const useCreateLoad = () => useSourceWrite(createLoad)
export const useDescribeDataset = () => useSourceWrite(describeDataset)
export const useRollback = () => useSourceWrite(rollback)
export const useCancelRun = () => useSourceWrite(cancelRun)
export const useRetryRun = () => useSourceWrite(retryRun)

/** Address of a load's rejected rows; a plain link cannot set headers, so the workspace stands in it. */
export const rejectsHref = (runId: string): string => `/files/runs/${runId}/rejects?w=${here() ?? ''}`
