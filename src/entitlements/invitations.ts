import { toIso } from '../lib/iso'
import type { Database } from '../db/database'
import type { Entitlements } from '../shared/billing/entitlements'
import type { PlanId } from '../shared/billing/plans'
import { DAY_MS } from '../shared/dates'
import { ProductError } from '../shared/errors'

/**
 * How many invitations a workspace may mail: the only place that says so. Whoever sends some asks for room in the very
 * statement that writes them, by the condition below, and counts them in the same batch.
 */
export interface InvitationAllowance {
  /** Mails of invitations in a day (UTC), resent ones too. */
  perDay: number
  /** Mails that servers may refuse in a day before no more invitations are sent. */
  bouncesPerDay: number
}

const TRIAL_ALLOWANCE: InvitationAllowance = { perDay: 20, bouncesPerDay: 5 }
const PLAN_ALLOWANCES: Record<PlanId, InvitationAllowance> = {
  personal: { perDay: 50, bouncesPerDay: 10 },
  standard: { perDay: 100, bouncesPerDay: 20 },
  professional: { perDay: 200, bouncesPerDay: 20 },
  enterprise: { perDay: 500, bouncesPerDay: 50 },
  legacy: { perDay: 100, bouncesPerDay: 20 },
}
/** Reports by those who were invited, in {@link REPORTS_MS}, before no more invitations are sent. */
export const REPORTS_MAX = 3
const REPORTS_MS = 30 * DAY_MS

/** What a workspace may send: less while nothing is paid, or a payment is overdue. */
export function invitationAllowance({ state, planId }: Pick<Entitlements, 'state' | 'planId'>): InvitationAllowance {
  const isPaid = state === 'active' || state === 'invoice_pending'
  return isPaid && planId !== null ? PLAN_ALLOWANCES[planId] : TRIAL_ALLOWANCE
}

const dayOf = (now: number): string => toIso(now).slice(0, 10)
const usedSql = (name: 'invitations' | 'bounces', workspace: string, day: string): string =>
  `coalesce((SELECT used FROM allowances WHERE workspace_id = ${workspace} AND name = '${name}' AND period = ${day}), 0)`
const reportsSql = (workspace: string, since: string): string =>
  `(SELECT count(*) FROM invite_reports WHERE workspace_id = ${workspace} AND at > ${since})`

/** Names of a statement's parameters, such as `?1`; their values are {@link invitationBindings}. */
interface InvitationParams {
  workspace: string
  day: string
  perDay: string
  bouncesPerDay: string
  /** Epoch ms: older reports do not count. */
  reportedSince: string
}

/** Whether `added` more may be mailed today. */
export const hasInvitationRoomSql = (params: InvitationParams & { added: string }): string =>
  `(${usedSql('invitations', params.workspace, params.day)} + ${params.added} <= ${params.perDay}
    AND ${usedSql('bounces', params.workspace, params.day)} < ${params.bouncesPerDay}
    AND ${reportsSql(params.workspace, params.reportedSince)} < ${REPORTS_MAX})`

/** The values of `day`, `perDay`, `bouncesPerDay` and `reportedSince`, in this order. */
export const invitationBindings = (
  { perDay, bouncesPerDay }: InvitationAllowance,
  now: number,
): (string | number)[] => [dayOf(now), perDay, bouncesPerDay, now - REPORTS_MS]

/** Condition: the reader of this address reported an invitation of the workspace. */
export const hasReportedSql = (workspace: string, email: string): string =>
  `EXISTS (SELECT 1 FROM invite_reports WHERE workspace_id = ${workspace} AND email = ${email})`

const COUNT = `INSERT INTO allowances (workspace_id, name, period, used) SELECT ?1, ?2, ?3, ?4 WHERE`
const ADD = 'ON CONFLICT (workspace_id, name, period) DO UPDATE SET used = used + excluded.used'

/** Counts invitations that are mailed by the same batch. */
export const countInvitations = (
  { d1 }: Database,
  { workspaceId, added, now }: { workspaceId: string; added: number; now: number },
): D1PreparedStatement => d1.prepare(`${COUNT} TRUE ${ADD}`).bind(workspaceId, 'invitations', dayOf(now), added)

/** Counts an invitation of the workspace that its receiver's server refused, if the statement before it changed a row. */
export const countBounce = (
  { d1 }: Database,
  { workspaceId, now }: { workspaceId: string; now: number },
): D1PreparedStatement => d1.prepare(`${COUNT} changes() > 0 ${ADD}`).bind(workspaceId, 'bounces', dayOf(now), 1)

/** Why `added` more cannot be mailed today, or null. */
export async function invitationRefusal(
  { d1 }: Database,
  of: { workspaceId: string; allowance: InvitationAllowance; added: number; now: number },
): Promise<ProductError | null> {
  const { workspaceId, allowance, added, now } = of
  const row = await d1
    .prepare(
      `SELECT ${usedSql('invitations', '?1', '?2')} AS sent, ${usedSql('bounces', '?1', '?2')} AS bounces,
         ${reportsSql('?1', '?3')} AS reports`,
    )
    .bind(workspaceId, dayOf(now), now - REPORTS_MS)
    .first<{ sent: number; bounces: number; reports: number }>()
  const { sent = 0, bounces = 0, reports = 0 } = row ?? {}
  const resetsAt = toIso((Math.floor(now / DAY_MS) + 1) * DAY_MS)
  const { perDay, bouncesPerDay } = allowance
  if (reports >= REPORTS_MAX)
    return new ProductError(
      'limit_reached',
      { limit: 'invitationReports', used: reports, max: REPORTS_MAX },
      'Invitations are paused: several people reported them.',
    )
  if (bounces >= bouncesPerDay)
    return new ProductError(
      'limit_reached',
      { limit: 'bouncedMails', used: bounces, max: bouncesPerDay, resetsAt },
      'Invitations are paused: too many addresses don’t exist. Check them before sending more.',
    )
  if (sent + added <= perDay) return null
  const left = Math.max(perDay - sent, 0)
  return new ProductError(
    'limit_reached',
    { limit: 'invitationsPerDay', used: sent, max: perDay, resetsAt },
    `This workspace can send ${perDay} invitations a day; ${left === 0 ? 'none are' : `${left} ${left === 1 ? 'is' : 'are'}`} left today.`,
  )
}
