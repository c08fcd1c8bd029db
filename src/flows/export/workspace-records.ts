import type { Scope } from '../../identity/scope'
import type { Database } from '../../db/database'

/** A stored file that a load was made from. */
export interface OriginalFile {
  key: string
  fileName: string
  sourceName: string
  datasetName: string
  startedAt: number
}
export interface ExportedSource {
  id: string
  name: string
  type: string
  datasets: { id: string; name: string }[]
}

const iso = (at: unknown): string | null => (typeof at === 'number' ? new Date(at).toISOString() : null)
const parsedJson = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : null)

/** What one workspace is, beside its rows: as plain data to be written down. Nothing here opens anything. */
export const workspaceRecords = ({ d1 }: Database, { workspaceId, actorId }: Scope) => {
  const rows = async (sql: string): Promise<Record<string, unknown>[]> =>
    (await d1.prepare(sql).bind(workspaceId).all<Record<string, unknown>>()).results
  return {
    async people() {
      const [members, groups, invitations] = await Promise.all([
        rows(
          `SELECT u.id, u.name, u.email, m.role, m.status, m.created_at, m.last_seen_at
           FROM members m JOIN users u ON u.id = m.user_id WHERE m.workspace_id = ? ORDER BY m.created_at, u.id`,
        ),
        rows(
          `SELECT g.id, g.name, g.description, g.color, g.auto_rule, g.created_at,
             (SELECT json_group_array(user_id) FROM group_members WHERE group_id = g.id AND is_member = 1) AS members,
             (SELECT json_group_array(user_id) FROM group_members WHERE group_id = g.id AND is_manager = 1) AS managers
           FROM user_groups g WHERE g.workspace_id = ? AND g.deleted_at IS NULL ORDER BY g.name_key`,
        ),
        rows(
          `SELECT email, role, group_ids, landing, state, invited_by, created_at, expires_at, accepted_at
           FROM invites WHERE workspace_id = ? ORDER BY created_at, id`,
        ),
      ])
      return {
        members: members.map(({ created_at, last_seen_at, ...row }) => ({
          ...row,
          joinedAt: iso(created_at),
          lastSeenAt: iso(last_seen_at),
        })),
        groups: groups.map(({ auto_rule, created_at, members: inside, managers, ...row }) => ({
          ...row,
          autoRule: parsedJson(auto_rule),
          memberIds: parsedJson(inside),
          managerIds: parsedJson(managers),
          createdAt: iso(created_at),
        })),
        invitations: invitations.map((row) => ({
          ...{
            email: row['email'],
            role: row['role'],
            groupIds: parsedJson(row['group_ids']),
            landing: row['landing'],
          },
          ...{ state: row['state'], invitedBy: row['invited_by'], createdAt: iso(row['created_at']) },
          ...{ expiresAt: iso(row['expires_at']), acceptedAt: iso(row['accepted_at']) },
        })),
      }
    },

    /** What was bought, and what stands on invoices. The invoices themselves are with billing. */
    async subscription() {
      const [row = {}] = await rows(
        `SELECT state, plan_id, override, interval, add_ons, tier, method, trial_ends_at, period_ends_at, cancel_at, details
         FROM subscriptions WHERE workspace_id = ?`,
      )
      return {
        ...{ state: row['state'], planId: row['plan_id'], interval: row['interval'], tier: row['tier'] },
        ownLimits: parsedJson(row['override']),
        ...{ addOns: parsedJson(row['add_ons']), method: row['method'], trialEndsAt: iso(row['trial_ends_at']) },
        ...{
          periodEndsAt: iso(row['period_ends_at']),
          cancelAt: iso(row['cancel_at']),
          details: parsedJson(row['details']),
        },
      }
    },

    async insights() {
      const found = await rows(
        `SELECT i.id, i.name, i.description, i.plan, i.viz, i.owner_id, u.name AS owner_name, i.created_at, i.updated_at,
           i.category_id, i.findings, i.verified_by, i.verified_at
         FROM insights i JOIN users u ON u.id = i.owner_id
         WHERE i.workspace_id = ? AND i.deleted_at IS NULL ORDER BY i.name_key`,
      )
      return found.map(({ plan, viz, owner_id, owner_name, created_at, updated_at, ...row }) => ({
        ...{ id: row['id'], name: row['name'], description: row['description'] },
        ...{ categoryId: row['category_id'], findings: row['findings'] },
        ...{ verifiedById: row['verified_by'], verifiedAt: iso(row['verified_at']) },
        plan: parsedJson(plan),
        chart: parsedJson(viz),
        ownerId: owner_id,
        ownerName: owner_name,
        createdAt: iso(created_at),
        updatedAt: iso(updated_at),
      }))
    },

    async sources(): Promise<ExportedSource[]> {
      const { results } = await d1
        .prepare(
          `SELECT s.id, s.name, s.type,
             (SELECT json_group_array(json_object('id', d.id, 'name', d.name)) FROM datasets d WHERE d.source_id = s.id) AS datasets
           FROM data_sources s WHERE s.workspace_id = ? AND s.deleted_at IS NULL ORDER BY s.name_key`,
        )
        .bind(workspaceId)
        .all<{ id: string; name: string; type: string; datasets: string }>()
      return results.map((row) => ({ ...row, datasets: JSON.parse(row.datasets) }))
    },

    /** Files that are still kept, each once, the newest first within a source. */
    async originals(): Promise<OriginalFile[]> {
      const { results } = await d1
        .prepare(
          `SELECT r.object_key AS key, r.file_name AS fileName, s.name AS sourceName, d.name AS datasetName,
             max(r.started_at) AS startedAt
           FROM runs r JOIN data_sources s ON s.id = r.source_id AND s.deleted_at IS NULL
           JOIN datasets d ON d.id = r.dataset_id
           WHERE r.workspace_id = ? AND r.object_key IS NOT NULL AND r.state = 'succeeded'
           GROUP BY r.object_key ORDER BY s.name_key, startedAt DESC`,
        )
        .bind(workspaceId)
        .all<OriginalFile>()
      return results
    },

    /** Whether the person holds what they held when it began, and still runs the workspace. */
    async isStillAdmin(epoch: string): Promise<boolean> {
      const [person = '', member = ''] = epoch.split('.')
      const row = await d1
        .prepare(
          `SELECT 1 AS found FROM members m
           JOIN users u ON u.id = m.user_id AND u.disabled_at IS NULL AND u.epoch = ?3
           JOIN workspaces w ON w.id = m.workspace_id AND w.deleted_at IS NULL
           WHERE m.workspace_id = ?1 AND m.user_id = ?2 AND m.epoch = ?4 AND m.status = 'active'
             AND m.role IN ('owner', 'admin')`,
        )
        .bind(workspaceId, actorId, Number(person), Number(member))
        .first()
      return row !== null
    },
  }
}
