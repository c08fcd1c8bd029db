import { queryOptions } from '@tanstack/react-query'
import { answer, api, idempotencyKey, send } from '../../lib/api'
import { session } from '../../lib/session'
import type { Page } from '../../../src/shared/names'
import type { WorkspaceSummary } from '../../../src/shared/session'
import type {
  CreateWorkspaceInput,
  DeletedWorkspace,
  UpdateWorkspaceInput,
  Workspace,
} from '../../../src/shared/workspaces'

const once = () => ({ headers: { 'idempotency-key': idempotencyKey() } })

export const workspaceQuery = () =>
  queryOptions({
    queryKey: ['workspace', session().workspace?.id],
    queryFn: ({ signal }) => answer<Workspace>(api.api.workspace.$get({}, { init: { signal } })),
  })

export const createWorkspace = (json: CreateWorkspaceInput) =>
  answer<WorkspaceSummary>(api.api.workspaces.$post({ json }, once()))

export const saveWorkspace = (json: UpdateWorkspaceInput) => answer<Workspace>(api.api.workspace.$put({ json }, once()))

/** The workspace's logo from now on. */
export async function putLogo(picture: Blob): Promise<Workspace> {
  const headers = { 'content-type': 'application/octet-stream' }
  const saved: Workspace = await (await send('/files/workspace/logo', { method: 'PUT', body: picture, headers })).json()
  return saved
}

export const removeLogo = () => answer<Workspace>(api.files.workspace.logo.$delete({}, once()))

export const deleteWorkspace = (query: { name: string; version: string }) =>
  answer<DeletedWorkspace>(api.api.workspace.$delete({ query }, once()))

/** What the person may bring back. */
export const deletedWorkspacesQuery = () =>
  queryOptions({
    queryKey: ['workspaces', 'deleted', session().user?.id],
    queryFn: ({ signal }) => answer<Page<DeletedWorkspace>>(api.api.workspaces.deleted.$get({}, { init: { signal } })),
  })

export const restoreWorkspace = (id: string) =>
  answer<WorkspaceSummary>(api.api.workspaces[':id'].restore.$post({ param: { id } }, once()))
