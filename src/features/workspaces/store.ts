import type { Scope, Actor } from '../../scope'
import type { Database } from '../../db/database'
import { picturePath } from '../../shared/pictures'
import type { EndedMembership, Workspace } from '../../shared/workspaces/workspaces'
import { ROLES, type Role } from '../../shared/permissions'

/** The workspace of a scope. */
export const workspaceStore = ({ d1 }: Database, scope: Scope) => ({
  async get(): Promise<Workspace | null> {
    const row = await d1
      .prepare(
        `SELECT id, name, country, currency, number_locale AS numberLocale, time_zone AS timeZone,
           fiscal_year_start AS fiscalYearStart, week_start AS weekStart, version, mail_domains AS domains, report_domains AS reportDomains, logo_key AS logoKey
         FROM workspaces WHERE id = ? AND deleted_at IS NULL`,
      )
      .bind(scope.workspaceId)
      .first<
        Omit<Workspace, 'mailDomains' | 'reportDomains' | 'logo'> & {
          domains: string
          reportDomains: string
          logoKey: string | null
        }
      >()
    if (!row) return null
    const { domains, reportDomains, logoKey, ...rest } = row
    const parsed = (text: string): string[] => JSON.parse(text)
    return { ...rest, mailDomains: parsed(domains), reportDomains: parsed(reportDomains), logo: picturePath(logoKey) }
  },

  /** Changes no row when another version is stored. `next.version` is the version after the change. */
  update: (next: Workspace): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE workspaces SET name = ?, country = ?, currency = ?, number_locale = ?, time_zone = ?,
           fiscal_year_start = ?, week_start = ?, mail_domains = ?, report_domains = ?, version = ?
         WHERE id = ? AND version = ? AND deleted_at IS NULL`,
      )
      .bind(
        ...settingColumns(next),
        JSON.stringify(next.mailDomains),
        JSON.stringify(next.reportDomains),
        next.version,
        scope.workspaceId,
        next.version - 1,
      ),

  setLogo: (key: string | null): D1PreparedStatement =>
    d1
      .prepare('UPDATE workspaces SET logo_key = ?2, version = version + 1 WHERE id = ?1 AND deleted_at IS NULL')
      .bind(scope.workspaceId, key),
})

/**
 * A workspace that does not exist yet has no scope: its rows are written for the person who makes it. A person has one
 * trial; `trialAnyway` where there is nothing to buy instead.
 */
export const newWorkspaceRows = (
  { d1 }: Database,
  values: { workspace: Workspace; ownerId: string; now: number; trialEndsAt: number; alwaysTrial: boolean },
): D1PreparedStatement[] => {
  const { workspace, ownerId, now, trialEndsAt, alwaysTrial } = values
  return [
    d1
      .prepare(
        `INSERT INTO workspaces (name, country, currency, number_locale, time_zone, fiscal_year_start, week_start, id, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .bind(...settingColumns(workspace), workspace.id, now),
    d1
      .prepare("INSERT INTO members (workspace_id, user_id, role, created_at) VALUES (?, ?, 'owner', ?)")
      .bind(workspace.id, ownerId, now),
    d1
      .prepare(
        `INSERT INTO subscriptions (workspace_id, state, trial_ends_at)
         SELECT ?1, CASE WHEN trial THEN 'trialing' ELSE 'awaiting_checkout' END, CASE WHEN trial THEN ?3 END
         FROM (SELECT ?4 = 1 OR trial_started_at IS NULL AS trial FROM users WHERE id = ?2)`,
      )
      .bind(workspace.id, ownerId, trialEndsAt, alwaysTrial ? 1 : 0),
    d1.prepare('UPDATE users SET trial_started_at = ?2 WHERE id = ?1 AND trial_started_at IS NULL').bind(ownerId, now),
    d1.prepare("UPDATE users SET onboarding = 'profile' WHERE id = ? AND onboarding = 'workspace'").bind(ownerId),
  ]
}

/** A workspace of Professional that no trial ends and nobody pays for: the local demo's. */
export const grantPermanentPlan = ({ d1 }: Database, workspaceId: string): D1PreparedStatement =>
  d1
    .prepare(
      "UPDATE subscriptions SET state = 'active', plan_id = 'professional', trial_ends_at = NULL WHERE workspace_id = ?",
    )
    .bind(workspaceId)

const settingColumns = (workspace: Workspace): (string | number)[] => [
  workspace.name,
  workspace.country,
  workspace.currency,
  workspace.numberLocale,
  workspace.timeZone,
  workspace.fiscalYearStart,
  workspace.weekStart,
]

export interface Administrator {
  userId: string
  email: string
}

/** Taking the workspace of a scope away. Writes are statements for `commit`. */
export const workspaceDeletionStore = ({ d1 }: Database, { workspaceId, actorId }: Scope) => ({
  /** Changes no row when another version is stored, or when the person owns it no more. Members stay, and cannot enter. */
  remove: (at: { version: number; now: number }): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE workspaces SET deleted_at = ?4, deleted_by = ?2, version = version + 1
         WHERE id = ?1 AND version = ?3 AND deleted_at IS NULL AND EXISTS (
           SELECT 1 FROM members WHERE workspace_id = ?1 AND user_id = ?2 AND role = 'owner' AND status = 'active')`,
      )
      .bind(workspaceId, actorId, at.version, at.now),

  /** Ends every load under way: whoever works on one finds it ended at the next step. */
  cancelLoads: (now: number): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE runs SET state = 'cancelled', finished_at = ?2 WHERE workspace_id = ?1 AND state IN ('queued', 'running')`,
      )
      .bind(workspaceId, now),

  async activeLoads(): Promise<string[]> {
    const { results } = await d1
      .prepare("SELECT id FROM runs WHERE workspace_id = ? AND state IN ('queued', 'running')")
      .bind(workspaceId)
      .all<{ id: string }>()
    return results.map(({ id }) => id)
  },

  /** Who is told: owners and administrators who can be written to. */
  async administrators(): Promise<Administrator[]> {
    const { results } = await d1
      .prepare(
        `SELECT u.id AS userId, u.email FROM members m JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL
         WHERE m.workspace_id = ? AND m.status = 'active' AND m.role IN ('owner', 'admin') AND u.email IS NOT NULL`,
      )
      .bind(workspaceId)
      .all<Administrator>()
    return results
  },
})

