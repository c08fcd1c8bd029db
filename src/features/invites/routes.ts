import { Hono } from 'hono'
import { acceptInvite, previewInvite } from './accept'
import { checkReportLink, reportInvite } from './report'
import { createInvites, listInvites, resendInvite, revokeInvite } from './service'
import { contextOf } from '../../http/request-context'
import { actorOf, membershipOf, type AppContext, type AppEnv } from '../../http/context'
import { may, provenEmail, publicAccess, requireGate, signedIn, within } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { jsonBody, noBody, pathId, queryString } from '../../http/validate'
import {
  acceptInviteSchema,
  createInvitesSchema,
  listInvitesSchema,
  previewInviteSchema,
  reportInviteSchema,
} from '../../shared/invites'
import { canonicalEmail } from '../../shared/session'

const inviteIdOf = (c: AppContext): string => pathId('invite', c.req.param('id') ?? '')
/** Every mail counts: whoever of the workspace sends it, and whichever workspaces somebody makes to write to one address. */
const limitMails = (c: AppContext, typed: readonly string[]) =>
  enforceRateLimits(c, [
    { rate: 'inviteOfWorkspace', key: membershipOf(c).workspaceId, count: typed.length },
    { rate: 'inviteOfPerson', key: actorOf(c).userId, count: typed.length },
    ...validAddresses(typed).map((key) => ({ rate: 'inviteToAddress', key }) as const),
  ])
const validAddresses = (typed: readonly string[]): string[] => [
  ...new Set(typed.flatMap((text) => canonicalEmail(text.trim()) ?? [])),
]

const invites = new Hono<AppEnv>()
  .get('/', may('invite:member'), queryString(listInvitesSchema), async (c) =>
    c.json(await listInvites(contextOf(c), c.req.valid('query')), 200),
  )
  .post('/', may('invite:member'), provenEmail(), within('users'), jsonBody(createInvitesSchema), async (c) => {
    const input = c.req.valid('json')
    if (input.groupIds.length > 0) requireGate(c, 'userGrouping')
    await limitMails(c, input.emails)
    return c.json(await createInvites(contextOf(c), input), 200)
  })
  .post(
    '/look',
    publicAccess('says what an invitation is, to whoever holds its link'),
    jsonBody(previewInviteSchema),
    async (c) => {
      await enforceRateLimits(c, [{ rate: 'lookAtInviteFromAddress' }])
      return c.json(await previewInvite(c.get('deps'), c.req.valid('json').token, c.get('actor')), 200)
    },
  )
  .post(
    '/report/check',
    publicAccess('says whether an invitation can be reported, to the holder of its link'),
    jsonBody(reportInviteSchema),
    async (c) => {
      await enforceRateLimits(c, [{ rate: 'checkLinkFromAddress' }])
      return c.json(await checkReportLink(c.get('deps'), c.req.valid('json').token), 200)
    },
  )
  .post(
    '/report',
    publicAccess('reports an invitation, by the link in its mail'),
    jsonBody(reportInviteSchema),
    async (c) => {
      await enforceRateLimits(c, [{ rate: 'linkFromAddress' }])
      return c.json(await reportInvite(c.get('deps'), c.req.valid('json').token), 200)
    },
  )
  // The body holds a token: the answer is not kept. The same person asking again is answered the same.
  .post('/accept', signedIn(), jsonBody(acceptInviteSchema), async (c) => {
    await enforceRateLimits(c, [{ rate: 'acceptInvite', key: actorOf(c).userId }])
    return c.json(await acceptInvite(c.get('deps'), c.req.valid('json').token, actorOf(c)), 200)
  })
  .post('/:id/resend', may('invite:member'), provenEmail(), noBody(), async (c) => {
    const request = { id: inviteIdOf(c), limitRate: (email: string) => limitMails(c, [email]) }
    return c.json(await resendInvite(contextOf(c), request), 200)
  })
  .post('/:id/revoke', may('invite:member'), noBody(), async (c) =>
    c.json(await revokeInvite(contextOf(c), inviteIdOf(c)), 200),
  )

/** The calls of this feature. */
export const inviteRoutes = new Hono<AppEnv>().route('/api/invites', invites)
