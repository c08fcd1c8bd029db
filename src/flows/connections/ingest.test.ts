import { env, runInDurableObject } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { createApp } from '../../app'
import type { DataSource } from '../../shared/data-sources/data-sources'
import { drainPushed, sweepPushed } from '../sync/drain-pushed'
import { reconcileSyncs, startDueSyncs } from '../sync/due-syncs'
import { connectionStore } from '../../sync/connection-store'
import { inboxStore } from '../../sync/inbox-store'
import { pushStore } from '../../sync/push-store'
import { createDeps } from '../../deps'
import { readSettings } from '../../settings'

const app = createApp()
async function pushSource(me: SignedIn): Promise<{ source: DataSource; token: string }> {
  const body = {
    kind: 'push',
    name: `Events ${me.userId}`,
    settings: { key: 'id' },
    secrets: {},
    streams: [],
    frequencyHours: 24,
  }
  const response = await me.fetch('/api/connectors/sources', { method: 'POST', json: body })
  expect(response.status).toBe(201)
  return response.json()
}
const connectionOf = (sourceId: string) =>
  env.DB.prepare('SELECT failure, failures, next_at AS nextAt FROM connections WHERE source_id = ?')
    .bind(sourceId)
    .first<{ failure: string | null; failures: number; nextAt: number | null }>()
const syncCount = (sourceId: string) =>
  env.DB.prepare('SELECT count(*) AS n FROM syncs WHERE source_id = ?').bind(sourceId).first<number>('n')
const inSql = <T>(sourceId: string, ask: (sql: SqlStorage) => T): Promise<T> =>
  runInDurableObject(env.PUSH_INBOX.getByName(sourceId), (_inbox, { storage }) => ask(storage.sql))
const waitingOf = (sourceId: string) =>
  inSql(sourceId, (sql) => sql.exec<{ n: number }>('SELECT count(*) AS n FROM batches WHERE body IS NOT NULL').one().n)
const runningOf = (sourceId: string) =>
  env.DB.prepare("SELECT count(*) AS n FROM syncs WHERE source_id = ? AND state = 'running'")
    .bind(sourceId)
    .first<number>('n')
/** All that was sent is in the table, and nobody is at it any more. */
const applied = (sourceId: string) =>
  expect.poll(async () => [await waitingOf(sourceId), await runningOf(sourceId)], { timeout: 20_000 }).toEqual([0, 0])
