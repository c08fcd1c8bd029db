import { infiniteQueryOptions } from '@tanstack/react-query'
import { answer, api } from '../../lib/api'
import type { AdminWorkspace } from '../../../src/shared/admin'
import type { Page } from '../../../src/shared/names'

const PAGE = '50'

export const adminWorkspacesQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'workspaces', q],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      answer<Page<AdminWorkspace>>(
        api.api.admin.workspaces.$get(
          { query: { limit: PAGE, ...(q === '' ? {} : { q }), ...(pageParam === '' ? {} : { cursor: pageParam }) } },
          { init: { signal } },
        ),
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
