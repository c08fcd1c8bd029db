import { NO_POLICY } from '../../src/shared/data-access/rules'
import { env } from 'cloudflare:test'
import { unique } from './factories'
import { systemIds } from '../../src/deps'
import type { IdKind } from '../../src/shared/ids'

/** The part of a path that holds an id, and what kind of id stands there; sessions are called by their hash. */
export const ID_OF: Record<string, IdKind | 'session'> = {
  uploads: 'upload',
  'data-sources': 'source',
  datasets: 'dataset',
  runs: 'run',
  insights: 'insight',
  deleted: 'insight',
  relations: 'relation',
  groupings: 'grouping',
  groups: 'group',
  notes: 'note',
  categories: 'category',
  sessions: 'session',
  workspaces: 'workspace',
  'sign-ins': 'account',
  members: 'user',
  invites: 'invite',
  rates: 'rate',
  alerts: 'alert',
  forecasts: 'forecast',
  reports: 'report',
  comments: 'comment',
  findings: 'finding',
  briefing: 'finding',
  metrics: 'metric',
  attributes: 'attribute',
  conversations: 'botConversation',
  shared: 'botConversation',
  messages: 'botMessage',
  glossary: 'botTerm',
  'verified-answers': 'verifiedAnswer',
  'access-tokens': 'accessToken',
  'connected-apps': 'connectedApp',
}
export type ResourceIds = Record<string, string>
export const newIdOf = (kind: IdKind | 'session'): string =>
  kind === 'session' ? systemIds.token(16) : systemIds.next(kind)

const SCHEDULE = {
  ...{ timing: { kind: 'weekly', weekday: 1, hour: 7 }, format: 'link', closedPeriod: true, recipients: [] },
  ...{ skipEmpty: true, hold: true },
}

