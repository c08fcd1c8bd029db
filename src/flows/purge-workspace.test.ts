import { env } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { WORKSPACE_TABLES } from './purge-store'
import { purgeWorkspaces } from './purge-workspace'
import { Scope } from '../scope'
import { openDatabase } from '../db/database'
import { systemIds, type Deps } from '../deps'
import { DELETED_RETENTION_MS } from '../shared/limits'
import { casesOf } from '../../test/long'
import { createBillingFixture } from '../../test/worker/billing-fixture'
import { createCustomer, billingDeps } from '../../test/worker/customers'
import { depsAt } from '../../test/worker/deps'
import { signedIn } from '../../test/worker/factories'
import { loadedDataset } from '../../test/worker/loaded-dataset'
import { aRowOfEach } from '../../test/worker/resources'
import { aPng } from '../../test/worker/pictures'

const NOW = Date.now()
const SLICES = Array.from({ length: 90 }, (_, n) => n + 1)

async function tablesWithWorkspace(): Promise<string[]> {
  const { results } = await env.DB.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table'").all<{
    name: string
    sql: string
  }>()
  return results.flatMap(({ name, sql }) => (/[\s,(]workspace_id TEXT/.test(sql) ? [name] : [])).toSorted()
}
const countIn = (table: string, id: string) =>
  env.DB.prepare(`SELECT count(*) AS n FROM "${table}" WHERE workspace_id = ?`).bind(id).first<number>('n')

/** A row of everything that is kept of a source that is read from elsewhere. */
const aConnectionOf = (id: string, sourceId: string, userId: string): D1PreparedStatement[] =>
  [
    "INSERT INTO connections (source_id, workspace_id, kind, settings, frequency_hours) VALUES (?2, ?1, 'url', '{}', 24)",
    "INSERT INTO connection_streams (source_id, workspace_id, position, key, stream, mode) VALUES (?2, ?1, 0, 's', '{}', 'replace')",
    "INSERT INTO connection_tables (source_id, workspace_id, stream_key, name, dataset_id, columns) VALUES (?2, ?1, 's', '', 'd', '{}')",
    `INSERT INTO syncs (id, workspace_id, source_id, slot, "trigger", state, started_at, beat_at, finished_at)
     VALUES ('y' || ?1, ?1, ?2, 'a', 'schedule', 'failed', 1, 1, 1)`,
    `INSERT INTO sync_dead_letters (id, workspace_id, source_id, sync_id, failures, error, at)
     VALUES ('l' || ?1, ?1, ?2, 'y' || ?1, 10, '{}', 1)`,
    "INSERT INTO ingest_batches (workspace_id, source_id, key, body_hash, row_count, created_at) VALUES (?1, ?2, 'k', '', 1, 1)",
    `INSERT INTO connection_drafts (id, workspace_id, user_id, kind, settings, sealed, state, expires_at)
     VALUES ('f' || ?1, ?1, ?3, 'fortnox', '{}', '', 'asked', 1)`,
  ].map((sql) => env.DB.prepare(sql).bind(...[id, sourceId, userId].slice(0, sql.includes('?3') ? 3 : 2)))

