import type { Scope } from './scope'
import type { Database } from '../db/database'
import type { Insight } from '../shared/insights'
import { trackedInsight } from '../shared/tracked'
import type { Subject, Tracked } from '../shared/tracked'

/** The figure that a target or an alert is about, as it stands now; why not, when it cannot be followed. */
export type Found = { ok: true; tracked: Tracked; name: string } | { ok: false; why: 'gone' | 'no_date'; name: string }
const GONE: Found = { ok: false, why: 'gone', name: '' }

interface InsightRow {
  id: string
  name: string
  plan: string
  viz: string
}

/** Of one workspace: whatever belongs to another is gone. */
export async function findTracked(
  { db }: { db: Pick<Database, 'd1'> },
  { workspaceId }: Scope,
  subject: Subject,
): Promise<Found> {
  if (subject.kind === 'metric') return GONE
  const row = await db.d1
    .prepare('SELECT id, name, plan, viz FROM insights WHERE workspace_id = ? AND id = ? AND deleted_at IS NULL')
    .bind(workspaceId, subject.id)
    .first<InsightRow>()
  if (!row) return GONE
  const insight: Pick<Insight, 'id' | 'name' | 'plan' | 'viz'> = {
    ...{ id: row.id, name: row.name, plan: JSON.parse(row.plan), viz: JSON.parse(row.viz) },
  }
  const tracked = trackedInsight(insight, subject.measure)
  return tracked ? { ok: true, tracked, name: row.name } : { ok: false, why: 'no_date', name: row.name }
}
