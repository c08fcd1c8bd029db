import { allowed } from './create'
import type { Inviting } from './create'
import { auditOf, invitationMail, stateAt, termsOf, viewInvite } from './rows'
import type { InviteRow } from './rows'
import { invitesStore } from './store'
import type { Scope } from '../../access/scope'
import { noSeat, readSeats, seatsOf } from '../../access/seats'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import type { Asking } from '../../http/asking'
import { cursorOf, positionOf } from '../../http/cursor'
import { mailEntry } from '../../mail/order'
import { ProductError } from '../../shared/errors'
import { INVITE_TTL_MS } from '../../shared/invites'
import type { Invite, InviteState } from '../../shared/invites'
import type { Page } from '../../shared/names'

/** The newest mail first. */
export async function listInvites(
  deps: Deps,
  scope: Scope,
  asked: { state?: InviteState | undefined; cursor?: string | undefined; limit: number },
): Promise<Page<Invite>> {
  const { state, cursor, limit } = asked
  const now = deps.clock.now()
  const store = invitesStore(deps.db, scope)
  const page = { state, after: positionOf(cursor, 'invite'), limit: limit + 1, now }
  const [rows, groups] = await Promise.all([store.page(page), store.groups()])
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map((row) => viewInvite(row, groups, now)),
    nextCursor: rows.length > limit && last ? cursorOf({ at: last.sentAt, id: last.id }) : null,
  }
}

async function openInvite(deps: Deps, scope: Scope, id: string): Promise<InviteRow> {
  const row = await invitesStore(deps.db, scope).get(id)
  if (!row) throw new ProductError('not_found')
  if (row.state !== 'pending') throw new ProductError('expired', { what: 'invite' }, ENDED[row.state])
  return row
}
const ENDED = {
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
  ask: Inviting & { id: string; takeTry: (email: string) => Promise<unknown> },
): Promise<Invite> {
  const { scope, id, limits } = ask
  const store = invitesStore(deps.db, scope)
  const before = await openInvite(deps, scope, id)
  await ask.takeTry(before.email)
  const [groups, domains, member] = await Promise.all([
    store.groups(),
    store.mailDomains(),
    store.hasMember(before.email),
  ])
  if (member) throw new ProductError('expired', { what: 'invite' }, 'This person belongs to the workspace already.')
  if (!allowed(before.email, domains))
    throw new ProductError('invalid_input', { fields: { email: 'This workspace invites other domains only.' } })
  const now = deps.clock.now()
  const renewed = { inviter: ask.inviter, serial: before.serial + 1, sentAt: now, expiresAt: now + INVITE_TTL_MS }
  const after: InviteRow = { ...before, ...renewed }
  const takes = stateAt(before, now) === 'expired' ? seatsOf(before.role) : []
  const { order, key } = invitationMail(after, ask.workspaceName)
  const invite = viewInvite(after, groups, now)
  await commit(deps, {
    change: [store.renew(after, { limits, takes, now })],
    audit: [{ ...auditOf(scope, 'invite.renew', id), before: termsOf(before), after: termsOf(after) }],
    outbox: [mailEntry(order, { key, workspaceId: scope.workspaceId })],
    reply: ask.reply(invite),
    expect: {
      onMissed: async () => {
        await openInvite(deps, scope, id)
        const seats = await readSeats(deps.db, { workspaceId: scope.workspaceId, limits, now })
        return noSeat(seats, takes) ?? new ProductError('busy', { retryAfter: 1 })
      },
    },
  })
  return invite
}

/** Takes an invitation back; its link opens nothing any more. @throws ProductError `expired` when it has ended already */
export async function revokeInvite(deps: Deps, ask: Asking & { id: string }): Promise<Invite> {
  const { scope, id } = ask
  const store = invitesStore(deps.db, scope)
  const before = await openInvite(deps, scope, id)
  const after: InviteRow = { ...before, state: 'revoked' }
  const invite = viewInvite(after, await store.groups(), deps.clock.now())
  await commit(deps, {
    change: [store.revoke(id)],
    audit: [{ ...auditOf(scope, 'invite.revoke', id), before: termsOf(before) }],
    reply: ask.reply(invite),
    expect: { onMissed: async () => openInvite(deps, scope, id).then(busy, asRefusal) },
  })
  return invite
}
const busy = (): ProductError => new ProductError('busy', { retryAfter: 1 })
const asRefusal = (error: unknown): ProductError => {
  if (error instanceof ProductError) return error
  throw error
}
