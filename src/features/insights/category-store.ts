import { hiddenThings, isVisibleSql, withoutHiddenNames } from '../../identity/access/hidden-things-store'
import type { Scope } from '../../scope'
import type { Database } from '../../db/database'
import { CATEGORIES_MAX, type Category } from '../../shared/insights'
import { nameKey } from '../../shared/field-schemas'

const COUNT = '(SELECT count(*) FROM categories WHERE workspace_id = ?1)'
const SELECT = `SELECT c.id, c.name, c.icon, c.version,
    (SELECT count(*) FROM insights i WHERE i.category_id = c.id AND i.deleted_at IS NULL AND ${isVisibleSql('i.id', '?2')}) AS insightCount
  FROM categories c WHERE c.workspace_id = ?1 AND ${isVisibleSql('c.id', '?2')}`

/** The categories of one workspace. Writes are statements for `commit`. */
export const categoryStore = ({ d1 }: Database, scope: Scope) => {
  const { workspaceId } = scope
  return {
    /** In the order that people gave them. */
    async list(): Promise<Category[]> {
      const { results } = await d1
        .prepare(`${SELECT} ORDER BY c.position, c.name_key`)
        .bind(workspaceId, await hiddenThings({ d1 }, scope))
        .all<Category>()
      return results
    },

    get: async (id: string): Promise<Category | null> =>
      d1
        .prepare(`${SELECT} AND c.id = ?3`)
        .bind(workspaceId, await hiddenThings({ d1 }, scope), id)
        .first<Category>(),

    /** Live insights in a category, by name. */
    async insights(id: string): Promise<{ id: string; name: string }[]> {
      const { results } = await d1
        .prepare(
          `SELECT id, name FROM insights WHERE workspace_id = ?1 AND category_id = ?2 AND deleted_at IS NULL
         ORDER BY name_key LIMIT 100`,
        )
        .bind(workspaceId, id)
        .all<{ id: string; name: string }>()
      return withoutHiddenNames(await hiddenThings({ d1 }, scope), results)
    },

    /** Comes last. Inserts no row when the workspace holds all the categories it may. */
    insert: ({ id, name, icon }: Category, now: number): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO categories (workspace_id, id, name, name_key, icon, position, created_at)
         SELECT ?1, ?2, ?3, ?4, ?5, coalesce((SELECT max(position) FROM categories WHERE workspace_id = ?1), 0) + 1, ?6
         WHERE ${COUNT} < ${CATEGORIES_MAX}`,
        )
        .bind(workspaceId, id, name, nameKey(name), icon, now),

    /** Changes no row when another version is stored. */
    update: ({ id, name, icon }: Category, version: number): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE categories SET name = ?3, name_key = ?4, icon = ?5, version = version + 1
         WHERE workspace_id = ?1 AND id = ?2 AND version = ?6`,
        )
        .bind(workspaceId, id, name, nameKey(name), icon, version),

    /** What is not named keeps its order and comes after. */
    order: (ids: readonly string[]): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE categories SET position = coalesce(
           (SELECT wanted.key FROM json_each(?2) wanted WHERE wanted.value = categories.id), position + ${CATEGORIES_MAX})
         WHERE workspace_id = ?1`,
        )
        .bind(workspaceId, JSON.stringify(ids)),

    /**
     * Changes no row when another version is stored, when insights are in it and nothing is said about them, or when the
     * replacement is gone. What is in "Recently deleted" moves along.
     */
    move: (id: string, at: { version: number; replacement: string | null | undefined }): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE categories SET version = version + 1
         WHERE workspace_id = ?1 AND id = ?2 AND version = ?3
           AND (?4 = 1 OR NOT EXISTS (
             SELECT 1 FROM insights i WHERE i.category_id = ?2 AND i.workspace_id = ?1 AND i.deleted_at IS NULL))
           AND (?5 IS NULL OR EXISTS (SELECT 1 FROM categories o WHERE o.workspace_id = ?1 AND o.id = ?5 AND o.id <> ?2))`,
        )
        .bind(workspaceId, id, at.version, at.replacement === undefined ? 0 : 1, at.replacement ?? null),

    /** After `move` let it: its insights go to the other one, and it is gone. */
    remove: (id: string, replacement: string | null): D1PreparedStatement[] => [
      d1
        .prepare('UPDATE insights SET category_id = ?3 WHERE workspace_id = ?1 AND category_id = ?2')
        .bind(workspaceId, id, replacement),
      d1.prepare('DELETE FROM categories WHERE workspace_id = ?1 AND id = ?2').bind(workspaceId, id),
    ],
  }
}
