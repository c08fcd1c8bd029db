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
import { readSeatUsage, seatLimitsOf, seatsForRole, seatLimitError } from '../../entitlements/seats'
import type { SeatKind } from '../../entitlements/seats'
import { invitationAllowance, invitationRefusal } from '../../entitlements/invitations'
import { inviteBusy, toProductError } from './errors'
import { commit, tryCommit } from '../../db/commit'
import type { RequestContext } from '../../http/request-context'
import { ProductError } from '../../shared/errors'
import { INVITE_TTL_MS } from '../../shared/invites'
import type { Invite, InviteResult, InviteRole, CreateInvitesResult, InviteState } from '../../shared/invites'
import type { SeatUsage } from '../../shared/members'
import { canonicalEmail } from '../../shared/session'
import { encodeCursor, decodeCursor, toPage } from '../../http/pagination'
import type { ListPage } from '../../shared/field-schemas'
import type { ReadContext } from '../../deps'

/** Tries against others who take seats or renew the same invitations at once; each lost try means that another won. */
const ATTEMPTS_MAX = 8

interface InviteInput {
  emails: string[]
  role: InviteRole
  groupIds: string[]
  landing?: string | undefined
}
/** One line: refused at once, or an address to invite. */
type AddressLine = { typed: string } & (
  | { outcome: 'invalid' | 'repeated' | 'wrong_domain' }
  | { outcome: null; email: string }
)

/**
 * Invites each address for itself: a mistake in one stops no other.
 * @throws ProductError `not_found` for groups and pages of another workspace; `limit_reached` when so many cannot be
 * mailed today
 */
