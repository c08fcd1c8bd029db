import { hiddenThings, isVisibleSql } from '../../identity/access/hidden-things-store'
import type { Scope } from '../../scope'
import type { Database } from '../../db/database'
import { toIso } from '../../lib/iso'
import type { CursorPosition } from '../../http/pagination'
import { describeAudit, type AuditDetails, type AuditItem } from '../../shared/audit'

/** What is asked for. `from` (included) and `to` (not included) are epoch milliseconds. */
export interface AuditFilter {
  actor: string | null
  /** What the action begins with. */
  action: string | null
  entityId: string | null
  from: number | null
  to: number | null
}
interface AuditRow {
  id: string
  at: number
  actor_id: string | null
  actor_name: string | null
  action: string
  entity: string
  entity_id: string
  before_hash: string | null
  after_hash: string | null
  country: string | null
  details: string | null
  about: string | null
  person: string | null
}

const MATCHES_FILTER = `a.workspace_id = ?1 AND (?2 IS NULL OR a.actor_id = ?2)
  AND (?3 IS NULL OR substr(a.action, 1, length(?3)) = ?3) AND (?4 IS NULL OR a.entity_id = ?4)
  AND a.at >= coalesce(?5, 0) AND a.at < coalesce(?6, 9007199254740991)`

/** Where things have their names. */
const NAMED_TABLES: Readonly<Record<string, string>> = {
  source: 'data_sources',
  dataset: 'datasets',
  insight: 'insights',
  metric: 'metrics',
  grouping: 'groupings',
  category: 'categories',
  alert: 'alerts',
  forecast: 'forecasts',
  group: 'user_groups',
}
/** What the line `a` is about, as it is called today; what was kept with the line goes before it. */
const ABOUT = `CASE a.entity ${Object.entries(NAMED_TABLES)
  .map(
    ([entity, table]) =>
      `WHEN '${entity}' THEN (SELECT name FROM ${table} WHERE workspace_id = ?1 AND id = a.entity_id)`,
  )
  .join(' ')}
  WHEN 'member' THEN (SELECT name FROM users WHERE id = a.entity_id)
  WHEN 'invite' THEN (SELECT email FROM invites WHERE workspace_id = ?1 AND id = a.entity_id) END`

/** The audit log of one workspace. What people do outside of every workspace (signing in) is not in it. */
export const auditStore = ({ d1 }: Database, scope: Scope) => {
  const filterValues = ({ actor, action, entityId, from, to }: AuditFilter) => [
    scope.workspaceId,
    actor,
    action,
    entityId,
    from,
    to,
  ]
  return {
    async list(filter: AuditFilter, page: { limit: number; after: CursorPosition | null }): Promise<AuditItem[]> {
      const { limit, after } = page
      const { results } = await d1
        .prepare(
          `SELECT a.id, a.at, a.actor_id, u.name AS actor_name, a.action, a.entity, a.entity_id, a.before_hash,
             a.after_hash, a.country, a.details, ${ABOUT} AS about,
             (SELECT name FROM users WHERE id = json_extract(a.details, '$.otherId')) AS person
           FROM audit a LEFT JOIN users u ON u.id = a.actor_id
           WHERE ${MATCHES_FILTER} AND ${isVisibleSql('a.entity_id', '?10')} AND (?7 IS NULL OR a.at < ?7 OR (a.at = ?7 AND a.id < ?8))
           ORDER BY a.at DESC, a.id DESC LIMIT ?9`,
        )
        .bind(...filterValues(filter), after?.at ?? null, after?.id ?? null, limit, await hiddenThings({ d1 }, scope))
        .all<AuditRow>()
      return results.map(toAuditItem)
    },

    async count(filter: AuditFilter): Promise<number> {
      const row = d1
        .prepare(`SELECT count(*) AS n FROM audit a WHERE ${MATCHES_FILTER} AND ${isVisibleSql('a.entity_id', '?7')}`)
        .bind(...filterValues(filter), await hiddenThings({ d1 }, scope))
      return (await row.first<number>('n')) ?? 0
    },
  }
}

/** Our own writing, read back. */
function detailsOf({ action, details, about, person }: AuditRow): AuditDetails {
  const stored: AuditDetails = details === null ? {} : JSON.parse(details)
  // Who leaves or joins is the one who did it.
  return {
    ...stored,
    name: stored.name ?? about,
    person,
    changes: action === 'member.join' ? [] : (stored.changes ?? []),
  }
}

const toAuditItem = (auditRow: AuditRow): AuditItem => ({
  id: auditRow.id,
  at: toIso(auditRow.at),
  actor:
    auditRow.actor_id === null ? null : { userId: auditRow.actor_id, name: auditRow.actor_name ?? 'Deleted person' },
  action: auditRow.action,
  words: describeAudit(auditRow.action, detailsOf(auditRow)),
  entity: auditRow.entity,
  entityId: auditRow.entity_id,
  beforeHash: auditRow.before_hash,
  afterHash: auditRow.after_hash,
  country: auditRow.country,
})