/** A workspace with a row in every table, files in the store and rows in the warehouse, deleted at an instant. */
async function filled(deletedAt: number, rows = true) {
  const me = await signedIn()
  const id = me.workspaceId
  const ids = await aRowOfEach(id, me.userId)
  const [file, loaded] = [`uploads/${systemIds.token(8)}`, `uploads/${systemIds.token(8)}`]
  const insert = (sql: string, ...values: (string | number)[]) => env.DB.prepare(sql).bind(...values)
  const read = `syncs/${id}/${systemIds.token(8)}/0`
  for (const key of [file, `${file}/table`, loaded, read]) await env.FILES.put(key, 'a,b\n1,2\n')
  await me.fetch('/files/workspace/logo', { method: 'PUT', body: aPng() })
  const group = systemIds.next('group')
  await env.DB.batch([
    insert('UPDATE uploads SET object_key = ? WHERE id = ?', file, ids['uploads'] ?? ''),
    insert("INSERT INTO upload_parts (upload_id, number, etag, size) VALUES (?, 1, 'e', 1)", ids['uploads'] ?? ''),
    insert('UPDATE runs SET object_key = ? WHERE id = ?', loaded, ids['runs'] ?? ''),
    insert(
      "INSERT INTO insight_fields (insight_id, dataset_id, column_key) VALUES (?, 'd', 'c0')",
      ids['insights'] ?? '',
    ),
    insert(
      "INSERT INTO metric_names (workspace_id, name_key, metric_id) VALUES (?, 'm', ?)",
      ...[id, ids['metrics'] ?? ''],
    ),
    insert(
      "INSERT INTO insight_versions (workspace_id, insight_id, version, name, description, plan, viz, saved_by, saved_at) VALUES (?, ?, 1, '', '', '{}', '{}', ?, 1)",
      ...[id, ids['insights'] ?? '', me.userId],
    ),
    insert(
      'INSERT INTO insight_follows (workspace_id, insight_id, user_id, created_at) VALUES (?, ?, ?, 1)',
      ...[id, ids['insights'] ?? '', me.userId],
    ),
    insert("INSERT INTO samples (workspace_id, state, job_id, updated_at) VALUES (?, 'removed', '', 1)", id),
    insert(
      "INSERT INTO user_groups (id, workspace_id, name, name_key, color, created_at) VALUES (?, ?, 'g', 'g', 'blue', 1)",
      group,
      id,
    ),
    insert('INSERT INTO group_members (group_id, user_id) VALUES (?, ?)', group, me.userId),
    insert(
      "INSERT INTO ended_memberships (workspace_id, user_id, role, reason, joined_at, ended_at) VALUES (?, ?, 'viewer', 'left', 1, 2)",
      id,
      me.userId,
    ),
    insert(
      'INSERT INTO ownership_offers (workspace_id, from_user, to_user, created_at, expires_at) VALUES (?, ?2, ?2, 1, 2) ON CONFLICT DO NOTHING',
      id,
      me.userId,
    ),
    insert(
      "INSERT INTO outbox (id, workspace_id, kind, key, payload, created_at) VALUES (?, ?, 'mail', ?, '{}', 1)",
      systemIds.next('outbox'),
      id,
      id,
    ),
    insert(
      "INSERT INTO invites (id, workspace_id, email, role, invited_by, created_at, sent_at, expires_at) VALUES (?, ?, 'x@example.com', 'viewer', ?, 1, 1, 2)",
      systemIds.next('invite'),
      id,
      me.userId,
    ),
    insert(
      "INSERT INTO invite_reports (workspace_id, email, invite_id, invited_by, at) VALUES (?, 'x@example.com', 'inv_x', ?, 1)",
      id,
      me.userId,
    ),
    insert('INSERT INTO digests (workspace_id, user_id) VALUES (?, ?)', id, me.userId),
    insert(
      "INSERT INTO report_bookmarks (id, workspace_id, report_id, user_id, name, search, created_at) VALUES ('b' || ?1, ?1, ?2, ?3, 'b', '', 1)",
      ...[id, ids['reports'] ?? '', me.userId],
    ),
    insert(
      `INSERT INTO block_subscriptions (id, workspace_id, report_id, block_id, user_id, cadence, created_at)
       VALUES ('s' || ?1, ?1, ?2, 'block1', ?3, 'daily', 1)`,
      ...[id, ids['reports'] ?? '', me.userId],
    ),
    insert(
      "INSERT INTO report_publications (workspace_id, report_id, n, content, published_by, published_at) VALUES (?, ?, 1, '{}', ?, 1)",
      ...[id, ids['reports'] ?? '', me.userId],
    ),
    insert(
      'INSERT INTO report_pictures (workspace_id, report_id, key, created_at) VALUES (?1, ?2, ?1, 1)',
      ...[id, ids['reports'] ?? ''],
    ),
    insert(
      `INSERT INTO report_editions (id, workspace_id, report_id, n, publication, hash, rights, audience, published_by, published_at)
       VALUES ('e' || ?1, ?1, ?2, 1, 1, '', '', 'everyone', ?3, 1)`,
      ...[id, ids['reports'] ?? '', me.userId],
    ),
    insert("INSERT INTO edition_files (id, workspace_id, due_at) VALUES ('e' || ?1, ?1, 1)", id),
    insert(
      `INSERT INTO report_schedules (id, workspace_id, report_id, content, owner_id, rights, created_at, updated_at)
       VALUES ('s' || ?1, ?1, ?2, '{}', ?3, '{}', 1, 1)`,
      ...[id, ids['reports'] ?? '', me.userId],
    ),
    insert(
      "INSERT INTO report_recipients (id, workspace_id, schedule_id, recipient) VALUES ('r' || ?1, ?1, 's' || ?1, 'x')",
      id,
    ),
    insert(
      `INSERT INTO report_deliveries (id, workspace_id, schedule_id, slot, slot_at, recipient, kind, state, created_at)
       VALUES ('d' || ?1, ?1, 's' || ?1, '2026-01-01', 1, 'x', 'address', 'sent', 1)`,
      id,
    ),
    insert(
      `INSERT INTO report_links (id, workspace_id, report_id, name, token_hash, terms, rights, created_by, created_at, expires_at)
       VALUES ('l' || ?1, ?1, ?2, '', ?1, '{}', '{}', ?3, 1, 2)`,
      ...[id, ids['reports'] ?? '', me.userId],
    ),
    insert(
      "INSERT INTO report_signatures (workspace_id, edition_id, user_id, signed_at) VALUES (?1, 'e' || ?1, ?2, 1)",
      ...[id, me.userId],
    ),
    insert("INSERT INTO report_items (report_id, item_id) VALUES (?, 'x')", ids['reports'] ?? ''),
    insert(
      "INSERT INTO alert_events (id, workspace_id, alert_id, kind, at) VALUES (?, ?, ?, 'opened', 1)",
      systemIds.token(8),
      id,
      ids['alerts'] ?? '',
    ),
    insert(
      "INSERT INTO forecast_runs (id, workspace_id, forecast_id, number, state, created_at) VALUES (?, ?, ?, 1, 'failed', 1)",
      systemIds.next('forecastRun'),
      id,
      ids['forecasts'] ?? '',
    ),
    insert(
      "INSERT INTO finding_runs (workspace_id, rights, dataset_id, claim, data_version, claimed_at) VALUES (?, 'r', 'd', 'c', 1, 1)",
      id,
    ),
    insert("INSERT INTO finding_marks (workspace_id, user_id, key, updated_at) VALUES (?, ?, 'k', 1)", id, me.userId),
    insert(
      "INSERT INTO pilot_enrolments (workspace_id, feature, user_id, state, actor_id, updated_at) VALUES (?1, 'mcp', ?2, 'on', ?2, 1)",
      ...[id, me.userId],
    ),
    insert(
      "INSERT INTO pilot_feedback (workspace_id, feature, user_id, score, body, updated_at) VALUES (?, 'mcp', ?, 3, '', 1)",
      ...[id, me.userId],
    ),
    insert('INSERT INTO briefing_visits (workspace_id, user_id, seen_at) VALUES (?, ?, 1)', id, me.userId),
    insert("INSERT INTO briefing_marks (workspace_id, user_id, key, updated_at) VALUES (?, ?, 'k', 1)", id, me.userId),
    insert(
      "INSERT INTO briefing_kinds (workspace_id, user_id, kind, updated_at) VALUES (?, ?, 'season', 1)",
      id,
      me.userId,
    ),
    insert('INSERT INTO account_classes (workspace_id, version, updated_at) VALUES (?, 1, 1)', id),
    insert('INSERT INTO currency_settings (workspace_id) VALUES (?)', id),
    insert("INSERT INTO kept (workspace_id, kind, entity_id) VALUES (?, 'source', 'src_1')", id),
    insert('INSERT INTO bot_settings (workspace_id, retention_days) VALUES (?, 60)', id),
    insert("INSERT INTO allowances (workspace_id, name, period, used) VALUES (?, 'aiMessages', 'trial', 1)", id),
    ...aConnectionOf(id, ids['data-sources'] ?? '', me.userId),
    insert('UPDATE workspaces SET deleted_at = ? WHERE id = ?', deletedAt, id),
  ])
  const dataset = rows ? await loadedDataset(id, [['SE', 1]]) : systemIds.next('dataset')
  return { id, me, ids, group, dataset, keys: [file, `${file}/table`, loaded, read] }
}
type Filled = Awaited<ReturnType<typeof filled>>

