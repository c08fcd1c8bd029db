import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { readJson, api, withIdempotencyKey } from '../../lib/api'
import { session } from '../../lib/session'
import type { CreateGroupInput, UserGroup, UserGroupDetail, GroupImportResult } from '../../../src/shared/groups'
import type { Member } from '../../../src/shared/members'
import type { ListPage } from '../../../src/shared/field-schemas'

const currentWorkspaceId = (): string | undefined => session().workspace?.id

/** Every group of the workspace, by name. */
export const groupsQuery = () =>
  queryOptions({
    queryKey: ['groups', 'list', currentWorkspaceId()],
    queryFn: ({ signal }) => readJson<UserGroup[]>(api.api.groups.$get({}, { init: { signal } })),
  })

export const groupQuery = (id: string) =>
  queryOptions({
    queryKey: ['groups', 'one', currentWorkspaceId(), id],
    queryFn: ({ signal }) =>
      readJson<UserGroupDetail>(api.api.groups[':id'].$get({ param: { id } }, { init: { signal } })),
  })

/** People of the workspace whose name or address holds the text: who may be added. */
export const peopleQuery = (q: string) =>
  queryOptions({
    queryKey: ['members', 'for-groups', currentWorkspaceId(), q],
    queryFn: async ({ signal }) => {
      const query = { limit: '20', ...(q === '' ? {} : { q }) }
      return (await readJson<ListPage<Member>>(api.api.members.$get({ query }, { init: { signal } }))).items
    },
  })

export interface GroupMemberIds {
  memberIds: string[]
  managerIds: string[]
}

const createGroup = (json: CreateGroupInput) =>
  readJson<UserGroup>(api.api.groups.$post({ json }, withIdempotencyKey()))
const updateGroup = ({ id, ...json }: CreateGroupInput & { id: string; version: number }) =>
  readJson<UserGroup>(api.api.groups[':id'].$put({ param: { id }, json }, withIdempotencyKey()))
const deleteGroup = ({ id, version, replacement }: { id: string; version: number; replacement?: string }) =>
  readJson<UserGroup>(
    api.api.groups[':id'].$delete(
      { param: { id }, query: { version: String(version), ...(replacement === undefined ? {} : { replacement }) } },
      withIdempotencyKey(),
    ),
  )
const setMembers = ({ id, ...json }: GroupMemberIds & { id: string; version: number }) =>
  readJson<UserGroupDetail>(api.api.groups[':id'].members.$put({ param: { id }, json }, withIdempotencyKey()))
const importGroups = (json: { csv: string; dryRun: boolean }) =>
  readJson<GroupImportResult>(api.api.groups.import.$post({ json }, withIdempotencyKey()))

/** Groups stand beside members too, so both are asked for anew; also after a refusal, which says something changed. */
function useGroupMutation<In, Out>(mutate: (input: In) => Promise<Out>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: mutate,
    onSettled: () => Promise.all(['groups', 'members'].map((noun) => client.invalidateQueries({ queryKey: [noun] }))),
  })
}

export const useCreateGroup = () => useGroupMutation(createGroup)
export const useUpdateGroup = () => useGroupMutation(updateGroup)
export const useDeleteGroup = () => useGroupMutation(deleteGroup)
export const useSetGroupMembers = () => useGroupMutation(setMembers)
export const useImportMembers = () => useGroupMutation(importGroups)
/** Asks what an import would do; nothing is asked for anew after it. */
export const usePreviewImport = () => useMutation({ mutationFn: (csv: string) => importGroups({ csv, dryRun: true }) })
