import {
  inviteAuditEntry,
  invitationMail,
  auditedTerms,
  toInvite,
  invitesStore,
  landingExists,
  inviteStateAt,
} from './store'
import type { InviteGroup, InviteRow, KnownAddresses } from './store'
import { readSeatUsage, seatsForRole, seatLimitError } from '../../entitlements/seats'
import type { SeatKind, SeatLimits } from '../../entitlements/seats'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import type { WriteContext } from '../../http/idempotency'
import { mailOutboxEntry } from '../../mail/queued-mail'
import { ProductError } from '../../shared/errors'
import { INVITE_TTL_MS } from '../../shared/invites'
import type { Invite, InviteResult, InviteRole, CreateInvitesResult, InviteState } from '../../shared/invites'
import type { SeatUsage } from '../../shared/members'
import { canonicalEmail } from '../../shared/session'
import type { Scope } from '../../identity/scope'
import { encodeCursor, decodeCursor } from '../../http/pagination'
import type { ListPage } from '../../shared/field-schemas'

/** Tries against others who take seats or renew the same invitations at once; each lost try means that another won. */
const ATTEMPTS_MAX = 8

export interface InviteContext extends WriteContext {
  workspaceName: string
  inviter: string
  limits: SeatLimits
}
interface InviteInput {
  emails: string[]
  role: InviteRole
  groupIds: string[]
  landing?: string | undefined
}
/** One line: refused at once, or an address to invite. */
type AddressLine = { typed: string } & (
  { outcome: 'invalid' | 'repeated' | 'wrong_domain' } | { outcome: null; email: string }
)

/**
 * Invites each address for itself: a mistake in one stops no other.
 * @throws ProductError `not_found` for groups and pages of another workspace
 */
export async function createInvites(
  deps: Deps,
  request: InviteContext & { input: InviteInput },
): Promise<CreateInvitesResult> {
  const store = invitesStore(deps.db, request.scope)
  const [groups, domains] = await Promise.all([store.groups(), store.mailDomains()])
  const { groupIds, landing } = request.input
  if (groupIds.some((id) => !groups.some((group) => group.id === id))) throw new ProductError('not_found')
  if (landing !== undefined && !(await landingExists(deps.db, request.scope.workspaceId, landing)))
    throw new ProductError('not_found')
  const lines = classifyAddresses(request.input.emails, domains)
  for (let tries = 0; tries < ATTEMPTS_MAX; tries++) {
    const sent = await trySendInvites(deps, request, { lines, groups })
    if (sent) return sent
  }
  throw new ProductError('busy', { retryAfter: 1 })
}

/** What can be said of each line by itself. */
function classifyAddresses(addresses: string[], domains: string[]): AddressLine[] {
  const seenEmails = new Set<string>()
  return addresses.map((text) => {
    const email = canonicalEmail(text.trim())
    if (email === null) return { typed: text, outcome: 'invalid' }
    if (seenEmails.has(email)) return { typed: text, outcome: 'repeated' }
    seenEmails.add(email)
    return isAllowedDomain(email, domains)
      ? { typed: text, outcome: null, email }
      : { typed: text, outcome: 'wrong_domain' }
  })
}

/** Whether a workspace lets addresses like this be invited. */
export const isAllowedDomain = (email: string, domains: readonly string[]): boolean =>
  domains.length === 0 || domains.includes(email.slice(email.lastIndexOf('@') + 1))

/** Null when something changed between reading and writing. */
async function trySendInvites(
  deps: Deps,
  batch: InviteContext & { input: InviteInput },
  { lines, groups }: { lines: AddressLine[]; groups: InviteGroup[] },
): Promise<CreateInvitesResult | null> {
  const { scope, limits, input } = batch
  const now = deps.clock.now()
  const store = invitesStore(deps.db, scope)
  const emails = lines.flatMap((line) => (line.outcome === null ? [line.email] : []))
  const [known, seats] = await Promise.all([
    store.findKnown(emails),
    readSeatUsage(deps.db, { workspaceId: scope.workspaceId, limits, now }),
  ])
  const plan = planInvites(deps, batch, { emails, known, seats })
  const rows = [...plan.values()].flatMap(({ row }) => (row ? [row] : []))
  const sent = { lines: lines.map((line) => toInviteLine(line, plan, (row) => toInvite(row, groups, now))) }
  const outbox = rows.map((row) => {
    const { order, key } = invitationMail(row, batch.workspaceName)
    return mailOutboxEntry(order, { key, workspaceId: scope.workspaceId })
  })
  const audit = rows.map((row) => {
    const before = known.pending.find(({ id }) => id === row.id)
    const action = before ? 'invite.renew' : 'invite.create'
    return {
      ...inviteAuditEntry(scope, action, row.id),
      ...(before ? { before: auditedTerms(before) } : {}),
      after: auditedTerms(row),
    }
  })
  const conflict = new ProductError('busy', { retryAfter: 1 })
  try {
    const change = rows.length === 0 ? [] : [store.upsert(rows, { limits, takes: seatsForRole(input.role), now })]
    const expect = rows.length === 0 ? {} : { expect: { onMissed: () => conflict } }
    await commit(deps, { change, audit, outbox, reply: batch.reply(sent), ...expect })
    return sent
  } catch (error) {
    if (error === conflict) return null
    throw error
  }
}

type PlannedInvite = { outcome: InviteResult['outcome']; row: InviteRow | null }

/** Seats are given in the order of the lines; a renewed invitation holds its own already. */
function planInvites(
  deps: Deps,
  { input, inviter }: InviteContext & { input: InviteInput },
  { emails, known, seats }: { emails: string[]; known: KnownAddresses; seats: SeatUsage },
): Map<string, PlannedInvite> {
  const now = deps.clock.now()
  const requiredSeats = seatsForRole(input.role)
  const used: Record<SeatKind, number> = { users: seats.users.used, analysts: seats.analysts.used }
  const plan = new Map<string, PlannedInvite>()
  for (const email of emails) {
    const before = known.pending.find((row) => row.email === email)
    const held = before && before.expiresAt > now ? seatsForRole(before.role) : []
    const additionalSeats = requiredSeats.filter((kind) => !held.includes(kind))
    const isFull = requiredSeats.some((kind) => {
      const { max } = seats[kind]
      return max !== null && used[kind] + (additionalSeats.includes(kind) ? 1 : 0) > max
    })
    if (known.members.has(email)) plan.set(email, { outcome: 'member', row: null })
    else if (isFull) plan.set(email, { outcome: 'no_seat', row: null })
    else {
      for (const kind of additionalSeats) used[kind]++
      const { role, groupIds, landing = null } = input
      const terms = { email, role, groupIds, landing, inviter, sentAt: now, expiresAt: now + INVITE_TTL_MS }
      const row: InviteRow = {
        ...terms,
        id: before?.id ?? deps.ids.next('invite'),
        serial: (before?.serial ?? 0) + 1,
        state: 'pending',
      }
      plan.set(email, { outcome: before ? 'renewed' : 'sent', row })
    }
  }
  return plan
}

function toInviteLine(
  addressLine: AddressLine,
  plan: Map<string, PlannedInvite>,
  view: (row: InviteRow) => Invite,
): InviteResult {
  if (addressLine.outcome !== null) return { typed: addressLine.typed, outcome: addressLine.outcome, invite: null }
  const { outcome, row } = plan.get(addressLine.email) ?? { outcome: 'invalid' as const, row: null }
  return { typed: addressLine.typed, outcome, invite: row && view(row) }
}

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
