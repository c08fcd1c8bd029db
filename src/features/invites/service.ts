import { isAllowedDomain } from './create'
import type { InviteContext } from './create'
import { inviteAuditEntry, invitationMail, inviteStateAt, auditedTerms, toInvite } from './rows'
import type { InviteRow } from './rows'
import { invitesStore } from './store'
import type { Scope } from '../../access/scope'
import { seatLimitError, readSeatUsage, seatsForRole } from '../../access/seats'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import type { WriteContext } from '../../http/asking'
import { encodeCursor, decodeCursor } from '../../http/cursor'
import { mailOutboxEntry } from '../../mail/order'
import { ProductError } from '../../shared/errors'
import { INVITE_TTL_MS } from '../../shared/invites'
import type { Invite, InviteState } from '../../shared/invites'
import type { ListPage } from '../../shared/names'

/** The newest mail first. */
export async function listInvites(
  deps: Deps,
  scope: Scope,
  query: { state?: InviteState | undefined; cursor?: string | undefined; limit: number },
): Promise<ListPage<Invite>> {
  const { state, cursor, limit } = query
  const now = deps.clock.now()
  const store = invitesStore(deps.db, scope)
  const page = { state, after: decodeCursor(cursor, 'invite'), limit: limit + 1, now }
  const [rows, groups] = await Promise.all([store.listPage(page), store.groups()])
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map((row) => toInvite(row, groups, now)),
    nextCursor: rows.length > limit && last ? encodeCursor({ at: last.sentAt, id: last.id }) : null,
  }
}

async function requirePendingInvite(deps: Deps, scope: Scope, id: string): Promise<InviteRow> {
  const row = await invitesStore(deps.db, scope).get(id)
  if (!row) throw new ProductError('not_found')
  if (row.state !== 'pending') throw new ProductError('expired', { what: 'invite' }, ENDED_MESSAGES[row.state])
  return row
}
const ENDED_MESSAGES = {
  accepted: 'This invitation was accepted already.',
  revoked: 'This invitation was taken back. Send a new one.',
}

/**
 * Sends it again, for another 7 days; the link of the earlier mail is worthless from now on.
 * @throws ProductError `expired` for accepted and revoked ones, `limit_reached` when its seat is taken meanwhile, what
 * `takeTry` throws for an address that was written to too often
 */
export async function resendInvite(
  deps: Deps,
  request: InviteContext & { id: string; limitRate: (email: string) => Promise<unknown> },
): Promise<Invite> {
  const { scope, id, limits } = request
  const store = invitesStore(deps.db, scope)
  const before = await requirePendingInvite(deps, scope, id)
  await request.limitRate(before.email)
  const [groups, domains, member] = await Promise.all([
    store.groups(),
    store.mailDomains(),
    store.hasMember(before.email),
  ])
  if (member) throw new ProductError('expired', { what: 'invite' }, 'This person belongs to the workspace already.')
  if (!isAllowedDomain(before.email, domains))
    throw new ProductError('invalid_input', { fields: { email: 'This workspace invites other domains only.' } })
  const now = deps.clock.now()
  const renewed = { inviter: request.inviter, serial: before.serial + 1, sentAt: now, expiresAt: now + INVITE_TTL_MS }
  const after: InviteRow = { ...before, ...renewed }
  const takes = inviteStateAt(before, now) === 'expired' ? seatsForRole(before.role) : []
  const { order, key } = invitationMail(after, request.workspaceName)
  const invite = toInvite(after, groups, now)
  await commit(deps, {
    change: [store.resend(after, { limits, takes, now })],
    audit: [
      { ...inviteAuditEntry(scope, 'invite.renew', id), before: auditedTerms(before), after: auditedTerms(after) },
    ],
    outbox: [mailOutboxEntry(order, { key, workspaceId: scope.workspaceId })],
    reply: request.reply(invite),
    expect: {
      onMissed: async () => {
        await requirePendingInvite(deps, scope, id)
        const seats = await readSeatUsage(deps.db, { workspaceId: scope.workspaceId, limits, now })
        return seatLimitError(seats, takes) ?? new ProductError('busy', { retryAfter: 1 })
      },
    },
  })
  return invite
}

/** Takes an invitation back; its link opens nothing any more. @throws ProductError `expired` when it has ended already */
export async function revokeInvite(deps: Deps, revocation: WriteContext & { id: string }): Promise<Invite> {
  const { scope, id } = revocation
  const store = invitesStore(deps.db, scope)
  const before = await requirePendingInvite(deps, scope, id)
  const after: InviteRow = { ...before, state: 'revoked' }
  const invite = toInvite(after, await store.groups(), deps.clock.now())
  await commit(deps, {
    change: [store.revoke(id)],
    audit: [{ ...inviteAuditEntry(scope, 'invite.revoke', id), before: auditedTerms(before) }],
    reply: revocation.reply(invite),
    expect: { onMissed: async () => requirePendingInvite(deps, scope, id).then(inviteBusy, toProductError) },
  })
  return invite
}
const inviteBusy = (): ProductError => new ProductError('busy', { retryAfter: 1 })
const toProductError = (error: unknown): ProductError => {
  if (error instanceof ProductError) return error
  throw error
}
