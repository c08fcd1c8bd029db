import { deviceOf } from '../../access/devices'
import type { Database } from '../../db/database'
import type { Deps } from '../../deps'

/** Rows read at once; everything of a person may be more than a request holds. */
const PAGE = 1000

interface Section {
  name: string
  /** Reads by `?1` = the person and, after the first page, rows past the `rowid` in `?2`. */
  sql: string
  shape?: (row: Record<string, unknown>) => Record<string, unknown>
}

const INSTANTS =
  /^(createdAt|pinnedAt|hiddenAt|lastSeenAt|signedInAt|joinedAt|connectedAt|lastUsedAt|startedAt|at|emailProvenAt|termsAcceptedAt)$/
/** Workspaces that the person is in: what they made elsewhere is no longer theirs to see. */
const IN_MINE = `t.workspace_id IN (SELECT m.workspace_id FROM members m JOIN workspaces w ON w.id = m.workspace_id
  WHERE m.user_id = ?1 AND m.status = 'active' AND w.deleted_at IS NULL)`
const WORKSPACE = '(SELECT name FROM workspaces WHERE id = t.workspace_id) AS workspace'

const SECTIONS: Section[] = [
  {
    name: 'profile',
    sql: `SELECT t.rowid AS cursor, id, name, email, email_proven_at AS emailProvenAt, job, goals, locale, notifications,
      avatar_key IS NOT NULL AS picture, password_hash IS NOT NULL AS password,
      terms_accepted_at AS termsAcceptedAt, created_at AS createdAt FROM users t WHERE id = ?1`,
    shape: (row) => ({
      ...row,
      goals: parsed(row['goals']),
      notifications: parsed(row['notifications']),
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
    shape: (row) => ({ device: deviceOf(typeof row['userAgent'] === 'string' ? row['userAgent'] : null), ...row }),
  },
  {
    name: 'signInDevices',
    sql: `SELECT t.rowid AS cursor, device, nullif(country, '') AS country, signed_in_at AS signedInAt
      FROM devices t WHERE user_id = ?1`,
  },
  {
    name: 'memberships',
    sql: `SELECT t.rowid AS cursor, t.workspace_id AS workspaceId, ${WORKSPACE}, role, status, created_at AS joinedAt,
      last_seen_at AS lastSeenAt FROM members t WHERE user_id = ?1`,
  },
  {
    name: 'groups',
    sql: `SELECT gm.rowid AS cursor, t.name, ${WORKSPACE}, gm.is_member = 1 AS member, gm.is_manager = 1 AS manager
      FROM group_members gm JOIN user_groups t ON t.id = gm.group_id AND t.deleted_at IS NULL
      WHERE gm.user_id = ?1 AND ${IN_MINE}`,
    shape: (row) => ({ ...row, member: row['member'] === 1, manager: row['manager'] === 1 }),
  },
  ...[
    { name: 'dataSources', table: 'data_sources' },
    { name: 'insights', table: 'insights' },
    { name: 'groupings', table: 'groupings' },
  ].map(({ name, table }) => ({
    name,
    sql: `SELECT t.rowid AS cursor, t.id, t.name, ${WORKSPACE}, t.created_at AS createdAt FROM ${table} t
      WHERE t.owner_id = ?1 AND t.deleted_at IS NULL AND ${IN_MINE}`,
  })),
  ...['metrics', 'alerts', 'forecasts'].map((table) => ({
    name: table,
    sql: `SELECT t.rowid AS cursor, t.id, t.name, ${WORKSPACE}, t.created_at AS createdAt FROM ${table} t
      WHERE t.owner_id = ?1 AND ${IN_MINE}`,
  })),
  {
    name: 'notes',
    sql: `SELECT t.rowid AS cursor, t.id, t.body, t.bucket, i.name AS insight, ${WORKSPACE}, t.created_at AS createdAt
      FROM notes t JOIN insights i ON i.id = t.insight_id WHERE t.author_id = ?1 AND i.deleted_at IS NULL AND ${IN_MINE}`,
  },
  {
    name: 'followedInsights',
    sql: `SELECT t.rowid AS cursor, i.id, i.name, ${WORKSPACE}, t.created_at AS createdAt FROM insight_follows t
      JOIN insights i ON i.id = t.insight_id WHERE t.user_id = ?1 AND i.deleted_at IS NULL AND ${IN_MINE}`,
  },
  {
    name: 'findings',
    sql: `SELECT t.rowid AS cursor, t.key, ${WORKSPACE}, t.pinned_at AS pinnedAt, t.hidden_at AS hiddenAt, t.rating
      FROM finding_marks t WHERE t.user_id = ?1 AND ${IN_MINE}`,
  },
  {
    name: 'digests',
    sql: `SELECT t.rowid AS cursor, ${WORKSPACE}, t.cadence FROM digests t WHERE t.user_id = ?1 AND ${IN_MINE}`,
  },
  {
    name: 'loads',
    sql: `SELECT t.rowid AS cursor, t.id, t.file_name AS fileName, ${WORKSPACE}, t.state, t.started_at AS startedAt
      FROM runs t WHERE t.actor_id = ?1 AND ${IN_MINE}`,
  },
  {
    name: 'auditLog',
    sql: `SELECT t.rowid AS cursor, t.workspace_id AS workspaceId, action, entity, entity_id AS entityId, country, at
      FROM audit t WHERE actor_id = ?1`,
  },
]

const parsed = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : null)

/** Everything about a person as the bytes of one JSON object, read while it is written. */
export function exportOf(deps: Deps, userId: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const pieces = written(deps, userId)
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await pieces.next()
      if (next.done === true) controller.close()
      else controller.enqueue(encoder.encode(next.value))
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
}

async function* written(deps: Deps, userId: string): AsyncGenerator<string, undefined> {
  yield `{\n"exportedAt": ${JSON.stringify(new Date(deps.clock.now()).toISOString())}`
  for (const section of SECTIONS) {
    yield `,\n${JSON.stringify(section.name)}: [`
    let count = 0
    for await (const rows of pagesOf(deps.db, section, userId)) {
      yield rows.map((row) => `${count++ === 0 ? '' : ','}\n  ${JSON.stringify(row)}`).join('')
    }
    yield count === 0 ? ']' : '\n]'
  }
  yield '\n}\n'
  return undefined
}

async function* pagesOf(
  { d1 }: Database,
  { sql, shape = (row) => row }: Section,
  userId: string,
): AsyncGenerator<Record<string, unknown>[]> {
  let after = 0
  for (;;) {
    const { results } = await d1
      .prepare(`SELECT * FROM (${sql}) WHERE cursor > ?2 ORDER BY cursor LIMIT ${PAGE}`)
      .bind(userId, after)
      .all<Record<string, unknown>>()
    yield results.map(({ cursor: _cursor, ...row }) => readable(shape(row)))
    const last = results.at(-1)?.['cursor']
    if (results.length < PAGE || typeof last !== 'number') return
    after = last
  }
}

/** Instants as people and programs read them. */
const readable = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      INSTANTS.test(key) && typeof value === 'number' ? new Date(value).toISOString() : value,
    ]),
  )
