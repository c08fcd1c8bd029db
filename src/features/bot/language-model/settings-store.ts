import type { Database } from '../../../db/database'
import type { Scope } from '../../../identity/scope'
import type { ModelSettings, ModelSettingsInput } from '../../../shared/bot/language-model'

type StoredSettings = Pick<ModelSettings, 'model' | 'rowValues' | 'version'>

/** What of a workspace a language model may be given. Writes are statements for `commit`. */
export const modelSettingsStore = ({ d1 }: Database, { workspaceId, actorId }: Scope) => ({
  async get(): Promise<StoredSettings> {
    const row = await d1
      .prepare('SELECT model, row_values AS rowValues, version FROM ai_settings WHERE workspace_id = ?')
      .bind(workspaceId)
      .first<{ model: number; rowValues: number; version: number }>()
    return { model: row?.model === 1, rowValues: row?.rowValues === 1, version: row?.version ?? 0 }
  },
  /** Changes no row when another version is stored. */
  save: ({ model, rowValues, version }: ModelSettingsInput, now: number): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO ai_settings (workspace_id, model, row_values, version, updated_by, updated_at)
         SELECT ?1, ?2, ?3, 1, ?5, ?6 WHERE ?4 = 0 OR EXISTS (SELECT 1 FROM ai_settings WHERE workspace_id = ?1)
         ON CONFLICT (workspace_id) DO UPDATE SET model = ?2, row_values = ?3, version = version + 1, updated_by = ?5,
           updated_at = ?6 WHERE version = ?4`,
      )
      .bind(workspaceId, model ? 1 : 0, rowValues ? 1 : 0, version, actorId, now),
})
