import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { readJson, api, withIdempotencyKey } from '../../lib/api'
import { session } from '../../lib/session'
import { loadSession } from '../../lib/session-actions'
import type { SignInMethods } from '../../../src/shared/account'
import type { UserGroup } from '../../../src/shared/groups'
import type { CreateInvitesInput, Invite, CreateInvitesResult } from '../../../src/shared/invites'
import type { OwnedItems, Member, MemberStatus, OwnershipOffer, SeatUsage } from '../../../src/shared/members'
import type { ListPage } from '../../../src/shared/field-schemas'
import type { Role } from '../../../src/shared/permissions'

const PAGE_SIZE = '50'
const currentWorkspaceId = (): string | undefined => session().workspace?.id

/** What the list of members is narrowed to; empty = everybody. */
export interface MemberFilter {
  q: string
  role: Role | undefined
  status: MemberStatus | undefined
  group: string | undefined
}

export const NO_FILTER: MemberFilter = { q: '', role: undefined, status: undefined, group: undefined }

export const membersQuery = ({ q, role, status, group }: MemberFilter) =>
  infiniteQueryOptions({
    queryKey: ['members', 'list', currentWorkspaceId(), { q, role, status, group }],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      readJson<ListPage<Member>>(
        api.api.members.$get(
          {
            query: {
              limit: PAGE_SIZE,
              ...(q === '' ? {} : { q: q.slice(0, 80) }),
              ...(role ? { role } : {}),
              ...(status ? { status } : {}),
              ...(group === undefined ? {} : { group }),
              ...(pageParam === '' ? {} : { cursor: pageParam }),
            },
          },
          { init: { signal } },
        ),
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })

export const seatsQuery = () =>
  queryOptions({
    queryKey: ['members', 'seats', currentWorkspaceId()],
    queryFn: ({ signal }) => readJson<SeatUsage>(api.api.members.seats.$get({}, { init: { signal } })),
  })

/** What somebody would leave behind, and who may take it over. */
export const ownedItemsQuery = (id: string) =>
  queryOptions({
    queryKey: ['members', 'belongings', currentWorkspaceId(), id],
    queryFn: ({ signal }) =>
      readJson<OwnedItems>(api.api.members[':id'].belongings.$get({ param: { id } }, { init: { signal } })),
  })

export const invitesQuery = () =>
  infiniteQueryOptions({
    queryKey: ['invites', 'list', currentWorkspaceId()],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      readJson<ListPage<Invite>>(
        api.api.invites.$get(
          { query: { limit: PAGE_SIZE, ...(pageParam === '' ? {} : { cursor: pageParam }) } },
          { init: { signal } },
        ),
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

export const groupsQuery = () =>
  queryOptions({
    queryKey: ['groups', 'for-members', currentWorkspaceId()],
    queryFn: ({ signal }) => readJson<UserGroup[]>(api.api.groups.$get({}, { init: { signal } })),
  })

export const offerQuery = () =>
  queryOptions({
    queryKey: ['members', 'ownership', currentWorkspaceId()],
    queryFn: ({ signal }) =>
      readJson<OwnershipOffer | null>(api.api.workspace.ownership.$get({}, { init: { signal } })),
  })

/** Whether the signed-in person has a password to prove themselves with. */
export const signInsQuery = () =>
  queryOptions({
    queryKey: ['account', 'sign-ins', session().user?.id],
    queryFn: ({ signal }) => readJson<SignInMethods>(api.api.account['sign-ins'].$get({}, { init: { signal } })),
  })

/** A page that a newcomer may land on. */
export interface LandingPage {
  path: string
  name: string
  kind: 'insight' | 'source'
}
export const landingPagesQuery = () =>
  queryOptions({
    queryKey: ['insights', 'landing-pages', currentWorkspaceId()],
    queryFn: async ({ signal }): Promise<LandingPage[]> => {
      const query = { limit: '100' }
      const [insights, sources] = await Promise.all([
        readJson<ListPage<{ id: string; name: string }>>(api.api.insights.$get({ query }, { init: { signal } })),
        readJson<ListPage<{ id: string; name: string }>>(api.api['data-sources'].$get({ query }, { init: { signal } })),
      ])
      return [
        ...insights.items.map(({ id, name }) => ({ path: `/insights/${id}`, name, kind: 'insight' as const })),
        ...sources.items.map(({ id, name }) => ({ path: `/data-sources/${id}`, name, kind: 'source' as const })),
      ]
    },
  })

export interface MemberUpdate {
  id: string
  role: Role
  status: MemberStatus
  version: number
  heir?: string
}
const updateMember = ({ id, ...json }: MemberUpdate) =>
  readJson<Member>(api.api.members[':id'].$put({ param: { id }, json }, withIdempotencyKey()))

const removeMember = ({ id, version, heir }: { id: string; version: number; heir?: string }) =>
  readJson<Member>(
    api.api.members[':id'].$delete(
      { param: { id }, query: { version: String(version), ...(heir === undefined ? {} : { heir }) } },
      withIdempotencyKey(),
    ),
  )

/** Invites. `key` names the intent: the same addresses sent twice by a bad connection are invited once. */
const sendInvites = ({ input, key }: { input: CreateInvitesInput; key: string }) =>
  readJson<CreateInvitesResult>(api.api.invites.$post({ json: input }, { headers: { 'idempotency-key': key } }))
const resendInvite = (id: string) =>
  readJson<Invite>(api.api.invites[':id'].resend.$post({ param: { id } }, withIdempotencyKey()))
const revokeInvite = (id: string) =>
  readJson<Invite>(api.api.invites[':id'].revoke.$post({ param: { id } }, withIdempotencyKey()))

// A password travels in these two: they are not repeated from a store of answers.
const offerOwnership = (json: { userId: string; password?: string }) =>
  readJson<OwnershipOffer>(api.api.workspace.ownership.$put({ json }))
/** What the new role may do stands in the session, so that is read anew. */
const acceptOwnership = async (json: { password?: string }) => {
  await readJson<unknown>(api.api.workspace.ownership.accept.$post({ json }))
  await loadSession()
}
const withdrawOwnership = () => readJson<unknown>(api.api.workspace.ownership.$delete({}, withIdempotencyKey()))

/** People, invitations and seats depend on one another: a write makes all of them stale, also a refused one. */
function useMemberMutation<In, Out>(mutate: (input: In) => Promise<Out>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: mutate,
    onSettled: () =>
      Promise.all(['members', 'invites', 'groups'].map((noun) => client.invalidateQueries({ queryKey: [noun] }))),
  })
}

export const useUpdateMember = () => useMemberMutation(updateMember)
export const useRemoveMember = () => useMemberMutation(removeMember)
/** Leaving: the workspace can be asked for nothing afterwards. */
export const useLeaveWorkspace = () => useMutation({ mutationFn: removeMember })
export const useSendInvites = () => useMemberMutation(sendInvites)
export const useResendInvite = () => useMemberMutation(resendInvite)
export const useRevokeInvite = () => useMemberMutation(revokeInvite)
export const useOfferOwnership = () => useMemberMutation(offerOwnership)
export const useAcceptOwnership = () => useMemberMutation(acceptOwnership)
export const useWithdrawOwnership = () => useMemberMutation(withdrawOwnership)
