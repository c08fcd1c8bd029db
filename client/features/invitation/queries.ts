import { queryOptions } from '@tanstack/react-query'
import { answer, api } from '../../lib/api'
import { session } from '../../lib/session'
import type { InviteAccepted, InviteLook } from '../../../src/shared/invites'

/** What the link is for whoever is signed in now. Reading uses nothing up. */
export const lookQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', session().user?.id ?? null, token],
    queryFn: ({ signal }) => answer<InviteLook>(api.api.invites.look.$post({ json: { token } }, { init: { signal } })),
    staleTime: 0,
  })

/** Joins; who belongs to the workspace already is answered the same. */
export const acceptInvite = (token: string) => answer<InviteAccepted>(api.api.invites.accept.$post({ json: { token } }))
