import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { answer, api, idempotencyKey } from '../../lib/api'
import { session } from '../../lib/session'
import type { CreateGroupInput, Group, GroupDetail, ImportAnswer } from '../../../src/shared/groups'
import type { Member } from '../../../src/shared/members'
import type { Page } from '../../../src/shared/names'

const here = (): string | undefined => session().workspace?.id
const once = () => ({ headers: { 'idempotency-key': idempotencyKey() } })

/** Every group of the workspace, by name. */
export const groupsQuery = () =>
  queryOptions({
    queryKey: ['groups', 'list', here()],
    queryFn: ({ signal }) => answer<Group[]>(api.api.groups.$get({}, { init: { signal } })),
  })

export const groupQuery = (id: string) =>
  queryOptions({
    queryKey: ['groups', 'one', here(), id],
    queryFn: ({ signal }) => answer<GroupDetail>(api.api.groups[':id'].$get({ param: { id } }, { init: { signal } })),
  })

/** People of the workspace whose name or address holds the text: who may be added. */
export const peopleQuery = (q: string) =>
  queryOptions({
    queryKey: ['members', 'for-groups', here(), q],
    queryFn: async ({ signal }) => {
      const query = { limit: '20', ...(q === '' ? {} : { q }) }
      return (await answer<Page<Member>>(api.api.members.$get({ query }, { init: { signal } }))).items
    },
  })

export interface Lists {
  memberIds: string[]
  managerIds: string[]
}

const createGroup = (json: CreateGroupInput) => answer<Group>(api.api.groups.$post({ json }, once()))
const updateGroup = ({ id, ...json }: CreateGroupInput & { id: string; version: number }) =>
  answer<Group>(api.api.groups[':id'].$put({ param: { id }, json }, once()))
const deleteGroup = ({ id, version, replacement }: { id: string; version: number; replacement?: string }) =>
  answer<Group>(
    api.api.groups[':id'].$delete(
      { param: { id }, query: { version: String(version), ...(replacement === undefined ? {} : { replacement }) } },
      once(),
    ),
  )
const setMembers = ({ id, ...json }: Lists & { id: string; version: number }) =>
  answer<GroupDetail>(api.api.groups[':id'].members.$put({ param: { id }, json }, once()))
const importGroups = (json: { csv: string; dryRun: boolean }) =>
  answer<ImportAnswer>(api.api.groups.import.$post({ json }, once()))

/** Groups stand beside members too, so both are asked for anew; also after a refusal, which says something changed. */
function useGroupWrite<In, Out>(write: (input: In) => Promise<Out>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSettled: () => Promise.all(['groups', 'members'].map((noun) => client.invalidateQueries({ queryKey: [noun] }))),
  })
}

export const useCreateGroup = () => useGroupWrite(createGroup)
export const useUpdateGroup = () => useGroupWrite(updateGroup)
export const useDeleteGroup = () => useGroupWrite(deleteGroup)
export const useSetMembers = () => useGroupWrite(setMembers)
export const useImport = () => useGroupWrite(importGroups)
/** Asks what an import would do; nothing is asked for anew after it. */
export const useTryImport = () => useMutation({ mutationFn: (csv: string) => importGroups({ csv, dryRun: true }) })
