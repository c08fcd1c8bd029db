import { rightsOf } from '../../access/rights'
import type { Scope } from '../../access/scope'
import type { Deps } from '../../deps'
import type { FindingKind } from '../../shared/findings'
import type { Subject } from '../../shared/tracked'

interface Row {
  kind: FindingKind
  period: string
}

/** Kinds of what was found about a figure, by the first day of the last period that the finding is about. */
export async function findingsOf(
  { db }: Pick<Deps, 'db'>,
  scope: Scope,
  subject: Subject,
): Promise<Map<string, FindingKind[]>> {
  const { results } = await db.d1
    .prepare(
      `SELECT json_extract(effect, '$.kind') AS kind, json_extract(effect, '$.period.to') AS period FROM findings
       WHERE workspace_id = ?1 AND rights = ?2 AND json_extract(about, '$.kind') = ?3 AND json_extract(about, '$.id') = ?4`,
    )
    .bind(scope.workspaceId, rightsOf(scope), subject.kind, subject.id)
    .all<Row>()
  const found = new Map<string, FindingKind[]>()
  for (const { kind, period } of results) found.set(period, [...(found.get(period) ?? []), kind])
  return found
}
