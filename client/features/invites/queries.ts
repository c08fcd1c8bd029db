import { jsonQuery } from '../../lib/queries/query-options'
import { queryOptions } from '@tanstack/react-query'
import { readJson, api } from '../../lib/api'
import { session } from '../../lib/session'
import type { LinkCheck } from '../../../src/shared/account'
import type { AcceptedInvite, InvitePreview, ReportedInvite } from '../../../src/shared/invites'

/** What the link is for whoever is signed in now. Reading uses nothing up. */
export const invitePreviewQuery = (token: string) =>
  queryOptions({
    ...jsonQuery<InvitePreview>(['invitation', session().user?.id ?? null, token], (options) =>
      api.api.invites.look.$post({ json: { token } }, options),
    ),
    staleTime: 0,
  })

/** Whether an invitation can still be reported; reading reports nothing. */
export const reportCheckQuery = (token: string) =>
  queryOptions({
    ...jsonQuery<LinkCheck>(['report-check', token], (options) =>
      api.api.invites.report.check.$post({ json: { token } }, options),
    ),
    gcTime: 0,
    retry: false,
  })

/** Reports an invitation from somebody unknown. */
export const reportInvite = (token: string) =>
  readJson<ReportedInvite>(api.api.invites.report.$post({ json: { token } }))

/** Joins; who belongs to the workspace already is answered the same. */
export const acceptInvite = (token: string) =>
  readJson<AcceptedInvite>(api.api.invites.accept.$post({ json: { token } }))
