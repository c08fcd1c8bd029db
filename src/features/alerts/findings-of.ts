import { startOfPeriod } from '../../access/periods'
import { accessFingerprint } from '../../access/rights'
import type { Scope } from '../../access/scope'
import type { Deps } from '../../deps'
import type { AlertGrain } from '../../shared/alerts'
import type { FindingKind } from '../../shared/findings'
import type { SubjectRef } from '../../shared/tracked'
import type { Calendar } from '../../warehouse/contract'

interface FindingKindRow {
  kind: FindingKind
  period: string
}

/** Kinds of what was found about a figure, by the period that holds the beginning of the last unit the finding is about. */
export async function findingKindsByPeriod(
  { db }: Pick<Deps, 'db'>,
  scope: Scope,
  { subject, grain, calendar }: { subject: SubjectRef; grain: AlertGrain; calendar: Calendar },
): Promise<Map<string, FindingKind[]>> {
  const { results } = await db.d1
    .prepare(
      `SELECT json_extract(effect, '$.kind') AS kind, json_extract(effect, '$.period.to') AS period FROM findings
       WHERE workspace_id = ?1 AND rights = ?2 AND (json_extract(about, '$.metric') = ?3
         OR EXISTS (SELECT 1 FROM json_each(about, '$.insights') WHERE value = ?3))`,
    )
    .bind(scope.workspaceId, accessFingerprint(scope), subject.id)
    .all<FindingKindRow>()
  const found = new Map<string, FindingKind[]>()
  for (const { kind, period: day } of results) {
    const period = startOfPeriod(day.slice(0, 10), grain, calendar)
    found.set(period, [...(found.get(period) ?? []), kind])
  }
  return found
}
