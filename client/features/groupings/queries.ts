import { groupingQuery } from '../../lib/query-builder/catalogue'
import { workspaceId } from '../../lib/session'
import { questionQuery, pagesQuery } from '../../lib/queries/query-options'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { readOnlyRequest, readJson, api, withIdempotencyKey } from '../../lib/api'
import type {
  CreateGroupingInput,
  Grouping,
  GroupingImportResult,
  GroupingPreview,
  PreviewGroupingInput,
  GroupSuggestions,
  UpdateGroupingInput,
  GroupedValue,
  GroupedValuesPage,
} from '../../../src/shared/groupings/groupings'

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
  pagesQuery<GroupedValue, GroupedValuesPage>(
    ['groupings', 'values', workspaceId(), id, version, unmatched, q],
    (cursor, options) => {
      const calls = api.api.groupings[':id']
      const request = { param: { id }, query: { limit: VALUES_PAGE, q: q || undefined, cursor } }
      return unmatched ? calls.unmatched.$get(request, options) : calls.values.$get(request, options)
    },
  )

/** What a definition that is not saved would make of the figures. */
export const previewQuery = (id: string, json: PreviewGroupingInput, version: number) =>
  queryOptions({
    ...questionQuery<GroupingPreview>(['groupings', 'preview', workspaceId(), id, version, json], (options) =>
      api.api.groupings[':id'].preview.$post({ param: { id }, json }, options),
    ),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const suggestQuery = (id: string, version: number) =>
  questionQuery<GroupSuggestions>(['groupings', 'suggest', workspaceId(), id, version], (options) =>
    api.api.groupings[':id'].suggest.$post({ param: { id }, json: {} }, options),
  )

export const createGrouping = (json: CreateGroupingInput) =>
  readJson<Grouping>(api.api.groupings.$post({ json }, withIdempotencyKey()))
export const updateGrouping = (id: string, json: UpdateGroupingInput) =>
  readJson<Grouping>(api.api.groupings[':id'].$put({ param: { id }, json }, withIdempotencyKey()))
export const deleteGrouping = ({ id, version, force }: { id: string; version: number; force: boolean }) =>
  readJson<unknown>(
    api.api.groupings[':id'].$delete(
      { param: { id }, query: { version: String(version), force: force ? '1' : undefined } },
      withIdempotencyKey(),
    ),
  )
interface GroupingList {
  csv: string
  version: number
  era: number
}
const importList = (id: string, list: GroupingList, dryRun: boolean, options: object) =>
  readJson<GroupingImportResult>(
    api.api.groupings[':id'].import.$post({ param: { id }, json: { ...list, dryRun } }, options),
  )
export const importGrouping = (id: string, list: GroupingList) => importList(id, list, false, withIdempotencyKey())
/** What the list would change. */
export const previewGroupingImport = (id: string, list: GroupingList) => importList(id, list, true, readOnlyRequest())

/** Keeps what was saved, and asks for everything anew that is seen through it. */
export function useStoreSavedGrouping() {
  const client = useQueryClient()
  return (saved: Grouping): void => {
    client.setQueryData(groupingQuery(saved.id).queryKey, saved)
    void client.invalidateQueries({ queryKey: ['groupings', 'list'] })
    void client.invalidateQueries({ queryKey: ['figures'] })
  }
}