export interface EndedMembershipRow extends Pick<EndedMembership, 'workspace' | 'reason'> {
  at: number | null
}

/**
 * What a person is told of workspaces that they cannot enter: why, since when, and the name, which is that of today, as an
 * invitation would show it.
 */
export async function listEndedMemberships(
  { d1 }: Database,
  { userId, since }: { userId: string; since: number },
): Promise<EndedMembershipRow[]> {
  const { results } = await d1
    .prepare(
      `SELECT w.name AS workspace, e.reason, e.ended_at AS at FROM ended_memberships e
         JOIN workspaces w ON w.id = e.workspace_id AND w.deleted_at IS NULL
       WHERE e.user_id = ?1 AND e.reason <> 'account_deleted' AND e.ended_at > ?2
       UNION ALL
       SELECT w.name, iif(m.restored_at IS NULL, 'suspended', 'restored'), m.restored_at FROM members m
         JOIN workspaces w ON w.id = m.workspace_id AND w.deleted_at IS NULL
       WHERE m.user_id = ?1 AND m.status = 'suspended'
       UNION ALL
       SELECT w.name, 'deleted', w.deleted_at FROM members m JOIN workspaces w ON w.id = m.workspace_id
       WHERE m.user_id = ?1 AND m.status = 'active' AND m.role <> 'owner' AND w.deleted_at > ?2
       ORDER BY at DESC, workspace LIMIT 100`,
    )
    .bind(userId, since)
    .all<EndedMembershipRow>()
  return results
}

export interface DeletedWorkspaceRow {
  id: string
  name: string
  deletedAt: number
  logoKey: string | null
  role: Role
}

/** Deleted workspaces that a person owned: the person is the key, there is no scope of what nobody may enter. */
export const deletedWorkspaceStore = ({ d1 }: Database, { userId }: Pick<Actor, 'userId'>) => ({
  /** Deleted after `since`, the newest first. */
  async list(since: number): Promise<DeletedWorkspaceRow[]> {
    const { results } = await d1
      .prepare(
        `SELECT w.id, w.name, w.deleted_at AS deletedAt, w.logo_key AS logoKey, m.role
         FROM members m JOIN workspaces w ON w.id = m.workspace_id
         WHERE m.user_id = ?1 AND m.role = 'owner' AND m.status = 'active' AND w.deleted_at > ?2
         ORDER BY w.deleted_at DESC, w.id LIMIT 100`,
      )
      .bind(userId, since)
      .all<DeletedWorkspaceRow>()
    return results.filter(({ role }) => ROLES.includes(role))
  },

  /** Changes no row when it is not theirs, not deleted, or was deleted at or before `since`. */
  restore: (id: string, since: number): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE workspaces SET deleted_at = NULL, deleted_by = NULL, version = version + 1
         WHERE id = ?1 AND deleted_at > ?3 AND EXISTS (
           SELECT 1 FROM members WHERE workspace_id = ?1 AND user_id = ?2 AND role = 'owner' AND status = 'active')`,
      )
      .bind(id, userId, since),
})
