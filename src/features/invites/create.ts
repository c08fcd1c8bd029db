import { auditOf, invitationMail, termsOf, viewInvite } from './rows'
import type { Group, InviteRow } from './rows'
import { invitesStore, isPageOf } from './store'
import type { Known } from './store'
import { readSeats, seatsOf } from '../../access/seats'
import type { SeatKind, SeatLimits } from '../../access/seats'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import type { Asking } from '../../http/asking'
import { mailEntry } from '../../mail/order'
import { ProductError } from '../../shared/errors'
import { INVITE_TTL_MS } from '../../shared/invites'
import type { Invite, InviteLine, InviteRole, InvitesSent } from '../../shared/invites'
import type { Seats } from '../../shared/members'
import { canonicalEmail } from '../../shared/session'

/** Tries against others who take seats or renew the same invitations at once; each lost try means that another won. */
const TRIES = 8

export interface Inviting extends Asking {
  workspaceName: string
  inviter: string
  limits: SeatLimits
}
interface Input {
  emails: string[]
  role: InviteRole
  groupIds: string[]
  landing?: string | undefined
}
/** One line: refused at once, or an address to invite. */
type Line = { typed: string } & (
  { outcome: 'invalid' | 'repeated' | 'wrong_domain' } | { outcome: null; email: string }
)

/**
 * Invites each address for itself: a mistake in one stops no other.
 * @throws ProductError `not_found` for groups and pages of another workspace
 */
export async function createInvites(deps: Deps, ask: Inviting & { input: Input }): Promise<InvitesSent> {
  const store = invitesStore(deps.db, ask.scope)
  const [groups, domains] = await Promise.all([store.groups(), store.mailDomains()])
  const { groupIds, landing } = ask.input
  if (groupIds.some((id) => !groups.some((group) => group.id === id))) throw new ProductError('not_found')
  if (landing !== undefined && !(await isPageOf(deps.db, ask.scope.workspaceId, landing)))
    throw new ProductError('not_found')
  const lines = sorted(ask.input.emails, domains)
  for (let tries = 0; tries < TRIES; tries++) {
    const sent = await attempt(deps, ask, { lines, groups })
    if (sent) return sent
  }
  throw new ProductError('busy', { retryAfter: 1 })
}

/** What can be said of each line by itself. */
function sorted(typed: string[], domains: string[]): Line[] {
  const seen = new Set<string>()
  return typed.map((text) => {
    const email = canonicalEmail(text.trim())
    if (email === null) return { typed: text, outcome: 'invalid' }
    if (seen.has(email)) return { typed: text, outcome: 'repeated' }
    seen.add(email)
    return allowed(email, domains) ? { typed: text, outcome: null, email } : { typed: text, outcome: 'wrong_domain' }
  })
}

/** Whether a workspace lets addresses like this be invited. */
export const allowed = (email: string, domains: readonly string[]): boolean =>
  domains.length === 0 || domains.includes(email.slice(email.lastIndexOf('@') + 1))

/** Null when something changed between reading and writing. */
async function attempt(
  deps: Deps,
  ask: Inviting & { input: Input },
  { lines, groups }: { lines: Line[]; groups: Group[] },
): Promise<InvitesSent | null> {
  const { scope, limits, input } = ask
  const now = deps.clock.now()
  const store = invitesStore(deps.db, scope)
  const emails = lines.flatMap((line) => (line.outcome === null ? [line.email] : []))
  const [known, seats] = await Promise.all([
    store.known(emails),
    readSeats(deps.db, { workspaceId: scope.workspaceId, limits, now }),
  ])
  const plan = planned(deps, ask, { emails, known, seats })
  const rows = [...plan.values()].flatMap(({ row }) => (row ? [row] : []))
  const sent = { lines: lines.map((line) => answered(line, plan, (row) => viewInvite(row, groups, now))) }
  const outbox = rows.map((row) => {
    const { order, key } = invitationMail(row, ask.workspaceName)
    return mailEntry(order, { key, workspaceId: scope.workspaceId })
  })
  const audit = rows.map((row) => {
    const before = known.pending.find(({ id }) => id === row.id)
    const action = before ? 'invite.renew' : 'invite.create'
    return { ...auditOf(scope, action, row.id), ...(before ? { before: termsOf(before) } : {}), after: termsOf(row) }
  })
  const lost = new ProductError('busy', { retryAfter: 1 })
  try {
    const change = rows.length === 0 ? [] : [store.put(rows, { limits, takes: seatsOf(input.role), now })]
    const expect = rows.length === 0 ? {} : { expect: { onMissed: () => lost } }
    await commit(deps, { change, audit, outbox, reply: ask.reply(sent), ...expect })
    return sent
  } catch (error) {
    if (error === lost) return null
    throw error
  }
}

type Outcome = { outcome: InviteLine['outcome']; row: InviteRow | null }

/** Seats are given in the order of the lines; a renewed invitation holds its own already. */
function planned(
  deps: Deps,
  { input, inviter }: Inviting & { input: Input },
  { emails, known, seats }: { emails: string[]; known: Known; seats: Seats },
): Map<string, Outcome> {
  const now = deps.clock.now()
  const needs = seatsOf(input.role)
  const used: Record<SeatKind, number> = { users: seats.users.used, analysts: seats.analysts.used }
  const plan = new Map<string, Outcome>()
  for (const email of emails) {
    const before = known.pending.find((row) => row.email === email)
    const held = before && before.expiresAt > now ? seatsOf(before.role) : []
    const more = needs.filter((kind) => !held.includes(kind))
    const full = needs.some((kind) => {
      const { max } = seats[kind]
      return max !== null && used[kind] + (more.includes(kind) ? 1 : 0) > max
    })
    if (known.members.has(email)) plan.set(email, { outcome: 'member', row: null })
    else if (full) plan.set(email, { outcome: 'no_seat', row: null })
    else {
      for (const kind of more) used[kind]++
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

function answered(line: Line, plan: Map<string, Outcome>, view: (row: InviteRow) => Invite): InviteLine {
  if (line.outcome !== null) return { typed: line.typed, outcome: line.outcome, invite: null }
  const { outcome, row } = plan.get(line.email) ?? { outcome: 'invalid' as const, row: null }
  return { typed: line.typed, outcome, invite: row && view(row) }
}
