import { hiddenThings, isVisibleSql } from '../../identity/access/hidden-things-store'
import type { Scope } from '../../scope'
import type { Database } from '../../db/database'
import type { BillingAccount } from './billing-account'

export interface RetainedEntity {
  kind: 'source' | 'member' | 'insight' | 'grouping' | 'forecast'
  id: string
}

/** What people chose to keep first when the plan becomes smaller. Writes are statements for `commit`. */
export const retainedItemStore = ({ d1 }: Database, scope: Scope) => {
  const { workspaceId } = scope
  return {
    async list(): Promise<RetainedEntity[]> {
      const { results } = await d1
        .prepare('SELECT kind, entity_id AS id FROM kept WHERE workspace_id = ? ORDER BY kind, entity_id')
        .bind(workspaceId)
        .all<RetainedEntity>()
      return results
    },

    /** Whether all of it is here, and exists for who asks. */
    async allExist(chosen: RetainedEntity[]): Promise<boolean> {
      const missing = await d1
        .prepare(
          `SELECT 1 AS found FROM json_each(?2) j WHERE NOT CASE j.value ->> 'kind'
           WHEN 'source' THEN EXISTS (SELECT 1 FROM data_sources s WHERE s.id = j.value ->> 'id' AND s.workspace_id = ?1
             AND s.deleted_at IS NULL)
           WHEN 'insight' THEN EXISTS (SELECT 1 FROM insights i WHERE i.id = j.value ->> 'id' AND i.workspace_id = ?1
             AND i.deleted_at IS NULL)
           WHEN 'grouping' THEN EXISTS (SELECT 1 FROM groupings g WHERE g.id = j.value ->> 'id' AND g.workspace_id = ?1
             AND g.deleted_at IS NULL)
           WHEN 'forecast' THEN EXISTS (SELECT 1 FROM forecasts f WHERE f.id = j.value ->> 'id' AND f.workspace_id = ?1)
           ELSE EXISTS (SELECT 1 FROM members m WHERE m.workspace_id = ?1 AND m.user_id = j.value ->> 'id') END
           OR NOT ${isVisibleSql("j.value ->> 'id'", '?3')} LIMIT 1`,
        )
        .bind(workspaceId, JSON.stringify(chosen), await hiddenThings({ d1 }, scope))
        .first()
      return missing === null
    },

    /** Changes nothing; counts as a change while the subscription is as it was read. */
    assertSubscriptionUnchanged: ({ state, fetchedAt, scheduled }: BillingAccount): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE subscriptions SET version = version
         WHERE workspace_id = ?1 AND state = ?2 AND fetched_at = ?3 AND (scheduled IS NOT NULL) = ?4`,
        )
        .bind(workspaceId, state, fetchedAt, scheduled === null ? 0 : 1),

    /** What does not exist for who asks stays as it was chosen. */
    async replace(chosen: RetainedEntity[]): Promise<D1PreparedStatement[]> {
      const hidden = await hiddenThings({ d1 }, scope)
      return [
        d1
          .prepare(`DELETE FROM kept WHERE workspace_id = ?1 AND ${isVisibleSql('entity_id', '?2')}`)
          .bind(workspaceId, hidden),
        d1
          .prepare(
            `INSERT OR IGNORE INTO kept (workspace_id, kind, entity_id)
         SELECT ?1, value ->> 'kind', value ->> 'id' FROM json_each(?2)`,
          )
          .bind(workspaceId, JSON.stringify(chosen)),
      ]
    },
  }
}
