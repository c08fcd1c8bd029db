import { hiddenThings, isVisibleSql } from '../../../identity/access/hidden-things-store'
import type { Scope } from '../../../scope'
import type { Database } from '../../../db/database'
import type { SubjectRef } from '../../../shared/monitored-metric'

/** What a forecast is made of, without what it found. */
export interface ForecastMeaning {
  id: string
  subject: SubjectRef['kind']
  subjectId: string
  /** JSON. */
  settings: string
  scenarios: string
}

export async function readForecastMeanings(
  { d1 }: Database,
  scope: Scope,
  ids: readonly string[],
): Promise<ForecastMeaning[]> {
  if (ids.length === 0) return []
  const { results } = await d1
    .prepare(
      `SELECT id, subject_kind AS subject, subject_id AS subjectId, settings, scenarios FROM forecasts
       WHERE workspace_id = ?1 AND id IN (SELECT value FROM json_each(?2)) AND ${isVisibleSql('id', '?3')}`,
    )
    .bind(scope.workspaceId, JSON.stringify(ids), await hiddenThings({ d1 }, scope))
    .all<ForecastMeaning>()
  return results
}

/** Which accounts belong to which line: another version, and statements say something else. */
export async function accountClassesVersion({ d1 }: Database, { workspaceId }: Scope): Promise<number> {
  const version = await d1
    .prepare('SELECT version FROM account_classes WHERE workspace_id = ?')
    .bind(workspaceId)
    .first<number>('version')
  return version ?? 0
}