const post = async (
  sourceId: string,
  token: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<Response> => {
  const waiting: Promise<unknown>[] = []
  const context = {
    waitUntil: (work: Promise<unknown>) => void waiting.push(work),
    passThroughOnException: () => undefined,
    props: {},
  }
  const request = new Request(`http://localhost:8787/api/ingest/${sourceId}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body,
  })
  const response = await app.fetch(request, env, context)
  await Promise.all(waiting)
  return response
}
/** Sends a batch, and waits until it is in the table. */
const send: typeof post = async (sourceId, ...sent) => {
  const response = await post(sourceId, ...sent)
  if (response.status === 202) await applied(sourceId)
  return response
}
const depsAt = (now = Date.now()) => {
  const parsed = readSettings(env)
  if (!parsed.ok) throw new Error(parsed.problem)
  return createDeps(env, parsed.settings, { waitUntil: () => undefined }, { clock: { now: () => now } })
}
const rowCount = async (sourceId: string): Promise<number> =>
  (await env.DB.prepare('SELECT row_count AS n FROM datasets WHERE source_id = ?').bind(sourceId).first<number>('n')) ??
  0

it('takes rows by token, updates them by key, counts a repeated batch once, and takes new fields', async () => {
  const me = await signedIn()
  const { source, token } = await pushSource(me)
  expect(
    (await send(source.id, token, '[{"id":"1","amount":10},{"id":"2","amount":20}]', { 'idempotency-key': 'a' }))
      .status,
  ).toBe(202)
  expect(await rowCount(source.id)).toBe(2)
  expect(
    (await send(source.id, token, '[{"id":"1","amount":10},{"id":"2","amount":20}]', { 'idempotency-key': 'a' }))
      .status,
  ).toBe(202)
  expect((await send(source.id, token, '[{"id":"9"}]', { 'idempotency-key': 'a' })).status).toBe(422)
  expect(
    (
      await send(source.id, token, '{"id":"2","amount":25,"day":"2026-01-31"}\n{"id":"3"}', {
        'content-type': 'application/x-ndjson',
      })
    ).status,
  ).toBe(202)
  expect(await rowCount(source.id)).toBe(3)
})

it('refuses a wrong token, a value of another type and a row without its key, and keeps nothing of them', async () => {
  const me = await signedIn()
  const { source, token } = await pushSource(me)
  expect((await send(source.id, 'f'.repeat(64), '[{"id":"1"}]')).status).toBe(401)
  expect((await send('src_unknown', token, '[{"id":"1"}]')).status).toBe(401)
  await send(source.id, token, '[{"id":"1","amount":1}]')
  expect((await send(source.id, token, '[{"id":"2","amount":"many"}]')).status).toBe(422)
  expect((await send(source.id, token, '[{"amount":2}]')).status).toBe(422)
  expect((await send(source.id, token, 'no json')).status).toBe(400)
  expect(await rowCount(source.id)).toBe(1)
})

it('loses and doubles nothing of many batches from several clients at once', async () => {
  const me = await signedIn()
  const { source, token } = await pushSource(me)
  const batch = (n: number) =>
    JSON.stringify([
      { id: `k${n}`, amount: n },
      { id: 'shared', amount: n },
    ])
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => post(source.id, token, batch(n))))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 202))
  await applied(source.id)
  expect(await rowCount(source.id)).toBe(21)
})

it('takes nothing that its table cannot hold: what is accepted is not lost', async () => {
  const me = await signedIn()
  const { source, token } = await pushSource(me)
  await send(source.id, token, '[{"id":"1","day":"2026-01-31","at":"2026-01-31T12:00:00Z","n":1,"t":"a"}]')
  const refused = [
    ...['"day":"2026-02-31"', '"at":"0000-01-01T00:00:00Z"', '"at":"9999-12-31T23:59:59-14:00"', '"n":1e300'],
    ...['"n":9007199254740993', '"n":"123456789012345678901234567890"', `"t":"${'x'.repeat(40_000)}"`],
  ]
  for (const field of refused) {
    const answer = await send(source.id, token, `[{"id":"2",${field}},{"id":"3"}]`)
    const [name] = field.split(':')
    expect([field.slice(0, 60), answer.status, await answer.text()]).toEqual([
      ...[field.slice(0, 60), 422, expect.stringContaining(`"0.${name?.replaceAll('"', '')}"`)],
    ])
  }
  expect((await send(source.id, token, '[{"id":"   "}]')).status).toBe(422)
  const wide = Object.fromEntries(Array.from({ length: 480 }, (_, n) => [`f${n}`, 1]))
  expect((await send(source.id, token, JSON.stringify([{ id: 'wide', ...wide }]))).status).toBe(202)
  const many = JSON.stringify(Array.from({ length: 5_000 }, (_, n) => ({ id: `k${n}` })))
  expect((await send(source.id, token, many)).status).toBe(413)
  // Names that objects have by birth are names of fields; small numbers keep every digit.
  const odd = '[{"id":"4","__proto__":"p","constructor":"c","n":1.2345678901234567e-7}]'
  expect((await send(source.id, token, odd)).status).toBe(202)
  expect([await rowCount(source.id), await waitingOf(source.id), await syncCount(source.id)]).toEqual([3, 0, 3])
  expect(await connectionOf(source.id)).toEqual({ failure: null, failures: 0, nextAt: null })
})

it('holds no more in memory at once than a load takes, however much was sent', async () => {
  const seqs = await inSql('src_memory', (sql) => {
    const store = inboxStore(sql)
    store.open({ sourceId: 'src_memory', workspaceId: 'ws' })
    for (const [key, length] of [1_500, 1_500, 1_500, 10].entries())
      store.insert({ key: `${key}`, bodyHash: 'h', body: 'x'.repeat(length), rowCount: 1, now: 1 })
    return [1, 2_000, 3_000, 1e6].map((chars) => store.waiting({ batches: 60, chars }).length)
  })
  expect(seqs).toEqual([1, 1, 2, 4])
})

it('takes the same rows again and again, and the last of equal keys stays', async () => {
  const me = await signedIn()
  const { source, token } = await pushSource(me)
  const same = '[{"id":"1","amount":10}]'
  for (let n = 0; n < 3; n += 1) expect((await send(source.id, token, same)).status).toBe(202)
  expect([await rowCount(source.id), await waitingOf(source.id)]).toEqual([1, 0])
  expect(await connectionOf(source.id)).toEqual({ failure: null, failures: 0, nextAt: null })
})

