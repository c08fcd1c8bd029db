import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { readJson, api } from '../../lib/api'
import type { AdminWorkspace, WorkspaceTerms, WorkspaceTermsInput } from '../../../src/shared/admin'
import type { ListPage } from '../../../src/shared/field-schemas'

const PAGE = '50'

export const adminWorkspacesQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'workspaces', q],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      readJson<ListPage<AdminWorkspace>>(
        api.api.admin.workspaces.$get(
          { query: { limit: PAGE, ...(q === '' ? {} : { q }), ...(pageParam === '' ? {} : { cursor: pageParam }) } },
          { init: { signal } },
        ),
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

/** Each look is written to the audit log: it is asked for once, not again by itself. */
export const termsQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'terms', id],
    staleTime: Infinity,
    gcTime: 0,
    queryFn: ({ signal }) =>
      readJson<WorkspaceTerms>(api.api.admin.workspaces[':id'].terms.$get({ param: { id } }, { init: { signal } })),
  })

export function useSetTerms(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (json: WorkspaceTermsInput) =>
      readJson<WorkspaceTerms>(api.api.admin.workspaces[':id'].terms.$put({ param: { id }, json })),
    onSettled: () => client.invalidateQueries({ queryKey: ['admin', 'workspaces'] }),
  })
}
