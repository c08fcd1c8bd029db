/**
 * Tables of things that somebody owns in a workspace: whoever leaves hands them to another. A test holds this list equal
 * to the tables with an owner. What people only wrote or set (notes, comments, targets, rates) stays with their name.
 */
export const OWNABLE = {
  sources: { table: 'data_sources', there: 'deleted_at IS NULL' },
  insights: { table: 'insights', there: 'deleted_at IS NULL' },
  metrics: { table: 'metrics', there: 'TRUE' },
  groupings: { table: 'groupings', there: 'deleted_at IS NULL' },
  alerts: { table: 'alerts', there: 'TRUE' },
  forecasts: { table: 'forecasts', there: 'TRUE' },
  reports: { table: 'reports', there: 'deleted_at IS NULL' },
  schedules: {
    table: 'report_schedules',
    there: 'report_id IN (SELECT id FROM reports WHERE workspace_id = ?1 AND deleted_at IS NULL)',
  },
} as const
export const OWNABLE_TABLES = Object.values(OWNABLE).map(({ table }) => table)

/**
 * A schedule sends by what its owner may see: nothing is sent by the rights of another until they say so. `next_at`: the
 * next round tells them.
 */
const PAUSED_FOR_HEIR = `paused = coalesce(paused, 'newOwner'), next_at = iif(paused IS NULL, 0, NULL), version = version + 1`

/** Of each table, how its rows get another owner. `heir`: their id, as SQL. */
export const handOverSql = (heir: string): { table: string; set: string }[] =>
  OWNABLE_TABLES.map((table) => ({
    table,
    set: `owner_id = ${heir}${table === OWNABLE.schedules.table ? `, ${PAUSED_FOR_HEIR}` : ''}`,
  }))

/** What a person keeps for themselves in a workspace, by `user_id`; it ends with their membership. */
export const PERSONAL_TABLES = [
  'insight_follows',
  'finding_marks',
  'digests',
  'report_bookmarks',
  'block_subscriptions',
  'pilot_enrolments',
  'pilot_feedback',
  'briefing_visits',
  'briefing_marks',
  'briefing_kinds',
  'bot_messages',
  'bot_conversations',
] as const

/** Takes people out of those who are told by alerts. `who`: the person; `where`: condition on the row `alerts`. */
export const removeAlertReceiverSql = (who: string, where: string): string =>
  `UPDATE alerts SET version = version + 1,
     receivers = (SELECT coalesce(json_group_array(value), '[]') FROM json_each(alerts.receivers) WHERE value <> ${who})
   WHERE ${where} AND EXISTS (SELECT 1 FROM json_each(alerts.receivers) WHERE value = ${who})`
