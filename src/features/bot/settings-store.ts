import type { Scope } from '../../scope'
import type { Database } from '../../db/database'
import { BOT_RETENTION_DAYS, type BotSettings } from '../../shared/bot/conversations'

/** How the bot works in one workspace. Writes are statements for `commit`. */
export const botSettingsStore = ({ d1 }: Database, { workspaceId }: Scope) => ({
  async get(): Promise<BotSettings> {
    const row = await d1
      .prepare('SELECT retention_days AS retentionDays FROM bot_settings WHERE workspace_id = ?')
      .bind(workspaceId)
      .first<BotSettings>()
    return row ?? { retentionDays: BOT_RETENTION_DAYS.usual }
  },
  save: ({ retentionDays }: BotSettings): D1PreparedStatement =>
    d1
      .prepare(
        `INSERT INTO bot_settings (workspace_id, retention_days) VALUES (?1, ?2)
         ON CONFLICT (workspace_id) DO UPDATE SET retention_days = ?2`,
      )
      .bind(workspaceId, retentionDays),
})
