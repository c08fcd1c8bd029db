import { toIso } from '../lib/iso'
import { hiddenThings } from '../identity/access/hidden-things-store'
import { coveredColumns, hasRowRule } from '../identity/access/visible-dataset'
import type { Scope } from '../scope'
import type { Database } from '../db/database'
import type { Field } from '../shared/query/field'
import type { TargetGrain } from '../shared/targets/periods'
import type { TargetLine, TargetTable } from '../shared/targets/targets'
import type { MemberField, SubjectRef } from '../shared/monitored-metric'

interface TargetRow {
  grain: TargetGrain
  by_field: string | null
  lines: string
  version: number
  updated_at: number
  updated_by: string | null
}

type WorkspaceRef = Pick<Scope, 'workspaceId'>

/** Whether rules of access leave out none of the members that targets are set for. */
export async function seesMembers(db: Database, scope: Scope, { dataset, column }: Field): Promise<boolean> {
  const hidden: string[] = JSON.parse(await hiddenThings(db, scope))
  const rights = scope.wire()
  return !hidden.includes(dataset) && !hasRowRule(rights, dataset) && !coveredColumns(rights, dataset).has(column)
}

/** The targets of one figure; null where none were saved. Where members are seen in part, of the whole alone. */
export async function readTargetTable(
  { d1 }: Database,
  scope: Scope,
  subjectRef: SubjectRef,
): Promise<TargetTable | null> {
  const { workspaceId } = scope
  const row = await d1
    .prepare(
      `SELECT t.grain, t.by_field, t.lines, t.version, t.updated_at, u.name AS updated_by FROM targets t
       LEFT JOIN users u ON u.id = t.updated_by
       WHERE t.workspace_id = ? AND t.subject_kind = ? AND t.subject_id = ?`,
    )
    .bind(workspaceId, subjectRef.kind, subjectRef.id)
    .first<TargetRow>()
  if (!row) return null
  // Our own writing, read back.
  const stored: TargetLine[] = JSON.parse(row.lines)
  const by: MemberField | null = row.by_field === null ? null : JSON.parse(row.by_field)
  const lines =
    by === null || (await seesMembers({ d1 }, scope, by.field))
      ? stored
      : stored.filter(({ member }) => member === undefined)
  const { grain, version, updated_by: updatedBy } = row
  return {
    subject: subjectRef,
    grain,
    by,
    lines,
    version,
    updatedAt: toIso(row.updated_at),
    updatedBy,
  }
}

/** Which figures of a workspace have targets, each with the version of its table. */
export async function readTargetVersions({ d1 }: Database, { workspaceId }: WorkspaceRef): Promise<TargetVersion[]> {
  const { results } = await d1
    .prepare(
      `SELECT subject_kind AS kind, subject_id AS id, version FROM targets
       WHERE workspace_id = ? AND lines <> '[]' ORDER BY subject_kind, subject_id`,
    )
    .bind(workspaceId)
    .all<TargetVersion>()
  return results
}

export interface TargetVersion {
  kind: SubjectRef['kind']
  id: string
  version: number
}

/**
 * SQL that removes targets of figures that are gone for good: nobody sees them any more, and nobody could take them away.
 * @param among condition on rows of `targets`
 */
export const deleteOrphanTargetsSql = (among = 'TRUE'): string =>
  `DELETE FROM targets WHERE ${among} AND CASE subject_kind
     WHEN 'metric' THEN NOT EXISTS (SELECT 1 FROM metrics m WHERE m.id = subject_id)
     ELSE NOT EXISTS (SELECT 1 FROM insights i WHERE i.id = subject_id) END`
