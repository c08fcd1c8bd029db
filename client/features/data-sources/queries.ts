import { workspaceId } from '../../lib/session'
import { jsonQuery } from '../../lib/queries/query-options'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { readJson, api, withIdempotencyKey } from '../../lib/api'
import { useIdempotencyKey } from '../../lib/use-idempotency-key'
import { invalidateSources } from '../../lib/queries/query-client'
import type { CleaningStep } from '../../../src/shared/data-sources/cleaning'
import type { CsvSettings } from '../../../src/shared/data-sources/files'
import type { UploadInspection } from '../../../src/shared/data-sources/inspection'
import type { ListPage } from '../../../src/shared/field-schemas'
import { isActiveRun } from './load-status'
import type {
  AddDatasetsInput,
  CreateLoadInput,
  CreateSourceInput,
  DataSource,
  Dataset,
  DatasetCleaning,
  DatasetVersion,
  ReopenedFile,
  SyncRun,
  UpdateDatasetInput,
} from '../../../src/shared/data-sources/data-sources'

/** Asked again this often while a load is under way. */
const POLL_MS = 800
const LIST_POLL_MS = 2500
/** More sources than any plan on sale has. */
const LIST_LIMIT = '100'

const hasActiveLoad = (source: DataSource): boolean => source.lastRuns.some(({ state }) => isActiveRun(state))

export const sourcesQuery = (filter: { search: string; deleted: boolean }) =>
  queryOptions({
    ...jsonQuery<ListPage<DataSource>>(['sources', 'list', workspaceId(), filter], (options) => {
      const query = {
        limit: LIST_LIMIT,
        search: filter.search.slice(0, 80) || undefined,
        deleted: filter.deleted ? ('1' as const) : undefined,
      }
      return api.api['data-sources'].$get({ query }, options)
    }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(hasActiveLoad) ? LIST_POLL_MS : false),
  })

export const sourceQuery = (id: string) =>
  queryOptions({
    ...jsonQuery<DataSource>(['sources', 'one', workspaceId(), id], (options) =>
      api.api['data-sources'][':id'].$get({ param: { id } }, options),
    ),
    refetchInterval: ({ state }) => (state.data && hasActiveLoad(state.data) ? POLL_MS : false),
  })

export const loadRunsQuery = ({ id: sourceId, lastRuns }: Pick<DataSource, 'id' | 'lastRuns'>) =>
  queryOptions({
    ...jsonQuery<ListPage<SyncRun>>(
      ['runs', 'list', workspaceId(), sourceId, lastRuns.map(({ id, state }) => `${id} ${state}`).join()],
      (options) =>
        api.api['data-sources'][':id'].runs.$get({ param: { id: sourceId }, query: { limit: '50' } }, options),
    ),
    placeholderData: keepPreviousData,
  })

type DatasetVersionKey = Pick<Dataset, 'id' | 'dataVersion' | 'version'>

export const datasetQuery = (id: string) =>
  jsonQuery<Dataset>(['datasets', 'one', workspaceId(), id], (options) =>
    api.api.datasets[':id'].$get({ param: { id } }, options),
  )

export const versionsQuery = ({ id, dataVersion }: DatasetVersionKey) =>
  jsonQuery<DatasetVersion[]>(['datasets', 'versions', workspaceId(), id, dataVersion], (options) =>
    api.api.datasets[':id'].versions.$get({ param: { id } }, options),
  )

/** How a file is to be read: settings that a person corrected, and the steps its rows go through. */
export interface InspectionRequest {
  settings: Partial<CsvSettings>
  cleaning: readonly CleaningStep[]
  /** Asks what was decided at an earlier import: into a dataset at a data version, else of a file of the same shape. */
  remember: { dataset: string | null; version: number } | null
}

/** What a complete upload holds. The answer to settings that were changed meanwhile is kept under their own key. */
export const inspectionQuery = (uploadId: string, request: InspectionRequest) => {
  const { settings, cleaning, remember } = request
  const json = {
    settings,
    ...(cleaning.length === 0 ? {} : { cleaning: [...cleaning] }),
    ...(remember ? { remember: remember.dataset === null ? {} : { dataset: remember.dataset } } : {}),
  }
  return queryOptions({
    ...jsonQuery<UploadInspection>(['uploads', 'inspection', workspaceId(), uploadId, request], (options) =>
      api.api.uploads[':id'].inspect.$post({ param: { id: uploadId }, json }, options),
    ),
    staleTime: Infinity,
  })
}

