import type { Database } from '../../../db/database'
import type { Scope } from '../../../scope'
import type { ModelSettingsInput } from '../../../shared/bot/language-model'

/** A workspace's own endpoint, its key as it is stored. */
export interface StoredEndpoint {
  baseUrl: string
  model: string
  sealedKey: string | null
  /** The key of the keyring that sealed it. */
  sealedWith: string | null
}
export interface StoredModelSettings {
  model: boolean
  rowValues: boolean
  version: number
  endpoint: StoredEndpoint | null
}

interface SettingsRow {
  model: number
  rowValues: number
  version: number
  endpoint: string | null
  sealedKey: string | null
  sealedWith: string | null
}
const COLUMNS = 'model, row_values AS rowValues, version, endpoint, api_key AS sealedKey, sealed_with AS sealedWith'

function endpointOf({ endpoint, sealedKey, sealedWith }: SettingsRow): StoredEndpoint | null {
  if (endpoint === null) return null
  const { baseUrl, model }: Pick<StoredEndpoint, 'baseUrl' | 'model'> = JSON.parse(endpoint)
  return { baseUrl, model, sealedKey, sealedWith }
}

/** What of a workspace a language model may be given, and which one. Writes are statements for `commit`. */
export const modelSettingsStore = ({ d1 }: Database, { workspaceId, actorId }: Scope) => ({
  async get(): Promise<StoredModelSettings> {
    const row = await d1
      .prepare(`SELECT ${COLUMNS} FROM ai_settings WHERE workspace_id = ?`)
      .bind(workspaceId)
      .first<SettingsRow>()
    return {
      ...{ model: row?.model === 1, rowValues: row?.rowValues === 1, version: row?.version ?? 0 },
      endpoint: row && endpointOf(row),
    }
  },
  /** Changes no row when another version is stored. */
  save(
    { model, rowValues, version }: Omit<ModelSettingsInput, 'own'>,
    endpoint: StoredEndpoint | null,
    now: number,
  ): D1PreparedStatement {
    const address = endpoint && JSON.stringify({ baseUrl: endpoint.baseUrl, model: endpoint.model })
    return d1
      .prepare(
        `INSERT INTO ai_settings (workspace_id, model, row_values, version, updated_by, updated_at, endpoint, api_key, sealed_with)
         SELECT ?1, ?2, ?3, 1, ?5, ?6, ?7, ?8, ?9 WHERE ?4 = 0 OR EXISTS (SELECT 1 FROM ai_settings WHERE workspace_id = ?1)
         ON CONFLICT (workspace_id) DO UPDATE SET model = ?2, row_values = ?3, version = version + 1, updated_by = ?5,
           updated_at = ?6, endpoint = ?7, api_key = ?8, sealed_with = ?9 WHERE version = ?4`,
      )
      .bind(
        ...[workspaceId, model ? 1 : 0, rowValues ? 1 : 0, version, actorId, now],
        ...[address, endpoint?.sealedKey ?? null, endpoint?.sealedWith ?? null],
      )
  },
})

/** Keys of all workspaces that another key than the current one sealed, for their rotation. */
export const modelKeyStore = ({ d1 }: Database) => ({
  async notSealedWith(keyId: string, { after, limit }: { after: string; limit: number }) {
    const { results } = await d1
      .prepare(
        `SELECT workspace_id AS workspaceId, api_key AS sealed FROM ai_settings
         WHERE api_key IS NOT NULL AND sealed_with <> ?1 AND workspace_id > ?2 ORDER BY workspace_id LIMIT ?3`,
      )
      .bind(keyId, after, limit)
      .all<{ workspaceId: string; sealed: string }>()
    return results
  },
  /** A key that was entered meanwhile stays. @returns whether it was replaced */
  async replace(workspaceId: string, before: string, after: { sealed: string; keyId: string }): Promise<boolean> {
    const { meta } = await d1
      .prepare('UPDATE ai_settings SET api_key = ?3, sealed_with = ?4 WHERE workspace_id = ?1 AND api_key = ?2')
      .bind(workspaceId, before, after.sealed, after.keyId)
      .run()
    return meta.changes > 0
  },
})