/** One row of every kind of thing that has an id, in one workspace: written as rows, with nothing behind them. */
export async function aRowOfEach(workspaceId: string, userId: string): Promise<ResourceIds> {
  const ids: ResourceIds = {}
  for (const [part, kind] of Object.entries(ID_OF)) ids[part] = newIdOf(kind)
  ids['workspaces'] = workspaceId
  // Stories of the briefing are known by a finding's id.
  ids['briefing'] = ids['findings'] ?? ''
  // Members are known by the person's id.
  ids['members'] = userId
  const { uploads = '', 'data-sources': source = '', datasets = '', runs = '', insights = '' } = ids
  const name = unique('thing')
  const now = Date.now()
  const insert = (sql: string, ...values: (string | number)[]) => env.DB.prepare(sql).bind(...values)
  await env.DB.batch([
    insert(
      `INSERT INTO access_policies (workspace_id, revision, policy, change, actor_id, at)
       SELECT ?1, 1 + coalesce(max(revision), 0), ?2, ?3, ?4, ?5 FROM access_policies WHERE workspace_id = ?1`,
      workspaceId,
      JSON.stringify({
        ...NO_POLICY,
        attributes: [
          { id: ids['attributes'], key: 'region', label: 'Region', type: 'text', multiple: true, defaults: [] },
        ],
      }),
      '[]',
      userId,
      now,
    ),
    insert(
      "INSERT INTO attribute_values (workspace_id, attribute_id, holder_kind, holder_id, value) VALUES (?, ?, 'member', ?, '[]')",
      workspaceId,
      ids['attributes'] ?? '',
      userId,
    ),
    insert(
      `INSERT INTO own_rates (id, workspace_id, kind, base, quote, from_day, to_day, rate, reason, updated_by, updated_at)
       VALUES (?, ?, 'override', 'EUR', 'SEK', '2026-01-01', '2026-01-31', '11', 'a', ?, ?)`,
      ids['rates'] ?? '',
      workspaceId,
      userId,
      now,
    ),
    insert(
      "INSERT INTO invites (id, workspace_id, email, role, invited_by, created_at, sent_at, expires_at) VALUES (?, ?, ?, 'viewer', ?, ?, ?, ?)",
      ids['invites'] ?? '',
      workspaceId,
      `${name}@example.com`,
      userId,
      now,
      now,
      now + 3_600_000,
    ),
    insert(
      'INSERT INTO sessions (hash, user_id, created_at, last_seen_at) VALUES (?, ?, ?, ?)',
      `${ids['sessions'] ?? ''}${systemIds.token(16)}`,
      userId,
      now,
      now,
    ),
    insert(
      "INSERT INTO accounts (id, provider, issuer, subject, user_id, created_at, last_used_at) VALUES (?, 'google', 'https://accounts.google.com', ?, ?, ?, ?)",
      ids['sign-ins'] ?? '',
      name,
      userId,
      now,
      now,
    ),
    insert(
      "INSERT INTO uploads (id, workspace_id, user_id, file_name, size, object_key, state, created_at, expires_at) VALUES (?, ?, ?, 'a.csv', 10, 'none', 'receiving', ?, ?)",
      uploads,
      workspaceId,
      userId,
      now,
      now + 3_600_000,
    ),
    insert(
      "INSERT INTO data_sources (id, workspace_id, type, name, name_key, state, owner_id, created_at, updated_at) VALUES (?, ?, 'file', ?, ?, 'ready', ?, ?, ?)",
      source,
      workspaceId,
      name,
      name,
      userId,
      now,
      now,
    ),
    insert(
      'INSERT INTO datasets (id, workspace_id, source_id, name) VALUES (?, ?, ?, ?)',
      datasets,
      workspaceId,
      source,
      name,
    ),
    insert(
      `INSERT INTO runs (id, workspace_id, source_id, dataset_id, actor_id, "trigger", mode, file_name, request, state, started_at)
       VALUES (?, ?, ?, ?, ?, 'upload', 'create', 'a.csv', '{}', 'failed', ?)`,
      runs,
      workspaceId,
      source,
      datasets,
      userId,
      now,
    ),
    insert(
      "INSERT INTO findings (id, workspace_id, rights, key, dataset_id, about, effect, first_found_at, found_at) VALUES (?, ?, 'r', ?, ?, '{}', '{}', ?, ?)",
      ids['findings'] ?? '',
      workspaceId,
      name,
      datasets,
      now,
      now,
    ),
    insert(
      `INSERT INTO groupings (id, workspace_id, name, name_key, kind, target, fallback, eras, owner_id, created_at, updated_at)
       VALUES (?, ?, ?, ?, 'rules', '{"kind":"account"}', '{"kind":"exclude"}', '[{"from":null,"groups":[]}]', ?, ?, ?)`,
      ...[ids['groupings'] ?? '', workspaceId, name, name, userId, now, now],
    ),
    insert(
      "INSERT INTO user_groups (id, workspace_id, name, name_key, color, created_at) VALUES (?, ?, ?, ?, 'blue', ?)",
      ids['groups'] ?? '',
      workspaceId,
      name,
      name,
      now,
    ),
    insert(
      `INSERT INTO insights (id, workspace_id, name, name_key, plan, viz, owner_id, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, '{"chart":"number"}', ?, ?, ?)`,
      insights,
      workspaceId,
      name,
      name,
      `{"v":2,"kind":"aggregate","dataset":"${datasets}","measures":[{"kind":"column","agg":"count"}],"dimensions":[],"filters":[]}`,
      userId,
      now,
      now,
    ),
    insert(
      `INSERT INTO metrics (id, workspace_id, name, dataset_id, measure, formula, direction, owner_id, created_at, updated_at)
       VALUES (?, ?, ?, ?, '{"kind":"column","agg":"count"}', 'count(*)', 'up', ?, ?, ?)`,
      ...[ids['metrics'] ?? '', workspaceId, name, datasets, userId, now, now],
    ),
    insert(
      "INSERT INTO notes (id, workspace_id, insight_id, body, author_id, created_at) VALUES (?, ?, ?, 'note', ?, ?)",
      ...[ids['notes'] ?? '', workspaceId, insights, userId, now],
    ),
    insert(
      "INSERT INTO categories (id, workspace_id, name, name_key, icon, position, created_at) VALUES (?, ?, ?, ?, 'folder', 1, ?)",
      ...[ids['categories'] ?? '', workspaceId, name, name, now],
    ),
    insert(
      `INSERT INTO alerts (id, workspace_id, name, name_key, subject_kind, subject_id, rules, receivers, owner_id, due_at, created_at, updated_at)
       VALUES (?, ?, ?, ?, 'insight', ?, '{}', '[]', ?, 0, ?, ?)`,
      ids['alerts'] ?? '',
      workspaceId,
      name,
      name,
      insights,
      userId,
      now,
      now,
    ),
    insert(
      `INSERT INTO forecasts (id, workspace_id, name, name_key, subject_kind, subject_id, settings, asked, owner_id, created_at, updated_at)
       VALUES (?, ?, ?, ?, 'insight', ?, '{}', '', ?, ?, ?)`,
      ...[ids['forecasts'] ?? '', workspaceId, name, name, insights, userId, now, now],
    ),
    insert(
      `INSERT INTO reports (id, workspace_id, kind, name, name_key, draft, owner_id, created_at, updated_at)
       VALUES (?, ?, 'interactive', ?, ?, '{"v":1,"period":{"range":null,"compare":"none"},"filters":[],"pages":[{"id":"page01","name":"Page","blocks":[]}]}', ?, ?, ?)`,
      ...[ids['reports'] ?? '', workspaceId, name, name, userId, now, now],
    ),
    insert(
      `INSERT INTO report_schedules (id, workspace_id, report_id, content, owner_id, rights, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, '{}', ?, ?)`,
      ...[systemIds.next('schedule'), workspaceId, ids['reports'] ?? '', JSON.stringify(SCHEDULE), userId, now, now],
    ),
    insert(
      `INSERT INTO report_comments (id, workspace_id, report_id, block_id, body, rights, audience, author_id, created_at)
       VALUES (?, ?, ?, 'block1', 'comment', '', 'everyone', ?, ?)`,
      ...[ids['comments'] ?? '', workspaceId, ids['reports'] ?? '', userId, now],
    ),
    insert(
      'INSERT INTO bot_conversations (id, workspace_id, user_id, title, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
      ...[ids['conversations'] ?? '', workspaceId, userId, name, now, now],
    ),
    insert(
      `INSERT INTO bot_messages (id, workspace_id, conversation_id, user_id, n, question, asked, reply, rights, engine, created_at)
       VALUES (?, ?, ?, ?, 1, 'question', 'text', '{}', '', 'rules', ?)`,
      ...[ids['messages'] ?? '', workspaceId, ids['conversations'] ?? '', userId, now],
    ),
    insert(
      'INSERT INTO bot_terms (id, workspace_id, term, term_key, updated_by, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
      ...[ids['glossary'] ?? '', workspaceId, name, name, userId, now],
    ),
    insert(
      `INSERT INTO bot_verified (id, workspace_id, question, question_key, plan, viz, hash, verified_by, verified_at)
       VALUES (?, ?, ?, ?, ?, '{"chart":"number"}', '', ?, ?)`,
      ...[ids['verified-answers'] ?? '', workspaceId, name, name],
      `{"v":2,"kind":"aggregate","dataset":"${datasets}","measures":[{"kind":"column","agg":"count"}],"dimensions":[],"filters":[]}`,
      ...[userId, now],
    ),
    insert(
      'INSERT INTO ai_settings (workspace_id, updated_by, updated_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
      ...[workspaceId, userId, now],
    ),
    insert(
      `INSERT INTO connected_apps (id, workspace_id, user_id, user_epoch, member_epoch, client_id, name, scopes, created_at, expires_at)
       VALUES (?, ?, ?, 1, 1, 'ocl', ?, '["read"]', ?, ?)`,
      ...[ids['connected-apps'] ?? '', workspaceId, userId, name, now, now + 3_600_000],
    ),
    insert(
      `INSERT INTO access_tokens (id, hash, workspace_id, user_id, user_epoch, member_epoch, name, scopes, created_at, expires_at)
       VALUES (?, ?, ?, ?, 1, 1, ?, '["read"]', ?, ?)`,
      ...[ids['access-tokens'] ?? '', systemIds.token(32), workspaceId, userId, name, now, now + 3_600_000],
    ),
    insert(
      `INSERT INTO targets (id, workspace_id, subject_kind, subject_id, grain, lines, updated_at, updated_by)
       VALUES (?, ?, 'insight', ?, 'month', '[]', ?, ?)`,
      systemIds.next('target'),
      workspaceId,
      insights,
      now,
      userId,
    ),
  ])
  return ids
}

/** A route's path with the id that its part of the path asks for. */
export const pathWith = (path: string, ids: ResourceIds): string =>
  path
    .replace(/\/([a-z-]+)\/:id/, (_all, part: string) => `/${part}/${ids[part] ?? `no-id-for-${part}`}`)
    .replace(/:[a-z]+/gi, '1')
