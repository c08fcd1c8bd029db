import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import { readJson, api, withIdempotencyKey } from '../../lib/api'
import { groupingQuery } from '../../lib/query-builder/catalogue'
import { session } from '../../lib/session'
import type {
  CreateGroupingInput,
  Grouping,
  GroupingImportResult,
  GroupingPreview,
  PreviewGroupingInput,
  GroupSuggestions,
  UpdateGroupingInput,
  GroupedValuesPage,
} from '../../../src/shared/groupings/groupings'

const currentWorkspaceId = (): string | undefined => session().workspace?.id
const VALUES_PAGE = '100'

export interface ValuesSearch {
  id: string
  version: number
  /** Only values without a group, by what is stored. */
  unmatched: boolean
  q: string
}

/** Values of the data with their rows and amount, those with most rows first. */
export const valuesQuery = ({ id, version, unmatched, q }: ValuesSearch) =>
  infiniteQueryOptions({
    queryKey: ['groupings', 'values', currentWorkspaceId(), id, version, unmatched, q],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => {
      const calls = api.api.groupings[':id']
      const query = {
        limit: VALUES_PAGE,
        ...(q === '' ? {} : { q }),
        ...(pageParam === '' ? {} : { cursor: pageParam }),
      }
      const request = { param: { id }, query }
      return readJson<GroupedValuesPage>(
        unmatched
          ? calls.unmatched.$get(request, { init: { signal } })
          : calls.values.$get(request, { init: { signal } }),
      )
    },
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

/** What a definition that is not saved would make of the figures. */
export const previewQuery = (id: string, json: PreviewGroupingInput, version: number) =>
  queryOptions({
    queryKey: ['groupings', 'preview', currentWorkspaceId(), id, version, json],
    queryFn: ({ signal }) =>
      readJson<GroupingPreview>(api.api.groupings[':id'].preview.$post({ param: { id }, json }, { init: { signal } })),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const suggestQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: ['groupings', 'suggest', currentWorkspaceId(), id, version],
    queryFn: ({ signal }) =>
      readJson<GroupSuggestions>(
        api.api.groupings[':id'].suggest.$post({ param: { id }, json: {} }, { init: { signal } }),
      ),
  })

export const createGrouping = (json: CreateGroupingInput) =>
  readJson<Grouping>(api.api.groupings.$post({ json }, withIdempotencyKey()))
export const updateGrouping = (id: string, json: UpdateGroupingInput) =>
  readJson<Grouping>(api.api.groupings[':id'].$put({ param: { id }, json }, withIdempotencyKey()))
export const deleteGrouping = ({ id, version, force }: { id: string; version: number; force: boolean }) =>
  readJson<unknown>(
    api.api.groupings[':id'].$delete(
      { param: { id }, query: { version: String(version), ...(force ? { force: '1' } : {}) } },
      withIdempotencyKey(),
    ),
  )
export const importGrouping = (id: string, json: { csv: string; dryRun: boolean; version: number; era: number }) =>
  readJson<GroupingImportResult>(api.api.groupings[':id'].import.$post({ param: { id }, json }, withIdempotencyKey()))

/** Keeps what was saved, and asks for everything anew that is seen through it. */
export function useStoreSavedGrouping() {
  const client = useQueryClient()
  return (saved: Grouping): void => {
    client.setQueryData(groupingQuery(saved.id).queryKey, saved)
    void client.invalidateQueries({ queryKey: ['groupings', 'list'] })
    void client.invalidateQueries({ queryKey: ['figures'] })
  }
}
