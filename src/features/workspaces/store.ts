import { and, eq, isNull } from 'drizzle-orm'
import type { Scope } from '../../access/scope'
import type { Database } from '../../db/database'
import { workspaces } from '../../db/schema'
import { picturePath } from '../../shared/pictures'
import type { Workspace } from '../../shared/workspaces'

/** The workspace of a scope. */
export const workspaceStore = ({ orm, d1 }: Database, scope: Scope) => ({
  async get(): Promise<Workspace | null> {
    const row = await orm
      .select({
        id: workspaces.id,
        name: workspaces.name,
        country: workspaces.country,
        currency: workspaces.currency,
        numberLocale: workspaces.numberLocale,
        timeZone: workspaces.timeZone,
        fiscalYearStart: workspaces.fiscalYearStart,
        weekStart: workspaces.weekStart,
        version: workspaces.version,
        mailDomains: workspaces.mailDomains,
        logoKey: workspaces.logoKey,
      })
      .from(workspaces)
      .where(and(eq(workspaces.id, scope.workspaceId), isNull(workspaces.deletedAt)))
      .get()
    if (!row) return null
    const { logoKey, ...rest } = row
    return { ...rest, logo: picturePath(logoKey) }
  },

  /** Changes no row when another version is stored. `next.version` is the version after the change. */
  update: (next: Workspace): D1PreparedStatement =>
    d1
      .prepare(
        `UPDATE workspaces SET name = ?, country = ?, currency = ?, number_locale = ?, time_zone = ?,
           fiscal_year_start = ?, week_start = ?, mail_domains = ?, version = ?
         WHERE id = ? AND version = ? AND deleted_at IS NULL`,
      )
      .bind(
        ...settingColumns(next),
        JSON.stringify(next.mailDomains),
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
