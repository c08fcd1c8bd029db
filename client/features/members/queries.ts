import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { answer, api, idempotencyKey } from '../../lib/api'
import { session } from '../../lib/session'
import { loadSession } from '../../lib/session-calls'
import type { SignIns } from '../../../src/shared/account'
import type { Group } from '../../../src/shared/groups'
import type { CreateInvitesInput, Invite, InvitesSent } from '../../../src/shared/invites'
import type { Belongings, Member, MemberStatus, OwnershipOffer, Seats } from '../../../src/shared/members'
import type { Page } from '../../../src/shared/names'
import type { Role } from '../../../src/shared/permissions'

const PAGE = '50'
const here = (): string | undefined => session().workspace?.id
const once = () => ({ headers: { 'idempotency-key': idempotencyKey() } })

/** What the list of members is narrowed to; empty = everybody. */
export interface MemberFilter {
  q: string
  role: Role | undefined
  status: MemberStatus | undefined
  group: string | undefined
}

export const EVERYBODY: MemberFilter = { q: '', role: undefined, status: undefined, group: undefined }

export const membersQuery = ({ q, role, status, group }: MemberFilter) =>
  infiniteQueryOptions({
    queryKey: ['members', 'list', here(), { q, role, status, group }],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      answer<Page<Member>>(
        api.api.members.$get(
          {
            query: {
              limit: PAGE,
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
    queryKey: ['members', 'seats', here()],
    queryFn: ({ signal }) => answer<Seats>(api.api.members.seats.$get({}, { init: { signal } })),
  })

/** What somebody would leave behind, and who may take it over. */
export const belongingsQuery = (id: string) =>
  queryOptions({
    queryKey: ['members', 'belongings', here(), id],
    queryFn: ({ signal }) =>
      answer<Belongings>(api.api.members[':id'].belongings.$get({ param: { id } }, { init: { signal } })),
  })

export const invitesQuery = () =>
  infiniteQueryOptions({
    queryKey: ['invites', 'list', here()],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      answer<Page<Invite>>(
        api.api.invites.$get(
          { query: { limit: PAGE, ...(pageParam === '' ? {} : { cursor: pageParam }) } },
          { init: { signal } },
        ),
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })

export const groupsQuery = () =>
  queryOptions({
    queryKey: ['groups', 'for-members', here()],
    queryFn: ({ signal }) => answer<Group[]>(api.api.groups.$get({}, { init: { signal } })),
  })

export const offerQuery = () =>
  queryOptions({
    queryKey: ['members', 'ownership', here()],
    queryFn: ({ signal }) => answer<OwnershipOffer | null>(api.api.workspace.ownership.$get({}, { init: { signal } })),
  })

/** Whether the signed-in person has a password to prove themselves with. */
export const signInsQuery = () =>
  queryOptions({
    queryKey: ['account', 'sign-ins', session().user?.id],
    queryFn: ({ signal }) => answer<SignIns>(api.api.account['sign-ins'].$get({}, { init: { signal } })),
  })

/** A page that a newcomer may land on. */
export interface LandingPage {
  path: string
  name: string
  kind: 'insight' | 'source'
}
export const landingPagesQuery = () =>
  queryOptions({
    queryKey: ['insights', 'landing-pages', here()],
    queryFn: async ({ signal }): Promise<LandingPage[]> => {
      const query = { limit: '100' }
      const [insights, sources] = await Promise.all([
        answer<Page<{ id: string; name: string }>>(api.api.insights.$get({ query }, { init: { signal } })),
        answer<Page<{ id: string; name: string }>>(api.api['data-sources'].$get({ query }, { init: { signal } })),
      ])
      return [
        ...insights.items.map(({ id, name }) => ({ path: `/insights/${id}`, name, kind: 'insight' as const })),
        ...sources.items.map(({ id, name }) => ({ path: `/data-sources/${id}`, name, kind: 'source' as const })),
      ]
    },
  })

export interface MemberChange {
  id: string
  role: Role
  status: MemberStatus
  version: number
  heir?: string
}
const changeMember = ({ id, ...json }: MemberChange) =>
  answer<Member>(api.api.members[':id'].$put({ param: { id }, json }, once()))

const removeMember = ({ id, version, heir }: { id: string; version: number; heir?: string }) =>
  answer<Member>(
    api.api.members[':id'].$delete(
      { param: { id }, query: { version: String(version), ...(heir === undefined ? {} : { heir }) } },
      once(),
    ),
  )

/** Invites. `key` names the intent: the same addresses sent twice by a bad connection are invited once. */
const sendInvites = ({ input, key }: { input: CreateInvitesInput; key: string }) =>
  answer<InvitesSent>(api.api.invites.$post({ json: input }, { headers: { 'idempotency-key': key } }))
const resendInvite = (id: string) => answer<Invite>(api.api.invites[':id'].resend.$post({ param: { id } }, once()))
const revokeInvite = (id: string) => answer<Invite>(api.api.invites[':id'].revoke.$post({ param: { id } }, once()))

// A password travels in these two: they are not repeated from a store of answers.
const offerOwnership = (json: { userId: string; password?: string }) =>
  answer<OwnershipOffer>(api.api.workspace.ownership.$put({ json }))
/** What the new role may do stands in the session, so that is read anew. */
const acceptOwnership = async (json: { password?: string }) => {
  await answer<unknown>(api.api.workspace.ownership.accept.$post({ json }))
  await loadSession()
}
const withdrawOwnership = () => answer<unknown>(api.api.workspace.ownership.$delete({}, once()))

/** People, invitations and seats depend on one another: a write makes all of them stale, also a refused one. */
function usePeopleWrite<In, Out>(write: (input: In) => Promise<Out>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: write,
    onSettled: () =>
      Promise.all(['members', 'invites', 'groups'].map((noun) => client.invalidateQueries({ queryKey: [noun] }))),
  })
}

export const useChangeMember = () => usePeopleWrite(changeMember)
export const useRemoveMember = () => usePeopleWrite(removeMember)
/** Leaving: the workspace can be asked for nothing afterwards. */
export const useLeave = () => useMutation({ mutationFn: removeMember })
export const useSendInvites = () => usePeopleWrite(sendInvites)
export const useResendInvite = () => usePeopleWrite(resendInvite)
export const useRevokeInvite = () => usePeopleWrite(revokeInvite)
export const useOfferOwnership = () => usePeopleWrite(offerOwnership)
export const useAcceptOwnership = () => usePeopleWrite(acceptOwnership)
export const useWithdrawOwnership = () => usePeopleWrite(withdrawOwnership)
