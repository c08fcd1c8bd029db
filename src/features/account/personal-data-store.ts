import { describeDevice } from '../../identity/device-name'
import type { Database } from '../../db/database'
import { toIso } from '../../lib/iso'

/** Rows read at once; everything of a person may be more than a request holds. */
const PAGE_SIZE = 1000

interface ExportSection {
  name: string
  /** Reads by `?1` = the person and, after the first page, rows past the `rowid` in `?2`. */
  sql: string
  shape?: (row: Record<string, unknown>) => Record<string, unknown>
}

const INSTANT_KEYS =
  /^(createdAt|pinnedAt|hiddenAt|readAt|snoozedUntil|lastSeenAt|signedInAt|joinedAt|connectedAt|lastUsedAt|startedAt|endedAt|at|emailProvenAt|termsAcceptedAt)$/
/** Workspaces that the person is in: what they made elsewhere is no longer theirs to see. */
const IN_CURRENT_WORKSPACE = `t.workspace_id IN (SELECT m.workspace_id FROM members m JOIN workspaces w ON w.id = m.workspace_id
  WHERE m.user_id = ?1 AND m.status = 'active' AND w.deleted_at IS NULL)`
const WORKSPACE_NAME = '(SELECT name FROM workspaces WHERE id = t.workspace_id) AS workspace'

