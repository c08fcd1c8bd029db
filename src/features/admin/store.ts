import type { Staff } from '../../scope'
import type { Database } from '../../db/database'
import { toIso, toIsoOrNull } from '../../lib/iso'
import type { CursorPosition } from '../../http/pagination'
import type { AdminWorkspace, ListAdminWorkspaces } from '../../shared/admin'
import type { SubscriptionState } from '../../shared/billing/entitlements'
import type { PlanId } from '../../shared/billing/plans'

/** A row of {@link adminStore}'s list. */
export interface AdminWorkspaceRow {
  id: string
  name: string
  country: string
  owner_email: string | null
  members: number
  sources: number
  insights: number
  row_count: number
  bytes: number
  invite_reports: number
  state: SubscriptionState | null
  plan_id: PlanId | null
  trial_ends_at: number | null
  time_zone: string
  created_at: number
}

const LIST_SQL = `
SELECT w.id, w.name, w.country, w.time_zone, w.created_at, b.state, b.plan_id, b.trial_ends_at,
  (SELECT u.email FROM members m JOIN users u ON u.id = m.user_id
    WHERE m.workspace_id = w.id AND m.role = 'owner' ORDER BY m.created_at, u.id LIMIT 1) AS owner_email,
  (SELECT count(*) FROM members m WHERE m.workspace_id = w.id AND m.status = 'active') AS members,
  (SELECT count(*) FROM data_sources s WHERE s.workspace_id = w.id AND s.deleted_at IS NULL) AS sources,
  (SELECT count(*) FROM insights i WHERE i.workspace_id = w.id AND i.deleted_at IS NULL) AS insights,
  (SELECT coalesce(sum(d.row_count), 0) FROM datasets d JOIN data_sources s ON s.id = d.source_id
    WHERE d.workspace_id = w.id AND s.deleted_at IS NULL) AS row_count,
  (SELECT coalesce(sum(d.bytes), 0) FROM datasets d JOIN data_sources s ON s.id = d.source_id
    WHERE d.workspace_id = w.id AND s.deleted_at IS NULL) AS bytes,
  (SELECT count(*) FROM invite_reports r WHERE r.workspace_id = w.id) AS invite_reports
FROM workspaces w LEFT JOIN subscriptions b ON b.workspace_id = w.id
WHERE w.deleted_at IS NULL
  AND (?1 = '' OR instr(lower(w.name), lower(?1)) > 0 OR w.id = ?1 OR EXISTS (
    SELECT 1 FROM members m JOIN users u ON u.id = m.user_id WHERE m.workspace_id = w.id AND instr(u.email, lower(?1)) > 0))
  AND (?2 IS NULL OR w.created_at < ?2 OR (w.created_at = ?2 AND w.id < ?3))
ORDER BY w.created_at DESC, w.id DESC LIMIT ?4`

/** What a workspace is used on. */
export interface TermsRow {
  state: SubscriptionState
  plan_id: PlanId | null
  override: string | null
  trial_ends_at: number | null
  subscription_id: string | null
  version: number
}

/** What staff may read and set across workspaces. Only this room crosses them, and only for a proven {@link Staff}. */
export const adminStore = ({ d1 }: Database, _staff: Staff) => ({
  /** Workspaces after a position. `audit` is written in the same batch. */
  async list(
    { q, limit, after }: Pick<ListAdminWorkspaces, 'q' | 'limit'> & { after: CursorPosition | null },
    audit: D1PreparedStatement,
  ): Promise<AdminWorkspaceRow[]> {
    const statement = d1.prepare(LIST_SQL).bind(q?.normalize('NFC') ?? '', after?.at ?? null, after?.id ?? null, limit)
    const [result] = await d1.batch<AdminWorkspaceRow>([statement, audit])
    return result?.results ?? []
  },

  terms: (id: string): Promise<TermsRow | null> =>
    d1
      .prepare(
        `SELECT b.state, b.plan_id, b.override, b.trial_ends_at, b.subscription_id, b.version
         FROM subscriptions b JOIN workspaces w ON w.id = b.workspace_id AND w.deleted_at IS NULL WHERE w.id = ?`,
      )
      .bind(id)
      .first<TermsRow>(),

  /** Changes no row when another version is stored, or while it pays for a plan. */
  setTerms: (id: string, next: TermsRow): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE subscriptions SET state = ?2, plan_id = ?3, override = ?4, trial_ends_at = ?5, tier = NULL, version = ?6
         WHERE workspace_id = ?1 AND version = ?6 - 1 AND subscription_id IS NULL`,
      )
      .bind(id, next.state, next.plan_id, next.override, next.trial_ends_at, next.version),
})

export const toAdminWorkspace = (row: AdminWorkspaceRow): AdminWorkspace => ({
  id: row.id,
  name: row.name,
  country: row.country,
  ownerEmail: row.owner_email,
  members: row.members,
  sources: row.sources,
  insights: row.insights,
  rows: row.row_count,
  bytes: row.bytes,
  inviteReports: row.invite_reports,
  state: row.state ?? 'awaiting_checkout',
  planId: row.plan_id,
  trialEndsAt: toIsoOrNull(row.trial_ends_at),
  timeZone: row.time_zone,
  createdAt: toIso(row.created_at),
})