export async function createInvites(context: RequestContext, input: InviteInput): Promise<CreateInvitesResult> {
  const { deps, scope } = context
  const store = invitesStore(deps.db, scope)
  const [groups, domains] = await Promise.all([store.groups(), store.mailDomains()])
  const { groupIds, landing } = input
  if (groupIds.some((id) => !groups.some((group) => group.id === id))) throw new ProductError('not_found')
  if (landing !== undefined && !(await landingExists(deps.db, scope.workspaceId, landing)))
    throw new ProductError('not_found')
  const lines = classifyAddresses(input.emails, domains)
  for (let tries = 0; tries < ATTEMPTS_MAX; tries++) {
    const sent = await trySendInvites(context, input, { lines, groups })
    if (sent) return sent
  }
  throw inviteBusy()
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
const isAllowedDomain = (email: string, domains: readonly string[]): boolean =>
  domains.length === 0 || domains.includes(email.slice(email.lastIndexOf('@') + 1))

/** Null when something changed between reading and writing. */
async function trySendInvites(
  context: RequestContext,
  input: InviteInput,
  { lines, groups }: { lines: AddressLine[]; groups: InviteGroup[] },
): Promise<CreateInvitesResult | null> {
  const { deps, scope, membership } = context
  const limits = seatLimitsOf(membership.entitlements.features)
  const allowance = invitationAllowance(membership.entitlements)
  const now = deps.clock.now()
  const store = invitesStore(deps.db, scope)
  const emails = lines.flatMap((line) => (line.outcome === null ? [line.email] : []))
  const [known, seats] = await Promise.all([
    store.findKnown(emails),
    readSeatUsage(deps.db, { workspaceId: scope.workspaceId, limits, now }),
  ])
  const plan = planInvites(context, input, { emails, known, seats })
  const rows = [...plan.values()].flatMap(({ row }) => (row ? [row] : []))
  const sent = { lines: lines.map((line) => toInviteLine(line, plan, (row) => toInvite(row, groups, now))) }
  const reply = context.reply(sent)
  if (rows.length === 0) {
    await commit(deps, { change: [], reply })
    return sent
  }
  const { workspaceId } = scope
  const refusal = await invitationRefusal(deps.db, { workspaceId, allowance, added: rows.length, now })
  if (refusal) throw refusal
  const written = await tryCommit(deps, {
    change: [
      store.upsert(rows, { allowance, limits, takes: seatsForRole(input.role), now }),
      store.countMails(rows.length, now),
    ],
    audit: rows.map((row) => {
      const before = known.pending.find(({ id }) => id === row.id)
      return inviteAuditEntry(context, {
        action: before ? 'invite.renew' : 'invite.create',
        id: row.id,
        before: before && auditedTerms(before),
        after: auditedTerms(row),
      })
    }),
    outbox: rows.map((row) => invitationMail(row, membership)),
    reply,
  })
  return written ? sent : null
}

type PlannedInvite = { outcome: InviteResult['outcome']; row: InviteRow | null }

/** Seats are given in the order of the lines; a renewed invitation holds its own already. */
function planInvites(
  { deps, actor }: RequestContext,
  input: InviteInput,
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
    else if (known.reported.has(email)) plan.set(email, { outcome: 'reported', row: null })
    else if (isFull) plan.set(email, { outcome: 'no_seat', row: null })
    else {
      for (const kind of additionalSeats) used[kind]++
      const { role, groupIds, landing = null } = input
      const times = { sentAt: now, expiresAt: now + INVITE_TTL_MS }
      const row: InviteRow = {
        email,
        role,
        groupIds,
        landing,
        inviter: actor.name,
        ...times,
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
  { deps, scope }: ReadContext,
  query: { state?: InviteState | undefined; cursor?: string | undefined; limit: number },
): Promise<ListPage<Invite>> {
  const { state, cursor, limit } = query
  const now = deps.clock.now()
  const store = invitesStore(deps.db, scope)
  const page = { state, after: decodeCursor(cursor, 'invite'), limit: limit + 1, now }
  const [rows, groups] = await Promise.all([store.listPage(page), store.groups()])
  return toPage(rows, {
    limit,
    item: (row) => toInvite(row, groups, now),
    cursor: ({ sentAt, id }) => encodeCursor({ at: sentAt, id }),
  })
}

async function requirePendingInvite({ deps, scope }: ReadContext, id: string): Promise<InviteRow> {
  const row = await invitesStore(deps.db, scope).get(id)
  if (!row) throw new ProductError('not_found')
  if (row.state !== 'pending') throw new ProductError('expired', { what: 'invite' }, ENDED_MESSAGES[row.state])
  return row
}
const ENDED_MESSAGES = {
  accepted: 'Invitation already accepted.',
  revoked: 'Invitation revoked. Send a new one.',
}

/**
 * Sends it again, for another 7 days; the link of the earlier mail is worthless from now on.
 * @throws ProductError `expired` for accepted and revoked ones, `limit_reached` when its seat is taken meanwhile or no
 * more is mailed today, what
 * `limitRate` throws for an address that was written to too often
 */
export async function resendInvite(
  context: RequestContext,
  { id, limitRate }: { id: string; limitRate: (email: string) => Promise<unknown> },
): Promise<Invite> {
  const { deps, scope, actor, membership } = context
  const limits = seatLimitsOf(membership.entitlements.features)
  const allowance = invitationAllowance(membership.entitlements)
  const store = invitesStore(deps.db, scope)
  const before = await requirePendingInvite(context, id)
  await limitRate(before.email)
  const [groups, domains, member] = await Promise.all([
    store.groups(),
    store.mailDomains(),
    store.hasMember(before.email),
  ])
  if (member) throw new ProductError('expired', { what: 'invite' }, 'Already a member.')
  if (!isAllowedDomain(before.email, domains))
    throw new ProductError('invalid_input', { fields: { email: 'Domain not allowed in workspace settings.' } })
  const now = deps.clock.now()
  const renewed = { inviter: actor.name, serial: before.serial + 1, sentAt: now, expiresAt: now + INVITE_TTL_MS }
  const after: InviteRow = { ...before, ...renewed }
  const takes = inviteStateAt(before, now) === 'expired' ? seatsForRole(before.role) : []
  const invite = toInvite(after, groups, now)
  await commit(deps, {
    change: [store.resend(after, { allowance, limits, takes, now }), store.countMails(1, now)],
    audit: [
      inviteAuditEntry(context, {
        action: 'invite.renew',
        id,
        before: auditedTerms(before),
        after: auditedTerms(after),
      }),
    ],
    outbox: [invitationMail(after, membership)],
    reply: context.reply(invite),
    expect: {
      onMissed: async () => {
        await requirePendingInvite(context, id)
        const refusal = await invitationRefusal(deps.db, { workspaceId: scope.workspaceId, allowance, added: 1, now })
        if (refusal) return refusal
        const seats = await readSeatUsage(deps.db, { workspaceId: scope.workspaceId, limits, now })
        return seatLimitError(seats, takes) ?? inviteBusy()
      },
    },
  })
  return invite
}

/** Takes an invitation back; its link opens nothing any more. @throws ProductError `expired` when it has ended already */
export async function revokeInvite(context: RequestContext, id: string): Promise<Invite> {
  const { deps, scope } = context
  const store = invitesStore(deps.db, scope)
  const before = await requirePendingInvite(context, id)
  const after: InviteRow = { ...before, state: 'revoked' }
  const invite = toInvite(after, await store.groups(), deps.clock.now())
  await commit(deps, {
    change: [store.revoke(id)],
    audit: [inviteAuditEntry(context, { action: 'invite.revoke', id, before: auditedTerms(before) })],
    reply: context.reply(invite),
    expect: { onMissed: async () => requirePendingInvite(context, id).then(inviteBusy, toProductError) },
  })
  return invite
}