/** The recipe of the rows shown now. */
export const cleaningQuery = ({ id, dataVersion }: DatasetVersionKey) =>
  jsonQuery<DatasetCleaning>(['datasets', 'cleaning', workspaceId(), id, dataVersion], (options) =>
    api.api.datasets[':id'].cleaning.$get({ param: { id } }, options),
  )
const reopenFile = (id: string) =>
  readJson<ReopenedFile>(api.api.datasets[':id'].reopen.$post({ param: { id } }, withIdempotencyKey()))
/** The stored file of a table, to be looked at and imported again. */
export const useReopenFile = () => useMutation({ mutationFn: reopenFile })

/** One source as it stands now. */
export const fetchSource = (id: string) => readJson<DataSource>(api.api['data-sources'][':id'].$get({ param: { id } }))
const createSource = (json: CreateSourceInput, key: string) =>
  readJson<DataSource>(api.api['data-sources'].$post({ json }, withIdempotencyKey(key)))
const renameSource = ({ id, name, version }: Pick<DataSource, 'id' | 'name' | 'version'>) =>
  readJson<DataSource>(
    api.api['data-sources'][':id'].$put({ param: { id }, json: { name, version } }, withIdempotencyKey()),
  )
const deleteSource = ({ id, version, force }: { id: string; version: number; force: boolean }) =>
  readJson<{ id: string }>(
    api.api['data-sources'][':id'].$delete(
      { param: { id }, query: { version: String(version), force: force ? '1' : '0' } },
      withIdempotencyKey(),
    ),
  )
/** More tables for a source that is there. */
export const addDatasets = ({ id, input }: { id: string; input: AddDatasetsInput }) =>
  readJson<DataSource>(
    api.api['data-sources'][':id'].datasets.$post({ param: { id }, json: input }, withIdempotencyKey()),
  )
/** Another file into a dataset that is there. */
export const createLoad = ({ datasetId, input }: { datasetId: string; input: CreateLoadInput }, key?: string) =>
  readJson<SyncRun>(
    api.api.datasets[':id'].loads.$post({ param: { id: datasetId }, json: input }, withIdempotencyKey(key)),
  )
const updateDataset = ({ id, input }: { id: string; input: UpdateDatasetInput }) =>
  readJson<Dataset>(api.api.datasets[':id'].$put({ param: { id }, json: input }, withIdempotencyKey()))
const restoreVersion = ({ id, dataVersion }: { id: string; dataVersion: number }) =>
  readJson<SyncRun>(
    api.api.datasets[':id'].rollback.$post({ param: { id }, json: { dataVersion } }, withIdempotencyKey()),
  )
/** Brings a deleted source back. */
export const restoreSource = (id: string) =>
  readJson<DataSource>(api.api['data-sources'][':id'].restore.$post({ param: { id } }, withIdempotencyKey()))
const cancelRun = (id: string) =>
  readJson<SyncRun>(api.api.runs[':id'].cancel.$post({ param: { id } }, withIdempotencyKey()))
const retryRun = (id: string) =>
  readJson<SyncRun>(api.api.runs[':id'].retry.$post({ param: { id } }, withIdempotencyKey()))

/** A source, its dataset and its loads are seen together, so a write to one makes all of them stale. */
function useSourceMutation<In, Out>(write: (input: In) => Promise<Out>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSuccess: () => invalidateSources(client),
  })
}

/** One key for one intent: the same files under the same name make one source, however often that is asked. */
export function useCreateSource() {
  const keyFor = useIdempotencyKey()
  return useSourceMutation((input: CreateSourceInput) => createSource(input, keyFor(input)))
}
export const useRenameSource = () => useSourceMutation(renameSource)
/** What was deleted is not asked for again: only the lists are. */
export function useDeleteSource() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: deleteSource,
    onSuccess: () =>
      client.invalidateQueries({ predicate: ({ queryKey: [noun, kind] }) => noun === 'sources' && kind !== 'one' }),
  })
}
export function useCreateLoad() {
  const keyFor = useIdempotencyKey()
  return useSourceMutation((load: Parameters<typeof createLoad>[0]) => createLoad(load, keyFor(load)))
}
export const useUpdateDataset = () => useSourceMutation(updateDataset)
export const useRestoreVersion = () => useSourceMutation(restoreVersion)
export const useCancelRun = () => useSourceMutation(cancelRun)
export const useRetryRun = () => useSourceMutation(retryRun)

/** Address of a load's rejected rows; a plain link cannot set headers, so the workspace stands in it. */
export const rejectedRowsUrl = (runId: string): string => `/files/runs/${runId}/rejects?w=${workspaceId() ?? ''}`
