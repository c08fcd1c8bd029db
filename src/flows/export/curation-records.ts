import { streamJsonArray } from './stream-json'
import type { ReadPage } from './stream-json'
import type { Scope } from '../../identity/scope'
import type { Database } from '../../db/database'
import type { ValidityPeriod } from '../../shared/groupings/groupings'

export interface ExportedGrouping {
  name: string
  periods: ValidityPeriod[]
  [more: string]: unknown
}

const iso = (at: unknown): string | null => (typeof at === 'number' ? new Date(at).toISOString() : null)
const parsedJson = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : null)

/** What people said of insights and did with them, as plain data to be written down. */
export const curationRecords = ({ d1 }: Database, { workspaceId }: Scope) => {
  const rows = async (sql: string): Promise<Record<string, unknown>[]> =>
    (await d1.prepare(sql).bind(workspaceId).all<Record<string, unknown>>()).results
  const page =
    (sql: string): ReadPage =>
    async (after) =>
      (await d1.prepare(sql).bind(workspaceId, after).all<Record<string, unknown>>()).results
  return {
    categories: () =>
      rows('SELECT id, name, icon, position FROM categories WHERE workspace_id = ? ORDER BY position, name_key'),

    async metrics() {
      const found = await rows(
        `SELECT m.id, m.name, m.synonyms, m.description, m.dataset_id AS dataset, m.formula, m.measure, m.filters, m.time_field,
           m.direction, m.format, m.currency_mode AS currencyMode, m.owner_id AS ownerId, u.name AS ownerName,
           m.verified_by AS verifiedById, m.verified_at, m.created_at, m.updated_at
         FROM metrics m JOIN users u ON u.id = m.owner_id WHERE m.workspace_id = ? ORDER BY m.name COLLATE NOCASE, m.id`,
      )
      return found.map(
        ({ synonyms, measure, filters, time_field, format, verified_at, created_at, updated_at, ...row }) => ({
          ...{ ...row, synonyms: parsedJson(synonyms), measure: parsedJson(measure), filters: parsedJson(filters) },
          ...{ time: parsedJson(time_field), format: parsedJson(format), verifiedAt: iso(verified_at) },
          ...{ createdAt: iso(created_at), updatedAt: iso(updated_at) },
        }),
      )
    },

    async groupings(): Promise<ExportedGrouping[]> {
      const found = await rows(
        `SELECT id, name, description, kind, target, fallback, eras, created_at
         FROM groupings WHERE workspace_id = ? AND deleted_at IS NULL ORDER BY name_key`,
      )
      return found.map(({ name, target, fallback, eras, created_at, ...row }) => {
        const periods: ValidityPeriod[] = JSON.parse(String(eras))
        const whole = { ...row, name: String(name), target: parsedJson(target), fallback: parsedJson(fallback) }
        return { ...whole, periods, createdAt: iso(created_at) }
      })
    },

    /** Read while they are written, as the versions are. */
    notes: () =>
      streamJsonArray(
        page(
          `SELECT n.rowid AS cursor, n.id, n.insight_id AS insightId, i.name AS insight, n.bucket, n.grain, n.body, n.mentions,
             n.author_id AS authorId, u.name AS author, n.created_at, n.edited_at
           FROM notes n JOIN users u ON u.id = n.author_id JOIN insights i ON i.id = n.insight_id AND i.deleted_at IS NULL
           WHERE n.workspace_id = ? AND n.rowid > ? ORDER BY n.rowid LIMIT 500`,
        ),
        ({ mentions, created_at, edited_at, ...row }) => ({
          ...{ ...row, mentionedIds: parsedJson(mentions) },
          ...{ createdAt: iso(created_at), editedAt: iso(edited_at) },
        }),
      ),

    versions: () =>
      streamJsonArray(
        page(
          `SELECT v.rowid AS cursor, v.insight_id AS insightId, v.version, v.name, v.description, v.plan, v.viz,
             v.saved_by AS savedById, u.name AS savedBy, v.saved_at, v.restored_from AS restoredFrom
           FROM insight_versions v JOIN users u ON u.id = v.saved_by
           JOIN insights i ON i.id = v.insight_id AND i.deleted_at IS NULL
           WHERE v.workspace_id = ? AND v.rowid > ? ORDER BY v.rowid LIMIT 50`,
        ),
        ({ plan, viz, saved_at, ...row }) => ({
          ...{ ...row, plan: parsedJson(plan), chart: parsedJson(viz), savedAt: iso(saved_at) },
        }),
      ),
  }
}
