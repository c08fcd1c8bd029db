import { env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { createApp } from '../../app'
import type { DataSource } from '../../shared/data-sources/data-sources'
import { drainPushed, sweepPushed } from '../sync/drain-pushed'
import { reconcileSyncs, startDueSyncs } from '../sync/due-syncs'
import { connectionStore } from '../../sync/connection-store'
import { inboxStore } from '../../sync/inbox-store'
import { pushStore } from '../../sync/push-store'
import { createDeps } from '../../deps'
import { sha256Hex } from '../../lib/hash'
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

describe('a push source under attack', () => {
  const columnsOf = async (sourceId: string): Promise<string[]> => {
    const sql = 'SELECT stream FROM connection_streams WHERE source_id = ?'
    const text = (await env.DB.prepare(sql).bind(sourceId).first<string>('stream')) ?? '{}'
    const stream: { columns?: { name: string }[] } = JSON.parse(text)
    return (stream.columns ?? []).map(({ name }) => name)
  }

  it('refuses lists within lists without end by field, however deep', async () => {
    const me = await signedIn()
    const { source, token } = await pushSource(me)
    for (const levels of [65, 5_000, 400_000]) {
      const answer = await post(source.id, token, `[{"id":"1","x":${'['.repeat(levels)}${']'.repeat(levels)}}]`)
      expect([levels, answer.status, await answer.text()]).toEqual([levels, 422, expect.stringContaining('"0.x"')])
    }
    expect((await send(source.id, token, `[{"id":"1","x":${'['.repeat(60)}${']'.repeat(60)}}]`)).status).toBe(202)
  })

  it('keeps nothing of a batch that it refuses: its columns neither', async () => {
    const me = await signedIn()
    const { source, token } = await pushSource(me)
    const key = { 'idempotency-key': 'once' }
    expect((await send(source.id, token, '[{"id":"1"}]', key)).status).toBe(202)
    expect((await post(source.id, token, '[{"id":"1","stolen":1}]', key)).status).toBe(422)
    const wide = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`wide${n}`, 1]))
    const large = [{ id: 'a', ...wide }, ...Array.from({ length: 4_900 }, (_, n) => ({ id: `k${n}` }))]
    expect((await post(source.id, token, JSON.stringify(large))).status).toBe(413)
    expect(await columnsOf(source.id)).toEqual(['id'])
    // The same batch again is answered as it was, of what it holds no more is looked at.
    expect(await (await post(source.id, token, '[{"id":"1"}]', key)).json()).toEqual({ accepted: 1, batch: 'once' })
  })

  it('keeps fields apart whose names differ by capitals or blanks alone, load after load', async () => {
    const me = await signedIn()
    const { source, token } = await pushSource(me)
    for (const id of ['1', '2', '3'])
      expect((await send(source.id, token, `[{"ID":"x","id":"${id}","a":1,"A":2," a":3}]`)).status).toBe(202)
    const dataset = await env.DB.prepare('SELECT id, columns FROM datasets WHERE source_id = ?')
      .bind(source.id)
      .first<{ id: string; columns: string }>()
    const columns: { key: string; label: string }[] = JSON.parse(dataset?.columns ?? '[]')
    expect(columns.map(({ label }) => label)).toEqual(['ID', 'id', 'a', 'A', 'a'])
    const sum = ({ key }: { key: string }) => ({
      kind: 'column',
      agg: 'sum',
      field: { dataset: dataset?.id, column: key },
    })
    const plan = { v: 2, kind: 'aggregate', filters: [], dimensions: [], measures: columns.slice(2).map(sum) }
    const answer = await me.fetch('/api/query', { method: 'POST', json: { plan } })
    expect([await rowCount(source.id), (await answer.json<{ rows: unknown }>()).rows]).toEqual([3, [[3, 6, 9]]])
  })

  it('takes signs that end texts elsewhere, and loses no row behind them', async () => {
    const me = await signedIn()
    const { source, token } = await pushSource(me)
    const rows = [
      { id: 'a\u0000b', 'x\u0000': '\u0000' },
      { id: 'c\nd"e,f', x: '\ud800' },
      { id: 'g', x: '\u2028\ufeff' },
    ]
    expect((await send(source.id, token, JSON.stringify(rows))).status).toBe(202)
    expect([await rowCount(source.id), (await connectionOf(source.id))?.failure]).toEqual([3, null])
    // What is made of the names of columns leaves out those that nothing else may have.
    const odd = (n: number) =>
      `{"id":"h${n}","day":"2026-0${n}-03","\u202ekind":"k${n % 3}","\u202eamount":${n},"price\\nnet":2.5,"total":${n * 3}}`
    await send(source.id, token, `[${[1, 2, 3, 4, 5, 6].map(odd).join()}]`)
    const paths = [
      'metrics/suggestions',
      'starters',
      'bot/suggestions',
      'findings',
      'data-access/suggestions',
      'briefing',
    ]
    for (const path of paths) {
      const answer = await me.fetch(`/api/${path}`)
      expect([path, answer.status < 500, await answer.text()]).toEqual([path, true, expect.anything()])
    }
  })

  it('counts one batch of fifty at once by one key, and takes no second one by it', async () => {
    const me = await signedIn()
    const { source, token } = await pushSource(me)
    const key = { 'idempotency-key': 'race' }
    const same = Array.from({ length: 25 }, () => post(source.id, token, '[{"id":"1","n":1}]', key))
    const others = Array.from({ length: 25 }, (_, n) => post(source.id, token, `[{"id":"1","n":${n + 2}}]`, key))
    const statuses = (await Promise.all([...same, ...others])).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([202, 422]))
    await applied(source.id)
    expect(await inSql(source.id, (sql) => sql.exec('SELECT count(*) AS n FROM batches').one())).toEqual({ n: 1 })
    expect([202, 422]).toContain((await post(source.id, token, '[{"id":"1","n":1}]', key)).status)
  })

  it('adds the new fields of thirty batches at once, and sends none of them away', async () => {
    const me = await signedIn()
    const { source, token } = await pushSource(me)
    const batches = Array.from({ length: 30 }, (_, n) => `[{"id":"${n}","field${n}":${n}}]`)
    const answers = await Promise.all(batches.map((batch) => post(source.id, token, batch)))
    expect(answers.map(({ status }) => status)).toEqual(batches.map(() => 202))
    expect((await columnsOf(source.id)).length).toBe(31)
    await applied(source.id)
    expect([await rowCount(source.id), (await connectionOf(source.id))?.failure]).toEqual([30, null])
  })

  it('opens by no token of another source or workspace, and by its own again at once when it is restored', async () => {
    const [me, them] = [await signedIn(), await signedIn()]
    const [mine, theirs] = [await pushSource(me), await pushSource(them)]
    expect((await post(mine.source.id, theirs.token, '[{"id":"1"}]')).status).toBe(401)
    expect((await send(mine.source.id, mine.token, '[{"id":"1"}]')).status).toBe(202)
    const { version }: DataSource = await (await me.fetch(`/api/data-sources/${mine.source.id}`)).json()
    const gone = await me.fetch(`/api/data-sources/${mine.source.id}?version=${version}&force=1`, { method: 'DELETE' })
    expect(gone.status).toBe(200)
    expect((await post(mine.source.id, mine.token, '[{"id":"2"}]')).status).toBe(401)
    expect((await me.fetch(`/api/data-sources/${mine.source.id}/restore`, { method: 'POST' })).status).toBe(200)
    expect((await send(mine.source.id, mine.token, '[{"id":"2"}]')).status).toBe(202)
    expect(await rowCount(mine.source.id)).toBe(2)
  })

  it('tells rows apart by the fields that it began with', async () => {
    const me = await signedIn()
    const { source, token } = await pushSource(me)
    expect((await send(source.id, token, '[{"id":"1","sku":"a"}]')).status).toBe(202)
    const change = (key: string) =>
      me.fetch(`/api/data-sources/${source.id}/connection`, { method: 'PUT', json: { settings: { key } } })
    expect(await (await change('sku')).json()).toMatchObject({
      code: 'invalid_input',
      fields: { key: expect.any(String) },
    })
    expect((await change(' id ')).status).toBe(200)
    // One that an earlier release let through changes nothing either.
    await env.DB.prepare(`UPDATE connections SET settings = '{"key":"sku"}' WHERE source_id = ?`).bind(source.id).run()
    await env.PUSH_INBOX.getByName(source.id).forget()
    expect((await post(source.id, token, '[{"sku":"b"}]')).status).toBe(422)
  })

  it('refuses more before its object is full, and keeps no record of looks at what may not come in', async () => {
    const me = await signedIn()
    const { source, token } = await pushSource(me)
    await send(source.id, token, '[{"id":"1"}]')
    const inbox = env.PUSH_INBOX.getByName(source.id)
    await runInDurableObject(
      inbox,
      (_inbox, { storage }) =>
        void Object.defineProperty(storage.sql, 'databaseSize', { value: 5 * 1024 ** 3, configurable: true }),
    )
    const answer = await post(source.id, token, '[{"id":"2"}]')
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60'])
    await env.DB.prepare("UPDATE members SET role = 'viewer' WHERE workspace_id = ?").bind(me.workspaceId).run()
    await inSql(source.id, (sql) => void sql.exec('UPDATE batches SET body = \'1,"1"\' || char(10)'))
    await inbox.forget()
    const before = await syncCount(source.id)
    for (let n = 0; n < 3; n += 1) await runDurableObjectAlarm(inbox)
    expect([await syncCount(source.id), await waitingOf(source.id)]).toEqual([before, 1])
    const alarmAt = await runInDurableObject(inbox, (_inbox, { storage }) => storage.getAlarm())
    expect((alarmAt ?? 0) - Date.now()).toBeGreaterThan(5 * 60_000)
  })

  it('keeps the keys of what an earlier release applied, and takes what one still running keeps later', async () => {
    const me = await signedIn()
    const { source, token } = await pushSource(me)
    const body = '[{"id":"1","amount":1}]'
    await send(source.id, token, body)
    const keep = (key: string, hash: string, text: string | null) =>
      env.DB.prepare(
        'INSERT INTO ingest_batches (workspace_id, source_id, key, body_hash, body, row_count, created_at) VALUES (?, ?, ?, ?, ?, 1, ?)',
      )
        .bind(me.workspaceId, source.id, key, hash, text, Date.now())
        .run()
    await keep('old', await sha256Hex(body), null)
    await keep('late', 'h', '1,"2",5\n')
    await sweepPushed(depsAt())
    await applied(source.id)
    expect(await rowCount(source.id)).toBe(2)
    await send(source.id, token, '[{"id":"1","amount":7}]')
    const count = await syncCount(source.id)
    expect((await send(source.id, token, body, { 'idempotency-key': 'old' })).status).toBe(202)
    expect(await syncCount(source.id)).toBe(count)
  })
})
