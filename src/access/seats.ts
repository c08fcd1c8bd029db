import { subscriptionColumns, subscriptionFrom } from './subscription-row'
import type { SubscriptionRow } from './subscription-row'
import type { Database } from '../db/database'
import { ProductError } from '../shared/errors'
import type { Seats } from '../shared/members'
import { mayRole } from '../shared/permissions'
import type { Role } from '../shared/permissions'
import { entitlements } from '../shared/entitlements'
import type { Entitlements } from '../shared/entitlements'
import type { AddOnId } from '../shared/add-ons'
import type { Limit, PlanFeatures } from '../shared/plans'

/**
 * Seats of a workspace: the only place that says who takes one. Whoever gives a seat asks for room in the very statement
 * that takes it, by the conditions below.
 */
export const SEAT_KINDS = ['users', 'analysts'] as const
export type SeatKind = (typeof SEAT_KINDS)[number]
/** How many the plan has of each; null = unlimited. */
export type SeatLimits = Record<SeatKind, Limit>

/** What is offered to whoever has no seat left. */
const ADD_ON: Record<SeatKind, AddOnId> = { users: 'user_pack_10', analysts: 'extra_analyst' }
/** The roles of a seat, as a condition on the row `s`. People of the portal take none. */
const HOLDS: Record<SeatKind, string> = {
  users: "s.role <> 'client'",
  analysts: "s.role IN ('owner', 'admin', 'analyst')",
}

/** The seats that a role takes. */
export const seatsOf = (role: Role): SeatKind[] =>
  role === 'client' ? [] : mayRole(role, 'create:source') ? ['users', 'analysts'] : ['users']

export const limitsOf = ({ users, analysts }: Pick<PlanFeatures, SeatKind>): SeatLimits => ({ users, analysts })

/** Names of a statement's parameters, such as `?1`. */
interface Params {
  workspace: string
  /** Epoch ms: invitations whose time is over hold no seat. */
  now: string
}

/** Seats of members. The suspended hold none. */
export const memberSeats = (kind: SeatKind, workspace: string): string =>
  `(SELECT count(*) FROM members s WHERE s.workspace_id = ${workspace} AND s.status = 'active' AND ${HOLDS[kind]})`

/** Seats held by invitations that can still be accepted; `but` = a condition on those (`s`) that are not counted. */
export const inviteSeats = (kind: SeatKind, { workspace, now }: Params, but = 'FALSE'): string =>
  `(SELECT count(*) FROM invites s WHERE s.workspace_id = ${workspace} AND s.state = 'pending' AND s.expires_at > ${now}
     AND ${HOLDS[kind]} AND NOT (${but}))`

/** All that are taken. */
export const takenSeats = (kind: SeatKind, params: Params): string =>
  `(${memberSeats(kind, params.workspace)} + ${inviteSeats(kind, params)})`

/** Whether one more fits, where `takes` (0 or 1) says that one is needed at all. */
export const hasRoom = (kind: SeatKind, params: Params & { takes: string; max: string }): string =>
  `(${params.takes} = 0 OR ${params.max} IS NULL OR ${takenSeats(kind, params)} < ${params.max})`

/** The seats of a workspace as they are. */
export async function readSeats(
  { d1 }: Database,
  { workspaceId, limits, now }: { workspaceId: string; limits: SeatLimits; now: number },
): Promise<Seats> {
  const params = { workspace: '?1', now: '?2' }
  const row = await d1
    .prepare(`SELECT ${takenSeats('users', params)} AS users, ${takenSeats('analysts', params)} AS analysts`)
    .bind(workspaceId, now)
    .first<{ users: number; analysts: number }>()
  return {
    users: { used: row?.users ?? 0, max: limits.users },
    analysts: { used: row?.analysts ?? 0, max: limits.analysts },
  }
}

/** The refusal when one of the seats needed is not free, else null. */
export function noSeat(seats: Seats, needed: readonly SeatKind[]): ProductError | null {
  for (const kind of needed) {
    const { used, max } = seats[kind]
    if (max !== null && used >= max)
      return new ProductError('limit_reached', { limit: kind, used, max, addOn: ADD_ON[kind] }, NO_SEAT[kind])
  }
  return null
}
const NO_SEAT: Record<SeatKind, string> = {
  users: 'Every seat is taken. Invitations that are open hold a seat, too.',
  analysts: 'Every analyst seat is taken. Owners, admins, analysts and open invitations to these roles hold one.',
}

/** What a workspace may, for whoever is no member of it yet. */
export async function entitlementsOf({ d1 }: Database, workspaceId: string, now: number): Promise<Entitlements> {
  const row = await d1
    .prepare(`SELECT ${subscriptionColumns('b')} FROM subscriptions b WHERE b.workspace_id = ?`)
    .bind(workspaceId)
    .first<SubscriptionRow>()
  return entitlements(subscriptionFrom(row), now)
}
