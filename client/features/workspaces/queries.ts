import { queryOptions } from '@tanstack/react-query'
import type { ModelSettings, ModelSettingsInput } from '../../../src/shared/bot/language-model'
import { workspaceId, session } from '../../lib/session'
import { jsonQuery } from '../../lib/queries/query-options'
import { readJson, api, apiFetch, withIdempotencyKey } from '../../lib/api'
import type { ListPage } from '../../../src/shared/field-schemas'
import type { DeleteWorkspaceInput } from '../../../src/shared/workspaces/deletion'
import type { SignInMethods } from '../../../src/shared/account'
import type { WorkspaceSummary } from '../../../src/shared/session'
import type {
  CreateWorkspaceInput,
  DeletedWorkspace,
  EndedMembership,
  UpdateWorkspaceInput,
  Workspace,
} from '../../../src/shared/workspaces/workspaces'

export const workspaceQuery = () =>
  jsonQuery<Workspace>(['workspace', workspaceId()], (options) => api.api.workspace.$get({}, options))

const MODEL_PATH = '/api/bot/model'
export const modelSettingsQuery = () =>
  queryOptions({
    queryKey: ['workspace', workspaceId(), 'language-model'],
    queryFn: async ({ signal }) => {
      const stored: ModelSettings = await (await apiFetch(MODEL_PATH, { signal })).json()
      return stored
    },
  })

export async function saveModelSettings(input: ModelSettingsInput): Promise<ModelSettings> {
  const headers = { 'content-type': 'application/json' }
  const saved: ModelSettings = await (
    await apiFetch(MODEL_PATH, { method: 'PUT', body: JSON.stringify(input), headers })
  ).json()
  return saved
}

export const createWorkspace = (json: CreateWorkspaceInput) =>
  readJson<WorkspaceSummary>(api.api.workspaces.$post({ json }, withIdempotencyKey()))

/** The same as it is now. */
export const readWorkspace = () => readJson<Workspace>(api.api.workspace.$get({}))

export const saveWorkspace = (json: UpdateWorkspaceInput) =>
  readJson<Workspace>(api.api.workspace.$put({ json }, withIdempotencyKey()))

/** The workspace's logo from now on. */
export async function putLogo(picture: Blob): Promise<Workspace> {
  const headers = { 'content-type': 'application/octet-stream' }
  const saved: Workspace = await (
    await apiFetch('/files/workspace/logo', { method: 'PUT', body: picture, headers })
  ).json()
  return saved
}

export const removeLogo = () => readJson<Workspace>(api.files.workspace.logo.$delete({}, withIdempotencyKey()))

/** The password may stand in it, so nothing of it is kept for a repetition. */
export const deleteWorkspace = (json: DeleteWorkspaceInput) =>
  readJson<DeletedWorkspace>(api.api.workspace.delete.$post({ json }))

/** How this person signs in: whether there is a password to ask for. */
export const ownSignInsQuery = () =>
  jsonQuery<SignInMethods>(['account', 'sign-ins', session().user?.id], (options) =>
    api.api.account['sign-ins'].$get({}, options),
  )

/** What the person may bring back. */
export const deletedWorkspacesQuery = () =>
  jsonQuery<ListPage<DeletedWorkspace>>(['workspaces', 'deleted', session().user?.id], (options) =>
    api.api.workspaces.deleted.$get({}, options),
  )

/** The same as it is now. */
export const readDeletedWorkspaces = async (): Promise<DeletedWorkspace[]> =>
  (await readJson<ListPage<DeletedWorkspace>>(api.api.workspaces.deleted.$get({}))).items

/** Why the person is in workspaces no more, or not for now. */
export const endedMembershipsQuery = () =>
  jsonQuery<ListPage<EndedMembership>>(['workspaces', 'ended', session().user?.id], (options) =>
    api.api.workspaces.ended.$get({}, options),
  )

export const restoreWorkspace = (id: string) =>
  readJson<WorkspaceSummary>(api.api.workspaces[':id'].restore.$post({ param: { id } }, withIdempotencyKey()))