/** What is known of a person, section by section. */
export const EXPORT_SECTIONS: ExportSection[] = [
  {
    name: 'profile',
    sql: `SELECT t.rowid AS cursor, id, name, email, email_proven_at AS emailProvenAt, job, goals, locale, notifications,
      avatar_key IS NOT NULL AS picture, password_hash IS NOT NULL AS password,
      terms_accepted_at AS termsAcceptedAt, created_at AS createdAt FROM users t WHERE id = ?1`,
    shape: (row) => ({
      ...row,
      goals: parseJson(row['goals']),
      notifications: parseJson(row['notifications']),
      picture: row['picture'] === 1,
      password: row['password'] === 1,
    }),
  },
  {
    name: 'signInAccounts',
    sql: `SELECT t.rowid AS cursor, provider, issuer, subject, email, created_at AS connectedAt, last_used_at AS lastUsedAt
      FROM accounts t WHERE user_id = ?1`,
  },
  {
    name: 'sessions',
    sql: `SELECT t.rowid AS cursor, user_agent AS userAgent, country, created_at AS signedInAt, last_seen_at AS lastSeenAt
      FROM sessions t WHERE user_id = ?1`,
    shape: (row) => ({
      device: describeDevice(typeof row['userAgent'] === 'string' ? row['userAgent'] : null),
      ...row,
    }),
  },
  {
    name: 'signInDevices',
    sql: `SELECT t.rowid AS cursor, device, nullif(country, '') AS country, signed_in_at AS signedInAt
      FROM devices t WHERE user_id = ?1`,
  },
  {
    name: 'accessTokens',
    sql: `SELECT t.rowid AS cursor, t.name, ${WORKSPACE_NAME}, t.scopes, t.created_at AS createdAt, t.last_used_at AS lastUsedAt
      FROM access_tokens t WHERE t.user_id = ?1 AND t.app_id IS NULL`,
    shape: (row) => ({ ...row, scopes: parseJson(row['scopes']) }),
  },
  {
    name: 'connectedApps',
    sql: `SELECT t.rowid AS cursor, t.name, ${WORKSPACE_NAME}, t.scopes, t.created_at AS createdAt, t.last_used_at AS lastUsedAt
      FROM connected_apps t WHERE t.user_id = ?1 AND t.code_challenge IS NULL`,
    shape: (row) => ({ ...row, scopes: parseJson(row['scopes']) }),
  },
  {
    name: 'memberships',
    sql: `SELECT t.rowid AS cursor, t.workspace_id AS workspaceId, ${WORKSPACE_NAME}, role, status, created_at AS joinedAt,
      last_seen_at AS lastSeenAt FROM members t WHERE user_id = ?1`,
  },
  {
    name: 'endedMemberships',
    sql: `SELECT t.rowid AS cursor, t.workspace_id AS workspaceId, ${WORKSPACE_NAME}, role, reason, joined_at AS joinedAt,
      ended_at AS endedAt FROM ended_memberships t WHERE user_id = ?1`,
  },
  {
    name: 'groups',
    sql: `SELECT gm.rowid AS cursor, t.name, ${WORKSPACE_NAME}, gm.is_member = 1 AS member, gm.is_manager = 1 AS manager
      FROM group_members gm JOIN user_groups t ON t.id = gm.group_id AND t.deleted_at IS NULL
      WHERE gm.user_id = ?1 AND ${IN_CURRENT_WORKSPACE}`,
    shape: (row) => ({ ...row, member: row['member'] === 1, manager: row['manager'] === 1 }),
  },
  ...[
    { name: 'dataSources', table: 'data_sources' },
    { name: 'insights', table: 'insights' },
    { name: 'groupings', table: 'groupings' },
  ].map(({ name, table }) => ({
    name,
    sql: `SELECT t.rowid AS cursor, t.id, t.name, ${WORKSPACE_NAME}, t.created_at AS createdAt FROM ${table} t
      WHERE t.owner_id = ?1 AND t.deleted_at IS NULL AND ${IN_CURRENT_WORKSPACE}`,
  })),
  ...['metrics', 'alerts', 'forecasts'].map((table) => ({
    name: table,
    sql: `SELECT t.rowid AS cursor, t.id, t.name, ${WORKSPACE_NAME}, t.created_at AS createdAt FROM ${table} t
      WHERE t.owner_id = ?1 AND ${IN_CURRENT_WORKSPACE}`,
  })),
  {
    name: 'notes',
    sql: `SELECT t.rowid AS cursor, t.id, t.body, t.bucket, i.name AS insight, ${WORKSPACE_NAME}, t.created_at AS createdAt
      FROM notes t JOIN insights i ON i.id = t.insight_id WHERE t.author_id = ?1 AND i.deleted_at IS NULL AND ${IN_CURRENT_WORKSPACE}`,
  },
  {
    name: 'reportComments',
    sql: `SELECT t.rowid AS cursor, t.id, t.body, r.name AS report, ${WORKSPACE_NAME}, t.created_at AS createdAt
      FROM report_comments t JOIN reports r ON r.id = t.report_id WHERE t.author_id = ?1 AND r.deleted_at IS NULL AND ${IN_CURRENT_WORKSPACE}`,
  },
  {
    name: 'blockSubscriptions',
    sql: `SELECT t.rowid AS cursor, r.name AS report, t.block_id AS block, t.cadence, ${WORKSPACE_NAME}, t.created_at AS createdAt
      FROM block_subscriptions t JOIN reports r ON r.id = t.report_id WHERE t.user_id = ?1 AND r.deleted_at IS NULL AND ${IN_CURRENT_WORKSPACE}`,
  },
  {
    name: 'followedInsights',
    sql: `SELECT t.rowid AS cursor, i.id, i.name, ${WORKSPACE_NAME}, t.created_at AS createdAt FROM insight_follows t
      JOIN insights i ON i.id = t.insight_id WHERE t.user_id = ?1 AND i.deleted_at IS NULL AND ${IN_CURRENT_WORKSPACE}`,
  },
  {
    name: 'findings',
    sql: `SELECT t.rowid AS cursor, t.key, ${WORKSPACE_NAME}, t.pinned_at AS pinnedAt, t.hidden_at AS hiddenAt, t.rating
      FROM finding_marks t WHERE t.user_id = ?1 AND ${IN_CURRENT_WORKSPACE}`,
  },
  {
    name: 'botConversations',
    sql: `SELECT t.rowid AS cursor, t.id, t.title, ${WORKSPACE_NAME}, t.created_at AS createdAt FROM bot_conversations t
      WHERE t.user_id = ?1 AND ${IN_CURRENT_WORKSPACE}`,
  },
  {
    name: 'botQuestions',
    sql: `SELECT t.rowid AS cursor, t.conversation_id AS conversationId, t.question, t.feedback, t.feedback_reason AS feedbackReason,
      ${WORKSPACE_NAME}, t.created_at AS createdAt FROM bot_messages t WHERE t.user_id = ?1 AND ${IN_CURRENT_WORKSPACE}`,
  },
  {
    name: 'digests',
    sql: `SELECT t.rowid AS cursor, ${WORKSPACE_NAME}, t.cadence FROM digests t WHERE t.user_id = ?1 AND ${IN_CURRENT_WORKSPACE}`,
  },
  {
    name: 'earlyAccess',
    sql: `SELECT t.rowid AS cursor, ${WORKSPACE_NAME}, t.feature, t.state, t.updated_at AS at FROM pilot_enrolments t
      WHERE t.user_id = ?1 AND ${IN_CURRENT_WORKSPACE}`,
  },
  {
    name: 'earlyAccessFeedback',
    sql: `SELECT t.rowid AS cursor, ${WORKSPACE_NAME}, t.feature, t.score, t.body AS text, t.updated_at AS at
      FROM pilot_feedback t WHERE t.user_id = ?1 AND ${IN_CURRENT_WORKSPACE}`,
  },
  {
    name: 'briefing',
    sql: `SELECT t.rowid AS cursor, ${WORKSPACE_NAME}, t.key, t.read_at AS readAt, t.snoozed_until AS snoozedUntil
      FROM briefing_marks t WHERE t.user_id = ?1 AND ${IN_CURRENT_WORKSPACE}`,
  },
  {
    name: 'briefingVisits',
    sql: `SELECT t.rowid AS cursor, ${WORKSPACE_NAME}, t.seen_at AS lastSeenAt FROM briefing_visits t
      WHERE t.user_id = ?1 AND ${IN_CURRENT_WORKSPACE}`,
  },
  {
    name: 'briefingLessOf',
    sql: `SELECT t.rowid AS cursor, ${WORKSPACE_NAME}, t.kind FROM briefing_kinds t
      WHERE t.user_id = ?1 AND ${IN_CURRENT_WORKSPACE}`,
  },
  {
    name: 'loads',
    sql: `SELECT t.rowid AS cursor, t.id, t.file_name AS fileName, ${WORKSPACE_NAME}, t.state, t.started_at AS startedAt
      FROM runs t WHERE t.actor_id = ?1 AND ${IN_CURRENT_WORKSPACE}`,
  },
  {
    name: 'auditLog',
    sql: `SELECT t.rowid AS cursor, t.workspace_id AS workspaceId, action, entity, entity_id AS entityId, country, at
      FROM audit t WHERE actor_id = ?1`,
  },
]

const parseJson = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : null)

/** The rows of a section, page by page. */
export async function* readPages(
  { d1 }: Database,
  { sql, shape = (row) => row }: ExportSection,
  userId: string,
): AsyncGenerator<Record<string, unknown>[]> {
  let after = 0
  for (;;) {
    const { results } = await d1
      .prepare(`SELECT * FROM (${sql}) WHERE cursor > ?2 ORDER BY cursor LIMIT ${PAGE_SIZE}`)
      .bind(userId, after)
      .all<Record<string, unknown>>()
    yield results.map(({ cursor: _cursor, ...row }) => formatInstants(shape(row)))
    const last = results.at(-1)?.['cursor']
    if (results.length < PAGE_SIZE || typeof last !== 'number') return
    after = last
  }
}

/** Instants as people and programs read them. */
const formatInstants = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      INSTANT_KEYS.test(key) && typeof value === 'number' ? toIso(value) : value,
    ]),
  )
