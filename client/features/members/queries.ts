import { useInvalidatingMutation } from '../../lib/queries/query-client'
import { workspaceId, session } from '../../lib/session'
import { pagesQuery, jsonQuery } from '../../lib/queries/query-options'
import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { readJson, api, withIdempotencyKey } from '../../lib/api'
import { loadSession } from '../../lib/session-actions'
import type { SignInMethods } from '../../../src/shared/account'
import type { CreateInvitesInput, Invite, CreateInvitesResult } from '../../../src/shared/invites'
import type { OwnedItems, Member, MemberStatus, OwnershipOffer, SeatUsage } from '../../../src/shared/members'
import type { ListPage } from '../../../src/shared/field-schemas'
import type { Role } from '../../../src/shared/permissions'

const PAGE_SIZE = '50'

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
    ...pagesQuery<Member>(['members', 'list', workspaceId(), { q, role, status, group }], (cursor, options) =>
      api.api.members.$get(
        {
          query: {
            limit: PAGE_SIZE,
            q: q.slice(0, 80) || undefined,
            role,
            status,
            group,
            cursor,
          },
        },
        options,
      ),
    ),
    placeholderData: keepPreviousData,
  })

/** Suspended members who wait to be let in again after restoring their account. */
export const restoredMembersQuery = () =>
  queryOptions({
    queryKey: ['members', 'restored', workspaceId()],
    queryFn: async ({ signal }): Promise<Member[]> => {
      const query = { status: 'suspended' as const, limit: '100' }
      const { items } = await readJson<ListPage<Member>>(api.api.members.$get({ query }, { init: { signal } }))
      return items.filter(({ restored }) => restored)
    },
  })

export const seatsQuery = () =>
  jsonQuery<SeatUsage>(['members', 'seats', workspaceId()], (options) => api.api.members.seats.$get({}, options))

/** What somebody would leave behind, and who may take it over. */
export const ownedItemsQuery = (id: string) =>
  jsonQuery<OwnedItems>(['members', 'belongings', workspaceId(), id], (options) =>
    api.api.members[':id'].belongings.$get({ param: { id } }, options),
  )

export const invitesQuery = () =>
  pagesQuery<Invite>(['invites', 'list', workspaceId()], (cursor, options) =>
    api.api.invites.$get({ query: { limit: PAGE_SIZE, cursor } }, options),
  )

export const offerQuery = () =>
  jsonQuery<OwnershipOffer | null>(['members', 'ownership', workspaceId()], (options) =>
    api.api.workspace.ownership.$get({}, options),
  )

/** Whether the signed-in person has a password to prove themselves with. */
export const signInsQuery = () =>
  jsonQuery<SignInMethods>(['account', 'sign-ins', session().user?.id], (options) =>
    api.api.account['sign-ins'].$get({}, options),
  )

/** A page that a newcomer may land on. */
export interface LandingPage {
  path: string
  name: string
  kind: 'insight' | 'source'
}
export const landingPagesQuery = () =>
  queryOptions({
    queryKey: ['insights', 'landing-pages', workspaceId()],
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
  heir?: string | undefined
}
const updateMember = ({ id, ...json }: MemberUpdate) =>
  readJson<Member>(api.api.members[':id'].$put({ param: { id }, json }, withIdempotencyKey()))

const removeMember = ({ id, version, heir }: { id: string; version: number; heir?: string | undefined }) =>
  readJson<Member>(
    api.api.members[':id'].$delete({ param: { id }, query: { version: String(version), heir } }, withIdempotencyKey()),
  )

/** Invites. `key` names the intent: the same addresses sent twice by a bad connection are invited once. */
const sendInvites = ({ input, key }: { input: CreateInvitesInput; key: string }) =>
  readJson<CreateInvitesResult>(api.api.invites.$post({ json: input }, withIdempotencyKey(key)))
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
const MEMBER_QUERY_KEYS = ['members', 'invites', 'groups']
export const useUpdateMember = () => useInvalidatingMutation(updateMember, MEMBER_QUERY_KEYS)
export const useRemoveMember = () => useInvalidatingMutation(removeMember, MEMBER_QUERY_KEYS)
/** Leaving: the workspace can be asked for nothing afterwards. */
export const useLeaveWorkspace = (onSuccess: () => Promise<void>) =>
  useMutation({ mutationFn: removeMember, onSuccess })
export const useSendInvites = () => useInvalidatingMutation(sendInvites, MEMBER_QUERY_KEYS)
export const useResendInvite = () => useInvalidatingMutation(resendInvite, MEMBER_QUERY_KEYS)
export const useRevokeInvite = () => useInvalidatingMutation(revokeInvite, MEMBER_QUERY_KEYS)
export const useOfferOwnership = () => useInvalidatingMutation(offerOwnership, MEMBER_QUERY_KEYS)
export const useAcceptOwnership = () => useInvalidatingMutation(acceptOwnership, MEMBER_QUERY_KEYS)
export const useWithdrawOwnership = () => useInvalidatingMutation(withdrawOwnership, MEMBER_QUERY_KEYS)