it('is tried again later when its rows cannot be applied, not at once and not by a sync; a killed process holds up nobody', async () => {
  const me = await signedIn()
  const { source, token } = await pushSource(me)
  const of = { sourceId: source.id, workspaceId: me.workspaceId }
  await send(source.id, token, '[{"id":"1","amount":1}]')
  // A batch from before a release that checked less.
  const keep = (body: string) => inSql(source.id, (sql) => void sql.exec('UPDATE batches SET body = ?', body))
  await keep('1,"2",many\n')
  await drainPushed(depsAt(), of)
  const failed = await connectionOf(source.id)
  expect([failed?.failures, await syncCount(source.id), await waitingOf(source.id)]).toEqual([1, 2, 1])
  await drainPushed(depsAt(), of)
  const later = (failed?.nextAt ?? 0) + 1
  await startDueSyncs(depsAt(later))
  expect(await syncCount(source.id)).toBe(2)
  await keep('1,"2",5\n')
  // Whoever applies them is killed: from two minutes on somebody else does.
  const { ids } = depsAt()
  const lease = { id: ids.next('sync'), sourceId: source.id, slot: 'push:x', trigger: 'push' as const, actorId: null }
  const started = { ...lease, acceptDrift: false, startedAt: later }
  await connectionStore(depsAt().db, me.workspaceId).insertSync(started, null).run()
  await drainPushed(depsAt(later), of)
  expect(await waitingOf(source.id)).toBe(1)
  const afterwards = depsAt(later + 3 * 60_000)
  await reconcileSyncs(afterwards)
  await drainPushed(afterwards, of)
  expect([await rowCount(source.id), await waitingOf(source.id)]).toEqual([2, 0])
  expect(await connectionOf(source.id)).toEqual({ failure: null, failures: 0, nextAt: null })
})

it('lets in a renewed token at once and the old one never again; a paused source takes nothing', async () => {
  const me = await signedIn()
  const { source, token } = await pushSource(me)
  expect((await send(source.id, token, '[{"id":"1"}]')).status).toBe(202)
  const renewed = await me.fetch(`/api/data-sources/${source.id}/push-token`, { method: 'POST', json: {} })
  const fresh: { token: string } = await renewed.json()
  expect((await post(source.id, token, '[{"id":"2"}]')).status).toBe(401)
  expect((await post(source.id, fresh.token, '[{"id":"2"}]')).status).toBe(202)
  const change = (way: 'pause' | 'resume') => me.fetch(`/api/data-sources/${source.id}/${way}`, { method: 'POST' })
  expect((await change('pause')).status).toBe(200)
  expect((await post(source.id, fresh.token, '[{"id":"3"}]')).status).toBe(402)
  expect((await change('resume')).status).toBe(200)
  expect((await send(source.id, fresh.token, '[{"id":"3"}]')).status).toBe(202)
  expect(await rowCount(source.id)).toBe(3)
})

it('takes over what an earlier release kept in the database, and nothing is left of it there', async () => {
  const me = await signedIn()
  const { source, token } = await pushSource(me)
  await send(source.id, token, '[{"id":"1","amount":1}]')
  const them = await signedIn()
  const { source: other } = await pushSource(them)
  await env.DB.prepare(
    `INSERT INTO ingest_batches (workspace_id, source_id, key, body_hash, body, row_count, created_at)
     SELECT ?1, ?2, value, 'h', '1,"' || value || '",5' || char(10), 1, 1 FROM json_each(?3)`,
  )
    .bind(them.workspaceId, other.id, JSON.stringify(Array.from({ length: 25 }, (_, n) => n + 1)))
    .run()
  await env.DB.prepare(
    'UPDATE connection_streams SET stream = (SELECT stream FROM connection_streams WHERE source_id = ?1) WHERE source_id = ?2',
  )
    .bind(source.id, other.id)
    .run()
  await sweepPushed(depsAt())
  await applied(other.id)
  expect(await rowCount(other.id)).toBe(25)
  const left = env.DB.prepare('SELECT count(*) AS n FROM ingest_batches WHERE source_id = ?').bind(other.id)
  expect(await left.first('n')).toBe(0)
})

it('brings hundreds of small batches that wait into the table by one load', async () => {
  const me = await signedIn()
  const { source, token } = await pushSource(me)
  await send(source.id, token, '[{"id":"first","amount":1}]')
  const before = await syncCount(source.id)
  await inSql(source.id, (sql) => {
    const store = inboxStore(sql)
    for (let n = 0; n < 300; n += 1)
      store.insert({ key: `k${n}`, bodyHash: 'h', body: `"k${n}",${n}\n`, rowCount: 1, now: Date.now() })
  })
  await drainPushed(depsAt(), { sourceId: source.id, workspaceId: me.workspaceId })
  await applied(source.id)
  expect(await rowCount(source.id)).toBe(301)
  expect(await syncCount(source.id)).toBe(Number(before) + 1)
})

it('leaves nothing of an inbox that is erased, as a purge does with those of a workspace (STO-4)', async () => {
  const me = await signedIn()
  const { source, token } = await pushSource(me)
  await send(source.id, token, '[{"id":"1"}]')
  expect(await pushStore(depsAt().db).pushSourcesOf(me.workspaceId)).toEqual([source.id])
  await env.PUSH_INBOX.getByName(source.id).erase()
  const tables = "SELECT name FROM sqlite_master WHERE name LIKE 'batches%' OR name = 'source'"
  expect(await inSql(source.id, (sql) => sql.exec(tables).toArray())).toEqual([])
})
