import type { Database } from '../db/database'
import type { Scope } from '../scope'
import type { ReportKind } from '../shared/reports/report-kinds'

/** A report as what uses something. */
export interface DependentReport {
  type: 'report'
  id: string
  name: string
  kind: ReportKind
}

/** Live reports that show one of these things, or a ledger or a column of a source, by name. */
export async function readDependentReports(
  { d1 }: Database,
  { workspaceId }: Scope,
  { items = [], source = '', most }: { items?: readonly string[]; source?: string; most: number },
): Promise<DependentReport[]> {
  const { results } = await d1
    .prepare(
      `SELECT r.id, r.name, r.kind FROM reports r WHERE r.workspace_id = ?1 AND r.deleted_at IS NULL AND r.id IN (
         SELECT report_id FROM report_items WHERE item_id IN (SELECT value FROM json_each(?2)) OR item_id = ?3
           OR item_id IN (SELECT id FROM datasets WHERE workspace_id = ?1 AND source_id = ?3))
       ORDER BY r.name_key LIMIT ?4`,
    )
    .bind(workspaceId, JSON.stringify(items), source, most)
    .all<Omit<DependentReport, 'type'>>()
  return results.map((row) => ({ type: 'report', ...row }))
}