/** What is left of it, by place. */
async function left({ id, ids, group, dataset, keys }: Filled): Promise<string[]> {
  const found: string[] = []
  for (const table of await tablesWithWorkspace()) if ((await countIn(table, id)) !== 0) found.push(table)
  const hanging = [
    ['workspaces', 'id', id],
    ['upload_parts', 'upload_id', ids['uploads']],
    ['insight_fields', 'insight_id', ids['insights']],
    ['group_members', 'group_id', group],
  ]
  for (const [table, column, value] of hanging) {
    const row = await env.DB.prepare(`SELECT 1 FROM ${table} WHERE ${column} = ?`)
      .bind(value ?? '')
      .first()
    if (row !== null) found.push(table ?? '')
  }
  for (const key of keys) if ((await env.FILES.head(key)) !== null) found.push(key)
  const scope = Scope.forJob({ workspaceId: id, userId: systemIds.next('user'), epoch: '1.1' })
  const rows = await depsAt(NOW)
    .warehouse(scope)
    .dataset(dataset)
    .catch(() => null)
  if (rows !== null) found.push('rows')
  return found
}

describe('purging a workspace', () => {
  it('knows every table that holds rows of a workspace', async () => {
    expect(await tablesWithWorkspace()).toEqual([...WORKSPACE_TABLES].toSorted())
  })

  it('leaves no row, no file and nothing in the warehouse 30 days after, and nothing a moment before', async () => {
    const made = await filled(NOW - DELETED_RETENTION_MS)
    const bystander = await filled(NOW - DELETED_RETENTION_MS + 1)
    for (const table of WORKSPACE_TABLES) expect(await countIn(table, made.id), table).toBeGreaterThan(0)
    const before = await left(bystander)
    expect(before.length).toBeGreaterThan(WORKSPACE_TABLES.length)
    await purgeWorkspaces(depsAt(NOW))
    expect(await left(made)).toEqual([])
    expect(await left(bystander)).toEqual(before)
    const noted = env.DB.prepare("SELECT workspace_id FROM audit WHERE action = 'workspace.purge' AND entity_id = ?")
    expect(await noted.bind(made.id).all()).toMatchObject({ results: [{ workspace_id: null }] })
    expect(await env.DB.prepare('SELECT count(*) AS n FROM users WHERE id = ?').bind(made.me.userId).first('n')).toBe(1)
  })

  it('goes on after it was killed between any two slices', async () => {
    // A slice for each table and more; every fourth time with rows in the warehouse.
    for (const trips of casesOf(SLICES, 1, 40, 83)) {
      const made = await filled(NOW - DELETED_RETENTION_MS, trips % 4 === 0)
      await purgeWorkspaces(dyingAfter(trips)).catch(() => undefined)
      await purgeWorkspaces(depsAt(NOW))
      expect(await left(made), `killed after ${trips}`).toEqual([])
    }
  })

  it('is held up by none that billing does not let go of', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const billing = await createBillingFixture()
    const stuck = [await createCustomer(billing), await createCustomer(billing), await createCustomer(billing)]
    const setDeleted = (id: string) =>
      env.DB.prepare('UPDATE workspaces SET deleted_at = 2 WHERE id = ?').bind(id).run()
    for (const { workspaceId } of stuck) await setDeleted(workspaceId)
    const refused = { status: 500, headers: { 'stripe-should-retry': 'false' } }
    const away = {
      ...billingDeps(billing),
      operatorFetcher: async () => Response.json({ error: { type: 'api_error' } }, refused),
    }
    const isThere = async ({ workspaceId }: { workspaceId: string }) =>
      (await countIn('subscriptions', workspaceId)) === 1
    for (let round = 0; round < 2; round++) await purgeWorkspaces(away)
    for (const one of stuck) expect([await isThere(one), await countIn('members', one.workspaceId)]).toEqual([true, 0])
    const other = await signedIn()
    await setDeleted(other.workspaceId)
    await purgeWorkspaces(away)
    expect([await isThere(other), ...(await Promise.all(stuck.map(isThere)))]).toEqual([false, true, true, true])
    await purgeWorkspaces(billingDeps(billing))
    expect(await Promise.all(stuck.map(isThere))).toEqual([false, false, false])
    warned.mockRestore()
  })

  it('tells the operator what is still paid for when billing was turned off', async () => {
    const { workspaceId } = await signedIn()
    await env.DB.batch([
      env.DB.prepare(
        "UPDATE subscriptions SET customer_id = 'cus_off', subscription_id = 'sub_off' WHERE workspace_id = ?",
      ).bind(workspaceId),
      env.DB.prepare('UPDATE workspaces SET deleted_at = 2 WHERE id = ?').bind(workspaceId),
    ])
    const report = vi.fn()
    await purgeWorkspaces({ ...depsAt(NOW), reporter: { report } })
    expect(String(report.mock.calls.at(-1)?.[0])).toContain('sub_off')
    expect(await countIn('subscriptions', workspaceId)).toBe(0)
  })

  it('cannot be brought back any more once it has begun', async () => {
    const made = await filled(NOW - DELETED_RETENTION_MS)
    await purgeWorkspaces(dyingAfter(2)).catch(() => undefined)
    const early = depsAt(NOW - 60_000)
    const { restoreWorkspace } = await import('../features/workspaces/deletion')
    const { readSession } = await import('../identity/session-store')
    const session = await readSession(early, {
      ...{ hash: made.me.sessionHash, workspaceId: null, fallback: false, opens: false, reply: null },
    })
    if (!session) throw new Error('signed in')
    await expect(
      restoreWorkspace(early, { actor: session.actor, id: made.id, reply: () => null }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('erasing a warehouse', () => {
  it('is refused to every scope of a person or a job', async () => {
    const made = await filled(NOW)
    const warehouse = depsAt(NOW).warehouse(
      Scope.forJob({ workspaceId: made.id, userId: made.me.userId, epoch: '1.1' }),
    )
    await expect(warehouse.erase()).rejects.toMatchObject({ code: 'not_found' })
    expect(await warehouse.dataset(made.dataset)).toMatchObject({ rowCount: 1 })
  })

  it('may be done twice', async () => {
    const made = await filled(NOW)
    const warehouse = depsAt(NOW).warehouse(Scope.forSystem(made.id))
    await warehouse.erase()
    await warehouse.erase()
    expect(await left(made)).not.toContain('rows')
  })
})

/** Dependencies whose database dies after so many round trips. */
function dyingAfter(trips: number): Deps {
  const deps = depsAt(NOW)
  let leftTrips = trips
  const spend = () => {
    leftTrips -= 1
    if (leftTrips < 0) throw new Error('killed')
  }
  const originals = new WeakMap<object, D1PreparedStatement>()
  const statement = (inner: D1PreparedStatement): D1PreparedStatement => {
    const stand = new Proxy(inner, {
      get(target, key) {
        if (key === 'bind') return (...values: unknown[]) => statement(target.bind(...values))
        const member: unknown = Reflect.get(target, key)
        if (typeof member !== 'function') return member
        return (...args: unknown[]): unknown => {
          spend()
          return Reflect.apply(member, target, args)
        }
      },
    })
    originals.set(stand, inner)
    return stand
  }
  const d1 = new Proxy(env.DB, {
    get(target, key) {
      if (key === 'prepare') return (sql: string) => statement(target.prepare(sql))
      if (key === 'batch')
        return (statements: D1PreparedStatement[]) => {
          spend()
          return target.batch(statements.map((each) => originals.get(each) ?? each))
        }
      const member: unknown = Reflect.get(target, key)
      return member
    },
  })
  return { ...deps, db: openDatabase(d1) }
}
