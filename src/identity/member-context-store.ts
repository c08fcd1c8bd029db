import { memberRankColumns, effectiveMembership, type MemberRanks } from '../entitlements/limits'
import { accessColumns, readDataRights, type AccessColumns } from './access/access-store'
import { Scope } from '../scope'
import { subscriptionColumns, subscriptionFromRow, type SubscriptionRow } from '../entitlements/subscription-row'
import type { Database } from '../db/database'
import { computeEntitlements, type Entitlements } from '../shared/billing/entitlements'
import type { Clock } from '../shared/ids'
import { NOTIFICATION_DEFAULTS, type NotificationKind, type NotificationSettings } from '../shared/account'
import { ROLES, type Role } from '../shared/permissions'
import type { WeekStart, WorkspaceSettings } from '../shared/workspaces/workspaces'

/** A member as the database says now, for work that no request of theirs stands behind. */
export interface MemberContext {
  scope: Scope
  userId: string
  name: string
  /** Where mails of the workspace reach them: a proven address, or null. */
  email: string | null
  role: Role
  workspaceName: string
  settings: WorkspaceSettings
  entitlements: Entitlements
  /** What they want to be emailed about. */
  notifications: NotificationSettings
}

const SELECT_MEMBER = `
SELECT m.user_id, m.role, u.name, CASE WHEN u.email_proven_at IS NOT NULL THEN u.email END AS email, u.notifications, u.epoch AS user_epoch, m.epoch AS member_epoch,
  w.name AS workspace_name, w.country, w.currency, w.number_locale, w.time_zone, w.fiscal_year_start, w.week_start,
  ${memberRankColumns('m', 'm.workspace_id')}, ${subscriptionColumns('b')},
  ${accessColumns({ epoch: 'w.access_epoch', workspace: 'w.id', user: 'm.user_id' })}
FROM members m
JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
JOIN workspaces w ON w.id = m.workspace_id AND w.deleted_at IS NULL
LEFT JOIN subscriptions b ON b.workspace_id = m.workspace_id
WHERE m.workspace_id = ?1 AND m.status = 'active'`

interface MemberContextRow extends MemberRanks, SubscriptionRow, AccessColumns {
  user_id: string
  name: string
  email: string | null
  /** JSON. */
  notifications: string
  user_epoch: number
  member_epoch: number
  workspace_name: string
  country: string
  currency: string
  number_locale: string
  time_zone: string
  fiscal_year_start: number
  week_start: WeekStart
}
interface MemberContextDeps {
  db: Database
  clock: Clock
}

/** Null for whoever is no active member any more, or has no seat. */
export async function readMemberContext(
  { db, clock }: MemberContextDeps,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<MemberContext | null> {
  const row = await db.d1
    .prepare(`${SELECT_MEMBER} AND m.user_id = ?2`)
    .bind(workspaceId, userId)
    .first<MemberContextRow>()
  return row && memberContextFromRow(db, row, { workspaceId, now: clock.now() })
}

/** The members who want mails of a kind, the longest here first. */
export async function readSubscribers(
  { db, clock }: MemberContextDeps,
  { workspaceId, kind }: { workspaceId: string; kind: NotificationKind },
): Promise<MemberContext[]> {
  const { results } = await db.d1
    .prepare(
      `${SELECT_MEMBER} AND coalesce(json_extract(u.notifications, '$.' || ?2), ?3) ORDER BY m.created_at, m.user_id`,
    )
    .bind(workspaceId, kind, Number(NOTIFICATION_DEFAULTS[kind]))
    .all<MemberContextRow>()
  const read = results.map((row) => memberContextFromRow(db, row, { workspaceId, now: clock.now() }))
  return (await Promise.all(read)).flatMap((member) => member ?? [])
}

/** The owner who has been one for longest; null when the workspace is deleted. */
export async function readOwnerContext(
  { db, clock }: MemberContextDeps,
  workspaceId: string,
): Promise<MemberContext | null> {
  const row = await db.d1
    .prepare(`${SELECT_MEMBER} AND m.role = 'owner' ORDER BY m.created_at, m.user_id LIMIT 1`)
    .bind(workspaceId)
    .first<MemberContextRow>()
  return row && memberContextFromRow(db, row, { workspaceId, now: clock.now() })
}

async function memberContextFromRow(
  db: Database,
  row: MemberContextRow,
  { workspaceId, now }: { workspaceId: string; now: number },
): Promise<MemberContext | null> {
  if (!ROLES.includes(row.role)) return null
  const entitled = computeEntitlements(subscriptionFromRow(row), now)
  const { seat, role } = effectiveMembership(row, entitled.features)
  if (seat === 'none') return null
  const wanted: Partial<NotificationSettings> = JSON.parse(row.notifications)
  const userId = row.user_id
  const rights = await readDataRights(db, { workspaceId, userId, role, email: row.email }, row)
  return {
    notifications: { ...NOTIFICATION_DEFAULTS, ...wanted },
    scope: Scope.forReader({ workspaceId, userId, epoch: `${row.user_epoch}.${row.member_epoch}`, rights }),
    userId,
    name: row.name,
    email: row.email,
    role,
    workspaceName: row.workspace_name,
    settings: {
      country: row.country,
      currency: row.currency,
      numberLocale: row.number_locale,
      timeZone: row.time_zone,
      fiscalYearStart: row.fiscal_year_start,
      weekStart: row.week_start,
    },
    entitlements: entitled,
  }
}
