import { queryOptions } from '@tanstack/react-query'
import { answer, api, idempotencyKey } from '../../lib/api'
import { session } from '../../lib/session'
import type { Page } from '../../../src/shared/names'
import type { WorkspaceSummary } from '../../../src/shared/session'
import type { DataSource } from '../../../src/shared/sources'
import type { CreateWorkspaceInput, UpdateWorkspaceInput, Workspace } from '../../../src/shared/workspaces'

const once = () => ({ headers: { 'idempotency-key': idempotencyKey() } })

export const workspaceQuery = () =>
  queryOptions({
    queryKey: ['workspace', session().workspace?.id],
    queryFn: ({ signal }) => answer<Workspace>(api.api.workspace.$get({}, { init: { signal } })),
  })

export const createWorkspace = (json: CreateWorkspaceInput) =>
  answer<WorkspaceSummary>(api.api.workspaces.$post({ json }, once()))

export const saveWorkspace = (json: UpdateWorkspaceInput) => answer<Workspace>(api.api.workspace.$put({ json }, once()))

/** The sources for the badge in the top bar; asked again each minute, so that a load shows without a click. */
export const sourcesFreshnessQuery = () =>
  queryOptions({
    queryKey: ['sources', 'freshness', session().workspace?.id],
    queryFn: ({ signal }) =>
      answer<Page<DataSource>>(api.api['data-sources'].$get({ query: { limit: '100' } }, { init: { signal } })),
    refetchInterval: 60_000,
  })
