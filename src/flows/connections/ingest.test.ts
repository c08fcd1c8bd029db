import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { createApp } from '../../app'
import type { DataSource } from '../../shared/data-sources/data-sources'
import { drainPushed, sweepPushed } from '../sync/drain-pushed'
import { reconcileSyncs, startDueSyncs } from '../sync/due-syncs'
import { connectionStore } from '../../sync/connection-store'
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
const send = async (
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
const connectionOf = (sourceId: string) =>
  env.DB.prepare('SELECT failure, failures, next_at AS nextAt FROM connections WHERE source_id = ?')
    .bind(sourceId)
    .first<{ failure: string | null; failures: number; nextAt: number | null }>()
const syncCount = (sourceId: string) =>
  env.DB.prepare('SELECT count(*) AS n FROM syncs WHERE source_id = ?').bind(sourceId).first<number>('n')
const waitingOf = (sourceId: string) =>
  env.DB.prepare('SELECT count(*) AS n FROM ingest_batches WHERE source_id = ? AND body IS NOT NULL')
    .bind(sourceId)
    .first<number>('n')
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
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => send(source.id, token, batch(n))))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 202))
  await drainPushed(depsAt(), { sourceId: source.id, workspaceId: me.workspaceId })
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
  const me = await signedIn()
  const { source } = await pushSource(me)
  const store = pushStore(depsAt().db)
  const row = { workspaceId: me.workspaceId, sourceId: source.id, bodyHash: 'h', rowCount: 1, now: Date.now() }
  for (const [key, length] of [1_500, 1_500, 1_500, 10].entries())
    await store.insert({ ...row, key: `${key}`, body: 'x'.repeat(length) })
  const seqs = async (chars: number) => (await store.waiting(source.id, { batches: 60, chars })).length
  expect([await seqs(1), await seqs(2_000), await seqs(1e6)]).toEqual([1, 2, 4])
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
  const broken = env.DB.prepare('UPDATE ingest_batches SET body = ? WHERE source_id = ?').bind(
    '1,"2",many\n',
    source.id,
  )
  await broken.run()
  await drainPushed(depsAt(), of)
  const failed = await connectionOf(source.id)
  expect([failed?.failures, await syncCount(source.id), await waitingOf(source.id)]).toEqual([1, 2, 1])
  await drainPushed(depsAt(), of)
  const later = (failed?.nextAt ?? 0) + 1
  await startDueSyncs(depsAt(later))
  expect(await syncCount(source.id)).toBe(2)
  await env.DB.prepare('UPDATE ingest_batches SET body = ? WHERE source_id = ?').bind('1,"2",5\n', source.id).run()
  // Whoever applies them is killed: from two minutes on somebody else does.
  const { ids } = depsAt()
  const lease = { id: ids.next('sync'), sourceId: source.id, slot: 'push:x', trigger: 'push' as const, actorId: null }
  const started = { ...lease, acceptDrift: false, startedAt: later }
  await connectionStore(depsAt().db, me.workspaceId).insertSync(started, null).run()
  await sweepPushed(depsAt(later))
  expect(await waitingOf(source.id)).toBe(1)
  const afterwards = depsAt(later + 3 * 60_000)
  await reconcileSyncs(afterwards)
  await sweepPushed(afterwards)
  expect([await rowCount(source.id), await waitingOf(source.id)]).toEqual([2, 0])
  expect(await connectionOf(source.id)).toEqual({ failure: null, failures: 0, nextAt: null })
})
