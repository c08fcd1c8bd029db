import { useInvalidatingMutation } from '../../lib/queries/query-client'
import { workspaceId } from '../../lib/session'
import { jsonQuery, itemsQuery } from '../../lib/queries/query-options'
import { useMutation } from '@tanstack/react-query'
import { readOnlyRequest, readJson, api, withIdempotencyKey } from '../../lib/api'
import type { CreateGroupInput, UserGroup, UserGroupDetail, GroupImportResult } from '../../../src/shared/groups'
import type { Member } from '../../../src/shared/members'

export const groupQuery = (id: string) =>
  jsonQuery<UserGroupDetail>(['groups', 'one', workspaceId(), id], (options) =>
    api.api.groups[':id'].$get({ param: { id } }, options),
  )

/** People of the workspace whose name or address holds the text: who may be added. */
export const peopleQuery = (q: string) =>
  itemsQuery<Member>(['members', 'for-groups', workspaceId(), q], (options) => {
    const query = { limit: '20', q: q || undefined }
    return api.api.members.$get({ query }, options)
  })

export interface GroupMemberIds {
  memberIds: string[]
  managerIds: string[]
}

const createGroup = (json: CreateGroupInput) =>
  readJson<UserGroup>(api.api.groups.$post({ json }, withIdempotencyKey()))
const updateGroup = ({ id, ...json }: CreateGroupInput & { id: string; version: number }) =>
  readJson<UserGroup>(api.api.groups[':id'].$put({ param: { id }, json }, withIdempotencyKey()))
const deleteGroup = ({ id, version, replacement }: { id: string; version: number; replacement?: string | undefined }) =>
  readJson<UserGroup>(
    api.api.groups[':id'].$delete(
      { param: { id }, query: { version: String(version), replacement } },
      withIdempotencyKey(),
    ),
  )
const setMembers = ({ id, ...json }: GroupMemberIds & { id: string; version: number }) =>
  readJson<UserGroupDetail>(api.api.groups[':id'].members.$put({ param: { id }, json }, withIdempotencyKey()))
const importGroups = (csv: string) =>
  readJson<GroupImportResult>(api.api.groups.import.$post({ json: { csv, dryRun: false } }, withIdempotencyKey()))
const previewImport = (csv: string) =>
  readJson<GroupImportResult>(api.api.groups.import.$post({ json: { csv, dryRun: true } }, readOnlyRequest()))

/** Groups stand beside members and in rules of access too: all are asked for anew, also after a refusal, which says something changed. */
const GROUP_QUERY_KEYS = ['groups', 'members', 'data-access']
export const useCreateGroup = () => useInvalidatingMutation(createGroup, GROUP_QUERY_KEYS)
export const useUpdateGroup = () => useInvalidatingMutation(updateGroup, GROUP_QUERY_KEYS)
export const useDeleteGroup = () => useInvalidatingMutation(deleteGroup, GROUP_QUERY_KEYS)
export const useSetGroupMembers = () => useInvalidatingMutation(setMembers, GROUP_QUERY_KEYS)
export const useImportMembers = () => useInvalidatingMutation(importGroups, GROUP_QUERY_KEYS)
/** Asks what an import would do; nothing is asked for anew after it. */
export const usePreviewImport = () => useMutation({ mutationFn: previewImport })
