import { hiddenThings } from '../../identity/access/hidden-things-store'
import { idOverLimitCondition } from '../../entitlements/limits'
import type { Scope } from '../../scope'
import type { Database } from '../../db/database'
import type { PlanLimit } from '../../shared/billing/plans'
import { TARGETS_MAX, type SaveTargets, type TargetTable } from '../../shared/targets/targets'
import type { SubjectRef } from '../../shared/monitored-metric'
import { readTargetTable } from '../../semantic/target-store'

/** The tables of targets of one workspace. Writes are statements for `commit`. */
export const targetStore = ({ d1 }: Database, scope: Scope) => {
  const { workspaceId, actorId } = scope
  return {
    async get(subjectRef: SubjectRef): Promise<TargetTable | null> {
      const hidden: string[] = JSON.parse(await hiddenThings({ d1 }, scope))
      return hidden.includes(subjectRef.id) ? null : readTargetTable({ d1 }, scope, subjectRef)
    },

    async count(): Promise<number> {
      const found = d1.prepare('SELECT count(*) AS n FROM targets WHERE workspace_id = ?').bind(workspaceId)
      return (await found.first<number>('n')) ?? 0
    },

    /** Whether the plan has no room for the insight: it answers, and nothing about it can be changed. */
    async isOverLimit(subjectRef: SubjectRef, max: PlanLimit): Promise<boolean> {
      if (subjectRef.kind !== 'insight') return false
      const row = await d1
        .prepare(`SELECT ${idOverLimitCondition('insight', '?2', { workspace: '?1', max: '?3' })} AS frozen`)
        .bind(workspaceId, subjectRef.id, max)
        .first<number>('frozen')
      return row === 1
    },

    /** Changes no row when another version is stored, and inserts none when there are as many as there may be. */
    save: (subjectRef: SubjectRef, to: SaveTargets & { id: string; now: number }): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO targets (id, workspace_id, subject_kind, subject_id, grain, by_field, lines, version, updated_at, updated_by)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, 1, ?8, ?9
         WHERE (?10 = 0 AND (SELECT count(*) FROM targets WHERE workspace_id = ?2) < ${TARGETS_MAX})
           OR EXISTS (SELECT 1 FROM targets WHERE workspace_id = ?2 AND subject_kind = ?3 AND subject_id = ?4)
         ON CONFLICT (workspace_id, subject_kind, subject_id) DO UPDATE SET grain = excluded.grain, by_field = excluded.by_field,
           lines = excluded.lines, version = version + 1, updated_at = excluded.updated_at, updated_by = excluded.updated_by
         WHERE version = ?10`,
        )
        .bind(
          ...[to.id, workspaceId, subjectRef.kind, subjectRef.id, to.grain, to.by && JSON.stringify(to.by)],
          ...[JSON.stringify(to.lines), to.now, actorId, to.version],
        ),
  }
}
