import { subscriptionColumns, subscriptionFromRow, type SubscriptionRow } from './subscription-row'
import type { Database } from '../db/database'
import { ProductError } from '../shared/errors'
import type { SeatUsage } from '../shared/members'
import { roleMay, type Role } from '../shared/permissions'
import { computeEntitlements, type Entitlements } from '../shared/billing/entitlements'
import type { AddOnId, PlanLimit, PlanFeatures } from '../shared/billing/plans'

/**
 * Seats of a workspace: the only place that says who takes one. Whoever gives a seat asks for room in the very statement
 * that takes it, by the conditions below.
 */
const SEAT_KINDS = ['users', 'analysts'] as const
export type SeatKind = (typeof SEAT_KINDS)[number]
/** How many the plan has of each; null = unlimited. */
export type SeatLimits = Record<SeatKind, PlanLimit>

/** What is offered to whoever has no seat left. */
const SEAT_ADD_ON: Record<SeatKind, AddOnId> = { users: 'user_pack_10', analysts: 'extra_analyst' }
/** Condition on the role of a row: it takes this seat. People of the portal take none. */
const seatRoleCondition = (kind: SeatKind, row: string): string =>
  kind === 'users' ? `${row}.role <> 'client'` : `${row}.role IN ('owner', 'admin', 'analyst')`

/** Condition on a row of members: it holds this seat. The suspended hold none. */
export const holdsSeatCondition = (kind: SeatKind, row: string): string =>
  `${row}.status = 'active' AND ${seatRoleCondition(kind, row)}`

/** The seats that a role takes. */
export const seatsForRole = (role: Role): SeatKind[] =>
  role === 'client' ? [] : roleMay(role, 'create:source') ? ['users', 'analysts'] : ['users']

export const seatLimitsOf = ({ users, analysts }: Pick<PlanFeatures, SeatKind>): SeatLimits => ({ users, analysts })

/** Names of a statement's parameters, such as `?1`. */
interface SeatParams {
  workspace: string
  /** Epoch ms: invitations whose time is over hold no seat. */
  now: string
}

/** Seats of members. */
const memberSeatsSql = (kind: SeatKind, workspace: string): string =>
  `(SELECT count(*) FROM members s WHERE s.workspace_id = ${workspace} AND ${holdsSeatCondition(kind, 's')})`

/** Seats held by invitations that can still be accepted; `but` = a condition on those (`s`) that are not counted. */
const inviteSeatsSql = (kind: SeatKind, { workspace, now }: SeatParams, but = 'FALSE'): string =>
  `(SELECT count(*) FROM invites s WHERE s.workspace_id = ${workspace} AND s.state = 'pending' AND s.expires_at > ${now}
     AND ${seatRoleCondition(kind, 's')} AND NOT (${but}))`

/** All that are taken. */
export const takenSeatsSql = (kind: SeatKind, seatParams: SeatParams): string =>
  `(${memberSeatsSql(kind, seatParams.workspace)} + ${inviteSeatsSql(kind, seatParams)})`

/** Whether one more fits, where `takes` (0 or 1) says that one is needed at all. */
export const hasFreeSeatSql = (kind: SeatKind, params: SeatParams & { takes: string; max: string }): string =>
  `(${params.takes} = 0 OR ${params.max} IS NULL OR ${takenSeatsSql(kind, params)} < ${params.max})`

/**
 * Whether `added` more fit at once, where `takes` (0 or 1) says that any is needed at all. `but`: a condition on open
 * invitations (`s`) that the added ones replace.
 */
export const hasFreeSeatsSql = (
  kind: SeatKind,
  params: SeatParams & { takes: string; max: string; added: string; but: string },
): string => `(${params.takes} = 0 OR ${params.max} IS NULL
  OR ${memberSeatsSql(kind, params.workspace)} + ${inviteSeatsSql(kind, params, params.but)} + ${params.added} <= ${params.max})`

/** Whether an open invitation may become a member: its own seat turns into a member's, so only members count. */
export const hasFreeMemberSeatSql = (
  kind: SeatKind,
  { workspace, takes, max }: Omit<SeatParams, 'now'> & { takes: string; max: string },
): string => `(${takes} = 0 OR ${max} IS NULL OR ${memberSeatsSql(kind, workspace)} < ${max})`

/** The values of {@link hasFreeSeatSql}'s parameters `takes` and `max`: of users, then of analysts. */
export const seatBindings = (takes: readonly SeatKind[], limits: SeatLimits): (number | null)[] =>
  SEAT_KINDS.flatMap((kind) => [takes.includes(kind) ? 1 : 0, limits[kind]])

/** The seats of a workspace as they are. */
export async function readSeatUsage(
  { d1 }: Database,
  { workspaceId, limits, now }: { workspaceId: string; limits: SeatLimits; now: number },
): Promise<SeatUsage> {
  const params = { workspace: '?1', now: '?2' }
  const row = await d1
    .prepare(`SELECT ${takenSeatsSql('users', params)} AS users, ${takenSeatsSql('analysts', params)} AS analysts`)
    .bind(workspaceId, now)
    .first<{ users: number; analysts: number }>()
  return {
    users: { used: row?.users ?? 0, max: limits.users },
    analysts: { used: row?.analysts ?? 0, max: limits.analysts },
  }
}

/** The refusal when one of the seats needed is not free, else null. */
export function seatLimitError(seatUsage: SeatUsage, needed: readonly SeatKind[]): ProductError | null {
  for (const kind of needed) {
    const { used, max } = seatUsage[kind]
    if (max !== null && used >= max)
      return new ProductError(
        'limit_reached',
        { limit: kind, used, max, addOn: SEAT_ADD_ON[kind] },
        NO_SEAT_MESSAGE[kind],
      )
  }
  return null
}
const NO_SEAT_MESSAGE: Record<SeatKind, string> = {
  users: 'All seats are taken. Pending invitations use a seat.',
  analysts: 'All analyst seats are taken. Owners, admins, analysts and pending invitations use one.',
}

/** What a workspace may, for whoever is no member of it yet. */
export async function readEntitlements({ d1 }: Database, workspaceId: string, now: number): Promise<Entitlements> {
  const row = await d1
    .prepare(`SELECT ${subscriptionColumns('b')} FROM subscriptions b WHERE b.workspace_id = ?`)
    .bind(workspaceId)
    .first<SubscriptionRow>()
  return computeEntitlements(subscriptionFromRow(row), now)
}
