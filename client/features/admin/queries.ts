import { pagesQuery, jsonQuery } from '../../lib/queries/query-options'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { readJson, api } from '../../lib/api'
import type { AdminWorkspace, WorkspaceTerms, WorkspaceTermsInput } from '../../../src/shared/admin'

const PAGE = '50'

export const adminWorkspacesQuery = (q: string) =>
  pagesQuery<AdminWorkspace>(['admin', 'workspaces', q], (cursor, options) =>
    api.api.admin.workspaces.$get({ query: { limit: PAGE, q: q || undefined, cursor } }, options),
  )

/** Each look is written to the audit log: it is asked for once, not again by itself. */
export const termsQuery = (id: string) =>
  queryOptions({
    ...jsonQuery<WorkspaceTerms>(['admin', 'terms', id], (options) =>
      api.api.admin.workspaces[':id'].terms.$get({ param: { id } }, options),
    ),
    staleTime: Infinity,
    gcTime: 0,
  })

export function useSetTerms(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (json: WorkspaceTermsInput) =>
      readJson<WorkspaceTerms>(api.api.admin.workspaces[':id'].terms.$put({ param: { id }, json })),
    onSettled: () => client.invalidateQueries({ queryKey: ['admin', 'workspaces'] }),
  })
}
